// Files that people save: tables as CSV, drawings as SVG.

import { fill, h, on } from "../dom";
import { message } from "../refusal";

/** A button that saves a text as a file. The text is made when the button is pressed. */
export function download(
  title: string,
  name: string,
  type: string,
  text: () => string | Promise<string>,
): HTMLElement {
  const button = h("button", { type: "button" }, title);
  return on(button, "click", () => {
    Promise.resolve(text()).then(
      (content) => save(name, type, content),
      (error: unknown) => fill(button, `${title}: ${message(error)}`),
    );
  });
}

/** Rows as CSV (RFC 4180). */
export function csv(columns: string[], rows: (string | number)[][]): string {
  return [columns, ...rows].map((row) => row.map(field).join(",") + "\r\n").join("");
}

/** A field. A text of the graph that a spreadsheet would take for a formula gets an apostrophe before it. */
function field(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
