// The timeline of a run: bytes in use over time as a drawing, and the values at a moment as text.

import type { InUse, Moment, Timeline } from "../answers";
import { fill, h, on } from "../dom";
import { bytes, exact } from "../numbers";
import { csv, download } from "./export";
import { nodeItem, nodeList } from "./nodes";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 1000;
const HEIGHT = 300;

type Line = "live_bytes" | "resident_bytes";
const LINES: [Line, string][] = [
  ["live_bytes", "in use"],
  ["resident_bytes", "resident"],
];

/** The rows of the table on each side of the moment that is shown. */
const AROUND = 4;

/** The moment that is shown, and what a person may do with it. */
export interface MomentPlace {
  ms: number | undefined;
  /** Is called with the moment that a person chose. */
  choose: (ms: number) => void;
  /** The place for what was in use at the moment. */
  inUse: HTMLElement;
}

export function timelinePane(timeline: Timeline, place: MomentPlace): HTMLElement {
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
  const shown = moment(rows, place);
  on(drawing, "click", (event) => {
    const { left, width } = drawing.getBoundingClientRect();
    shown.choose(((event.clientX - left) / Math.max(1, width)) * (rows.length - 1));
  });
  return h("div", {}, tools, drawing, axis, h("p", {}, summary(rows)), shown.element, place.inUse);
}

function draw(rows: Moment[], largest: number): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  const [first, last] = [rows[0]?.ms ?? 0, rows.at(-1)?.ms ?? 1];
  for (const [name] of LINES) {
    for (const measured of measuredRows(rows, name)) {
      const points = measured.map((row) => {
        const x = ((row.ms - first) / Math.max(1, last - first)) * WIDTH;
        return `${x.toFixed(1)},${(HEIGHT - ((row[name] ?? 0) / largest) * HEIGHT).toFixed(1)}`;
      });
      const line = document.createElementNS(SVG, "polyline");
      line.setAttribute("class", `line ${name}`);
      line.setAttribute("points", points.join(" "));
      svg.append(line);
    }
  }
  return svg;
}

/** The runs of moments with a value: a line does not lead over moments at which nothing was measured. */
export function measuredRows(rows: Moment[], name: Line): Moment[][] {
  const runs: Moment[][] = [];
  let isOpen = false;
  for (const row of rows) {
    const isMeasured = typeof row[name] === "number";
    if (isMeasured && isOpen) runs.at(-1)?.push(row);
    else if (isMeasured) runs.push([row]);
    isOpen = isMeasured;
  }
  return runs;
}

function legend(): HTMLElement[] {
  return LINES.map(([name, title]) => h("span", { class: `legend ${name}` }, title));
}

/** A slider over the moments, the values at the one that it is at, and the rows around it. */
function moment(rows: Moment[], place: MomentPlace): { element: HTMLElement; choose: (at: number) => void } {
  const [values, table] = [h("output", {}), h("div", { class: "moments" })];
  const asked = rows.findLastIndex(({ ms }) => ms <= (place.ms ?? Infinity));
  const value = Math.max(0, asked);
  const slider = h("input", { type: "range", min: 0, max: rows.length - 1, value, "aria-label": "Moment" });
  const show = (): void => {
    const at = Number(slider.value);
    const row = rows[at];
    if (row === undefined) return;
    fill(values, describe(row));
    slider.setAttribute("aria-valuetext", describe(row));
    fill(table, rowsAround(rows, at, choose));
  };
  const choose = (at: number): void => {
    slider.value = String(Math.round(at));
    show();
    place.choose(rows[Number(slider.value)]?.ms ?? 0);
  };
  show();
  on(slider, "input", show);
  on(slider, "change", () => choose(Number(slider.value)));
  return { element: h("div", {}, h("div", { class: "moment" }, slider, values), table), choose };
}

/** The rows beside a moment. A click on one shows it. */
function rowsAround(rows: Moment[], at: number, choose: (at: number) => void): HTMLElement {
  const first = Math.max(0, Math.min(at - AROUND, rows.length - 2 * AROUND - 1));
  const shown = rows.slice(first, first + 2 * AROUND + 1).map((row, place) => {
    const button = h("button", { type: "button" }, `${exact(row.ms)} ms`);
    on(button, "click", () => choose(first + place));
    const cells = [row.calls, row.live_bytes, row.peak_bytes, row.resident_bytes ?? ""];
    const numbers = cells.map((cell) => h("td", {}, typeof cell === "number" ? exact(cell) : cell));
    const isCurrent = first + place === at;
    return h("tr", { "aria-current": isCurrent ? "true" : null }, h("th", { scope: "row" }, button), ...numbers);
  });
  const titles = ["moment", "calls", "bytes in use", "most bytes", "resident bytes"];
  const head = h("tr", {}, ...titles.map((title) => h("th", { scope: "col" }, title)));
  return h("table", { "aria-label": "Moments" }, h("thead", {}, head), h("tbody", {}, ...shown));
}

/** The places whose memory is in use at a moment, the largest first. */
export function inUseList(file: number, { ms, rows, left_off }: InUse): HTMLElement {
  const items = rows.map((row) => nodeItem(file, row, " ", h("span", { class: "quiet" }, bytes(row.live_bytes))));
  return nodeList(`In use at ${exact(ms)} ms`, items, left_off, "nothing was in use");
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
