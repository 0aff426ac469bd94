// Two layers beside each other: what each function cost in the first and in the second.

import type { Compared, Comparison } from "../answers";
import { h } from "../dom";
import { exact } from "../numbers";
import { format, methodText, toNode } from "../route";
import { csv, download } from "./export";
import { placeOf } from "./nodes";

export function comparisonPane(
  file: number,
  { unit, rows, left_off }: Comparison,
  names: [string, string],
): HTMLElement {
  const titles = ["Function", "Place", names[0], names[1], "Difference"];
  const head = titles.map((title, index) =>
    h("th", { scope: "col", class: index > 1 ? "number" : null }, title),
  );
  const body = h("tbody", {}, ...rows.map((row) => line(file, row)));
  const table = h(
    "table",
    {},
    h("caption", {}, `in ${unit}, largest change first`),
    h("thead", {}, h("tr", {}, ...head)),
    body,
  );
  const scroll = h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Comparison" },
    table,
  );
  const save = download("Save as CSV", "comparison.csv", "text/csv", () => csv(titles, rows.map(values)));
  const more = left_off === 0 ? null : h("p", { class: "more" }, `+${exact(left_off)} more functions`);
  return h("div", {}, h("div", { class: "tools" }, save), scroll, more);
}

function line(file: number, row: Compared): HTMLElement {
  const { first, second, difference } = row;
  const sign = difference > 0 ? "+" : "";
  const numbers = [exact(first), exact(second), sign + exact(difference)];
  return h(
    "tr",
    {},
    h("td", {}, h("a", { class: "node-link", href: linkTo(file, row) }, row.function)),
    h("td", { class: "place" }, placeOf(row)),
    ...numbers.map((text) => h("td", { class: "number" }, text)),
  );
}

/** The page of the function; a search for its name if the answer does not say which node it is. */
function linkTo(file: number, { node, function: name }: Compared): string {
  if (node !== undefined) return toNode({ file, node });
  return format({ view: "search", file, kind: "name", text: methodText(name) });
}

function values(row: Compared): (string | number)[] {
  return [row.function, placeOf(row), row.first, row.second, row.difference];
}
