// A node: its source in the middle, callers on the left, callees on the right, and drawings below.

import type { Drawing, GraphNode, Heat, SymbolAnswer } from "../answers";
import { fill, h, on } from "../dom";
import { counted } from "../numbers";
import { copyAs, copyCommand } from "../parts/copy";
import { drawingPane } from "../parts/drawing";
import { download } from "../parts/export";
import { labelBadge, nodeItem, nodeLink, nodeList, placeOf, titleOf } from "../parts/nodes";
import { properties } from "../parts/properties";
import { showSource } from "../parts/source_place";
import { Tabs } from "../parts/tabs";
import { format, NO_NUMBER, pathsFrom, type SymbolRoute, type Tab, TABS, toNode } from "../route";
import { alert } from "../refusal";
import { Refusal } from "../server";
import { Asked, fileOf, type Page, type View } from "../view";
import { visible } from "../visible";

const DRAWINGS: Record<Tab, string> = {
  ast: "Syntax tree",
  cfg: "Control flow",
  ddg: "Data flow",
  pdg: "Dependences",
  dominators: "Dominators",
  calls: "Calls",
};
/** The budget of a drawing: more boxes than this nobody reads. */
const BOXES = 500;
/** Stands for the choice of values in the margin. */
const MARGIN = "margin";
/** The lines that the server shows at once. */
const LINES = 2000;
/** Smaller budgets, for drawings with too many edges to place. */
const FEWER: Record<number, number> = { 500: 200, 200: 60, 60: 20 };

export function symbolView(page: Page, route: SymbolRoute): View {
  const symbol = new SymbolPage(page, route);
  return {
    title: "Symbol",
    element: symbol.element,
    update: (next) => next.view === "symbol" && symbol.update(next),
    focus: () => symbol.heading.focus(),
    close: () => symbol.close(),
  };
}

class SymbolPage {
  readonly element = h("div", { class: "symbol" });
  readonly heading = h("h1", { tabindex: -1 }, "Symbol");
  private readonly body = h("div", { class: "symbol-body" });
  private readonly middle = h("div", { class: "source-place" });
  private readonly panel = h("div", { class: "drawing-place", id: "drawing" });
  private readonly tabs: Tabs<Tab>;
  private readonly symbol: Asked<"symbol">;
  private readonly drawing: Asked<"drawing">;
  private answer: SymbolAnswer | undefined;
  /** The budget of the drawing that is shown. */
  private boxes = BOXES;
  /** The button for other lines that was pressed, or the choice of the margin. */
  private pressed = "";

  constructor(
    private readonly page: Page,
    private route: SymbolRoute,
  ) {
    const views = fileOf(page, route.file)?.views ?? [];
    const tabs = TABS.filter((tab) => views.includes(tab)).map((tab): [Tab, string] => [tab, DRAWINGS[tab]]);
    this.tabs = new Tabs("Drawings", tabs, this.panel, (tab) => {
      // Another drawing has other boxes to grow from.
      const { grown: _, ...rest } = this.route;
      page.go({ ...rest, tab });
    });
    this.symbol = new Asked(page, "symbol", this.body, (answer, ms) => this.show(answer, ms));
    const show = (drawing: Drawing): void => {
      const { file, node: current } = this.route;
      const place = { file, current, budget: BOXES, grow: (node: number) => this.grown(node) };
      fill(this.panel, drawingPane(place, drawing, this.save()), this.copy());
    };
    this.drawing = new Asked(page, "drawing", this.panel, show, (error) => this.drawLess(error));
    fill(this.element, this.heading, this.body);
    if (Math.min(route.file, route.node) === NO_NUMBER) {
      const text = "The address names no node: file and node are numbers from 0. Search for the node.";
      fill(this.body, alert(new Error(text)));
    } else this.ask();
  }

  private ask(): void {
    const { file, node, first } = this.route;
    const lines = first === undefined ? {} : { first, last: first + LINES - 1 };
    void this.symbol.ask({ file, node, ...lines });
  }

  /** A change of the tab or the layer keeps the rest. */
  update(next: SymbolRoute): boolean {
    const { file, node, tab, heat, grown, first } = this.route;
    if (next.file !== file || next.node !== node) return false;
    this.route = next;
    if (next.first !== first) {
      this.ask();
      return true;
    }
    if (next.tab !== tab || String(next.grown) !== String(grown)) this.draw();
    if (next.heat !== heat) {
      this.showSource();
      this.refocus();
    }
    return true;
  }

  close(): void {
    this.symbol.stop();
    this.drawing.stop();
  }

  private show(answer: SymbolAnswer, milliseconds: number): void {
    this.answer = answer;
    const { node } = answer;
    if (node.label === "METHOD" && node.name !== undefined)
      this.page.named(this.route.file, node.node, node.name);
    document.title = visible(`${titleOf(node)} · Varvite explorer`);
    fill(
      this.heading,
      labelBadge(node),
      " ",
      titleOf(node),
      " ",
      h("span", { class: "place" }, placeOf(node)),
    );
    const center = h(
      "div",
      { class: "center" },
      this.about(answer),
      this.middle,
      this.tabs.element,
      this.panel,
    );
    fill(this.body, center, this.callers(answer), this.callees(answer));
    this.showSource();
    this.refocus();
    this.draw();
    this.page.say(
      `${titleOf(node)}: ${counted(answer.callers.rows.length + answer.callers.left_off, "call")}, ${milliseconds.toFixed(1)} ms`,
    );
  }

  private about({ node, method, properties: all }: SymbolAnswer): HTMLElement {
    const file = this.route.file;
    return h(
      "div",
      { class: "about" },
      node.full_name === undefined ? null : h("p", { class: "full-name" }, node.full_name),
      method === undefined ? null : h("p", {}, "in ", nodeLink(file, method), " ", placeOf(method)),
      h("p", {}, h("a", { href: format(pathsFrom(file, node.node)) }, "Paths from here")),
      properties(all),
      copyAs(this.page, { file, node: node.node }),
    );
  }

  private callers({ callers, uses, node }: SymbolAnswer): HTMLElement {
    const file = this.route.file;
    const items = callers.rows.map((call) =>
      nodeItem(file, call.method ?? call, h("code", {}, call.code), callSite(file, call)),
    );
    const lists = [nodeList("Callers", items, callers.left_off, "no calls found")];
    const users = uses.rows.map((use) => nodeItem(file, use));
    if (users.length > 0 || node.label !== "METHOD")
      lists.push(nodeList("Uses", users, uses.left_off, "no uses found"));
    return h("aside", { class: "side", "aria-label": "Callers" }, ...lists);
  }

  private callees({ callees }: SymbolAnswer): HTMLElement {
    const items = callees.rows.map((callee) => {
      const calls = callee.calls === undefined ? null : h("span", { class: "quiet" }, ` ×${callee.calls}`);
      return nodeItem(this.route.file, callee, calls);
    });
    const list = nodeList("Callees", items, callees.left_off, "calls nothing");
    return h("aside", { class: "side", "aria-label": "Callees" }, list);
  }

  private showSource(): void {
    const answer = this.answer;
    if (answer === undefined) return;
    const { node, source, names = [], heat = [] } = answer;
    if (source === undefined) {
      fill(
        this.middle,
        h("p", { class: "quiet" }, "The graph has neither the source nor the code of this node."),
      );
      return;
    }
    const layer = heat.find(({ name }) => name === this.route.heat) ?? heat[0];
    const onName = (node: number): void => {
      location.hash = toNode({ file: this.route.file, node });
    };
    // A METHOD fills its source; another node is a line of it.
    const marked = node.label === "METHOD" ? undefined : node.line;
    showSource(this.middle, this.aboutSource(answer), {
      source: { marked, ...source },
      names,
      heat: layer,
      onName,
    });
  }

  private aboutSource({ source, heat = [], names_cut }: SymbolAnswer): HTMLElement {
    const isCode = source?.kind === "code";
    const note = isCode ? "CODE of the graph: varvite source add GRAPH DIR adds the files" : source?.path;
    const place = h("span", { class: "place" }, note);
    const names = names_cut === true ? h("span", { class: "more" }, "Not all names are links.") : null;
    const isPart = heat.some(({ is_cut }) => is_cut);
    const part = isPart ? h("span", { class: "more" }, "The values are sums of a part of the nodes.") : null;
    return h("div", { class: "tools" }, place, ...this.otherLines(source), this.layers(heat), names, part);
  }

  /** Buttons for the other lines of the file. */
  private otherLines(source: SymbolAnswer["source"]): HTMLElement[] {
    if (source === undefined) return [];
    const { first_line: first, lines, has_before, has_after, is_cut } = source;
    const button = (title: string, from: number): HTMLElement =>
      on(h("button", { type: "button" }, title), "click", () => {
        this.pressed = title;
        this.page.go({ ...this.route, first: Math.max(1, from) });
      });
    const before = has_before ? [button("Lines before", first - LINES)] : [];
    const after = has_after ? [button("Lines after", first + lines.length)] : [];
    const cut = is_cut ? [h("span", { class: "more" }, "The last line is cut.")] : [];
    return [...before, ...after, ...cut];
  }

  /** Gives the focus back to what was used: the choice, the button, or the other one at an end of the file. */
  private refocus(): void {
    if (this.pressed === MARGIN) this.middle.querySelector<HTMLElement>(".tools > select")?.focus();
    const buttons = [...this.middle.querySelectorAll<HTMLButtonElement>(".tools > button")];
    const pressed = buttons.find((button) => button.textContent === this.pressed);
    if (this.pressed !== "" && this.pressed !== MARGIN) (pressed ?? buttons[0])?.focus();
    this.pressed = "";
  }

  private layers(heat: Heat[]): HTMLElement | null {
    if (heat.length === 0) return null;
    const options = heat.map(({ name, layer }) =>
      h("option", { value: name, selected: name === this.route.heat }, `${name} of ${layer}`),
    );
    const choice = h("select", { "aria-label": "Values in the margin" }, ...options);
    return on(choice, "change", () => {
      this.pressed = MARGIN;
      this.page.go({ ...this.route, heat: choice.value });
    });
  }

  private draw(boxes = BOXES): void {
    const { file, node, tab, grown = [] } = this.route;
    this.boxes = boxes;
    this.tabs.mark(tab, this.panel);
    void this.drawing.ask({ file, node, view: tab, limit: boxes, grown });
  }

  /** The address of the drawing that has the neighbours of a node too. */
  private grown(node: number): string {
    return format({ ...this.route, grown: [...new Set([...(this.route.grown ?? []), node])] });
  }

  /** Draws fewer boxes if those of the budget have too many edges; returns whether it does. */
  private drawLess(error: unknown): boolean {
    const fewer = FEWER[this.boxes];
    if (fewer === undefined || !(error instanceof Refusal) || error.code !== "too_dense") return false;
    this.draw(fewer);
    return true;
  }

  /** The command draws no further neighbours of boxes. */
  private copy(): HTMLElement | null {
    const { file, node, tab: view, grown = [] } = this.route;
    const drawing = { node, view, limit: this.boxes };
    return grown.length > 0 ? null : copyCommand(this.page, { file, drawing });
  }

  private save(): HTMLElement {
    const { file, node, tab, grown = [] } = this.route;
    const limit = this.boxes;
    return download("Save as SVG", `${tab}-${node}.svg`, "image/svg+xml", async () => {
      const question = { file, node, view: tab, limit, grown, svg: true };
      const { answer } = await this.page.server.ask("drawing", question, new AbortController().signal);
      return answer.svg ?? "";
    });
  }
}

/** A link to the CALL, beside the METHOD that has it. */
function callSite(file: number, call: GraphNode & { method?: GraphNode }): HTMLElement | null {
  if (call.method === undefined) return null;
  return h("span", {}, " ", nodeLink(file, call, placeOf(call)));
}
