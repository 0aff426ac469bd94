// The properties of a node, closed until asked for.

import type { Cell } from "../answers";
import { h } from "../dom";

export function properties(rows: { name: string; value: Cell }[]): HTMLElement {
  const lines = rows.map(({ name, value }) =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, h("pre", {}, text(value)))),
  );
  const table = h("table", {}, h("tbody", {}, ...lines));
  return h("details", { class: "properties" }, h("summary", {}, "Properties"), table);
}

function text(value: Cell): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
