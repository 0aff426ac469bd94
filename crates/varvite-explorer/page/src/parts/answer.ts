// The answer to a query or plan: tables whose nodes are links, with export as CSV and the same as a program.

import type { Answered, Cell, GraphNode } from "../answers";
import { type Child, fill, h } from "../dom";
import { counted } from "../numbers";
import { Asked, type Page } from "../view";
import { copyAs } from "./copy";
import { csv, download } from "./export";
import { labelBadge, nodeLink, placeOf, titleOf } from "./nodes";

const ROWS = 1000;

export class AnswerPane {
  private file = 0;
  private question: { text: string } | { plan: unknown } = { text: "" };
  private readonly asked: Asked<"ask">;
  private readonly planned: Asked<"plan">;

  constructor(
    private readonly page: Page,
    private readonly place: HTMLElement,
  ) {
    this.asked = new Asked(page, "ask", place, (answer, ms) => this.show(answer, ms));
    this.planned = new Asked(page, "plan", place, (answer, ms) => this.show(answer, ms));
  }

  ask(file: number, text: string): void {
    this.file = file;
    this.question = { text };
    void this.asked.ask({ file, text, limit: ROWS });
  }

  plan(file: number, plan: unknown): void {
    this.file = file;
    this.question = { plan };
    void this.planned.ask({ file, plan, limit: ROWS });
  }

  close(): void {
    this.asked.stop();
    this.planned.stop();
  }

  private show(answer: Answered, milliseconds: number): void {
    const time = h("p", { class: "summary" }, `${sizeOf(answer)}, ${milliseconds.toFixed(1)} ms`);
    fill(this.place, time, copyAs(this.page, { file: this.file, ...this.question }), ...this.parts(answer));
    this.page.say(sizeOf(answer));
  }

  private parts(answer: Answered): HTMLElement[] {
    if ("parts" in answer) return answer.parts.flatMap((part) => this.parts(part));
    if ("value" in answer) return [h("p", { class: "value" }, this.cell(answer.value))];
    const nodes = answer.rows.flatMap((row) => row.filter(isNode));
    const isOfNodes = answer.columns.length === 1 && nodes.length === answer.rows.length && nodes.length > 0;
    return [
      isOfNodes ? this.nodes(nodes, answer.more) : this.cells(answer.columns, answer.rows, answer.more),
    ];
  }

  /** Nodes, each with its label, name, place and code. */
  private nodes(nodes: GraphNode[], more: boolean): HTMLElement {
    const rows = nodes.map((node) => [
      labelBadge(node),
      nodeLink(this.file, node),
      h("span", { class: "place" }, placeOf(node)),
      h("code", {}, node.code),
    ]);
    const texts = nodes.map((node) => [node.node, node.label, titleOf(node), placeOf(node), node.code ?? ""]);
    const titles = ["Label", "Name", "Place", "Code"];
    return table(titles, rows, more, () => csv(["Node", ...titles], texts));
  }

  private cells(columns: string[], rows: Cell[][], more: boolean): HTMLElement {
    const shown = rows.map((row) => row.map((cell) => this.cell(cell)));
    return table(columns, shown, more, () =>
      csv(
        columns,
        rows.map((row) => row.map(plain)),
      ),
    );
  }

  private cell(cell: Cell): Node | string {
    if (cell === null) return h("span", { class: "quiet" }, "null");
    if (Array.isArray(cell)) return h("span", {}, ...cell.flatMap((part) => [this.cell(part), " "]));
    if (typeof cell !== "object") return String(cell);
    if ("edge" in cell) return h("span", { class: "quiet" }, `–${cell.edge}→`);
    return h("span", {}, nodeLink(this.file, cell), " ", h("span", { class: "place" }, placeOf(cell)));
  }
}

function table(columns: string[], rows: Child[][], more: boolean, text: () => string): HTMLElement {
  const head = h("tr", {}, ...columns.map((column) => h("th", { scope: "col" }, column)));
  const body = rows.map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, cell))));
  const all = h("table", {}, h("thead", {}, head), h("tbody", {}, ...body));
  const scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rows" }, all);
  const note = more
    ? h("p", { class: "more" }, `Only the first ${counted(rows.length, "row")} are shown.`)
    : null;
  return h("div", { class: "answer" }, download("Save as CSV", "answer.csv", "text/csv", text), scroll, note);
}

function isNode(cell: Cell): cell is GraphNode {
  return typeof cell === "object" && cell !== null && "node" in cell && "label" in cell;
}

/** The text of a cell in CSV. */
function plain(cell: Cell): string | number {
  if (cell === null) return "";
  if (typeof cell === "number") return cell;
  if (Array.isArray(cell)) return cell.map(plain).join(" ");
  if (typeof cell !== "object") return String(cell);
  if ("edge" in cell) return cell.edge;
  return `${titleOf(cell)} ${placeOf(cell)}`.trim();
}

function sizeOf(answer: Answered): string {
  if ("parts" in answer) return counted(answer.parts.length, "answer");
  return "value" in answer ? "one value" : counted(answer.rows.length, "row");
}
