// The timeline of a run: bytes in use over time as a drawing, and the values at a moment as text.

import type { Moment, Timeline } from "../answers";
import { fill, h, on } from "../dom";
import { bytes, exact } from "../numbers";
import { csv, download } from "./export";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 1000;
const HEIGHT = 300;

type Line = "live_bytes" | "resident_bytes";
const LINES: [Line, string][] = [
  ["live_bytes", "in use"],
  ["resident_bytes", "resident"],
];

export function timelinePane(timeline: Timeline): HTMLElement {
  const { rows } = timeline;
  if (rows.length === 0) return h("p", { class: "quiet" }, "The layer has no moments.");
  const largest = Math.max(1, ...rows.flatMap((row) => LINES.map(([name]) => row[name] ?? 0)));
  const drawing = h(
    "div",
    { class: "timeline", role: "img", "aria-label": summary(rows) },
    draw(rows, largest),
  );
  const save = download("Save as CSV", "timeline.csv", "text/csv", () => table(rows));
  const tools = h("div", { class: "tools" }, ...legend(), h("span", {}, `up to ${bytes(largest)}`), save);
  const ends = [rows[0], rows.at(-1)].map((row) => h("span", {}, `${exact(row?.ms ?? 0)} ms`));
  const axis = h("div", { class: "axis", "aria-hidden": "true" }, ...ends);
  return h("div", {}, tools, drawing, axis, h("p", {}, summary(rows)), moment(rows));
}

function draw(rows: Moment[], largest: number): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  const [first, last] = [rows[0]?.ms ?? 0, rows.at(-1)?.ms ?? 1];
  for (const [name] of LINES) {
    const points = rows
      .filter((row) => typeof row[name] === "number")
      .map((row) => {
        const x = ((row.ms - first) / Math.max(1, last - first)) * WIDTH;
        return `${x.toFixed(1)},${(HEIGHT - ((row[name] ?? 0) / largest) * HEIGHT).toFixed(1)}`;
      });
    const line = document.createElementNS(SVG, "polyline");
    line.setAttribute("class", `line ${name}`);
    line.setAttribute("points", points.join(" "));
    svg.append(line);
  }
  return svg;
}

function legend(): HTMLElement[] {
  return LINES.map(([name, title]) => h("span", { class: `legend ${name}` }, title));
}

/** A slider over the moments, and the values at the one that it is at. */
function moment(rows: Moment[]): HTMLElement {
  const values = h("output", {});
  const slider = h("input", {
    type: "range",
    min: 0,
    max: rows.length - 1,
    value: rows.length - 1,
    "aria-label": "Moment",
  });
  const show = (): void => {
    const row = rows[Number(slider.value)];
    if (row !== undefined) fill(values, describe(row));
    slider.setAttribute("aria-valuetext", row === undefined ? "" : describe(row));
  };
  show();
  return h("div", { class: "moment" }, on(slider, "input", show), values);
}

function describe(row: Moment): string {
  const { ms, calls, live_bytes, resident_bytes } = row;
  const resident = typeof resident_bytes === "number" ? `, ${bytes(resident_bytes)} resident` : "";
  return `${exact(ms)} ms: ${bytes(live_bytes)} in use${resident}, ${exact(calls)} calls`;
}

function summary(rows: Moment[]): string {
  const top = rows.reduce((best, row) => (row.live_bytes > best.live_bytes ? row : best));
  const [first, last] = [rows[0]?.ms ?? 0, rows.at(-1)?.ms ?? 0];
  const peak = `most at ${exact(top.ms)} ms: ${bytes(top.live_bytes)}`;
  return `Memory in use from ${exact(first)} to ${exact(last)} ms; ${peak}.`;
}

function table(rows: Moment[]): string {
  const columns = ["ms", "calls", "live_bytes", "peak_bytes", "resident_bytes"] as const;
  return csv(
    [...columns],
    rows.map((row) => columns.map((column) => row[column] ?? "")),
  );
}
