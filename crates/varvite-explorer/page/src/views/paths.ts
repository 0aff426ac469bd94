// Paths from one node to another, along chosen edges or the flow of values, step by step through the source.

import type { PathQuestion, Paths, Step } from "../answers";
import { fill, h, on, set } from "../dom";
import { counted, exact } from "../numbers";
import { copyCommand } from "../parts/copy";
import { csv, download } from "../parts/export";
import { labelBadge, nodeLink, placeOf, titleOf } from "../parts/nodes";
import { PathsForm } from "../parts/paths_form";
import { showSource } from "../parts/source_place";
import { format, type PathsRoute, toNode } from "../route";
import { Asked, type Page, type View } from "../view";

const PATHS = 20;

export function pathsView(page: Page, route: PathsRoute): View {
  const paths = new PathsPage(page, route);
  return {
    title: "Paths",
    element: paths.element,
    update: (next) => next.view === "paths" && paths.update(next),
    focus: () => paths.focus(),
    close: () => paths.close(),
  };
}

class PathsPage {
  readonly element = h("div", { class: "paths" });
  private readonly form: PathsForm;
  private readonly place = h("div", { class: "results" });
  private readonly steps = h("ol", { class: "steps", "aria-label": "Steps" });
  private readonly source = h("div", { class: "source-place" });
  private readonly asked: Asked<"paths">;
  private readonly symbol: Asked<"symbol">;
  private found: Paths | undefined;

  constructor(
    private readonly page: Page,
    private route: PathsRoute,
  ) {
    this.form = new PathsForm(page, route, (next) => this.submit(next));
    this.asked = new Asked(page, "paths", this.place, (paths) => this.show(paths));
    this.symbol = new Asked(page, "symbol", this.source, ({ node, source, names = [], heat = [] }) => {
      if (source === undefined)
        return fill(this.source, h("p", { class: "quiet" }, "This step has no source."));
      const onName = (node: number): void => {
        location.hash = toNode({ file: this.route.file, node });
      };
      const head = h("div", { class: "tools" }, h("span", { class: "place" }, source.path));
      showSource(this.source, head, {
        source: { marked: node.line, ...source },
        names,
        heat: heat[0],
        onName,
      });
    });
    fill(this.element, h("h1", {}, "Paths"), this.form.element, this.place);
    this.ask();
  }

  /** A change of the step keeps the paths; any other change is another question. */
  update(next: PathsRoute): boolean {
    const isSame = question(next) === question(this.route);
    this.route = next;
    if (isSame) {
      this.showPath();
      return true;
    }
    this.form.show(next);
    this.ask();
    return true;
  }

  focus(): void {
    this.form.focus();
  }

  close(): void {
    this.form.close();
    this.asked.stop();
    this.symbol.stop();
  }

  /** Asks the question of the form, again if it is the one that is shown. */
  private submit(next: PathsRoute): void {
    if (format(next) === format(this.route)) this.ask();
    else this.page.go(next);
  }

  private ask(): void {
    const { from, to } = this.route;
    fill(this.place);
    if (from.trim() !== "" && to.trim() !== "") void this.asked.ask(this.question());
  }

  private question(): PathQuestion & { from: string; to: string } {
    const { file, from, to, along, direction, flow } = this.route;
    const ways = flow ? { flow } : { direction, ...(along.length === 0 ? {} : { along }) };
    return { file, from, to, limit: PATHS, ...ways };
  }

  private copy(): HTMLElement {
    const { file, ...path } = this.question();
    return copyCommand(this.page, { file, path });
  }

  private show(found: Paths): void {
    this.found = found;
    const { paths, seen } = found;
    if (paths.length === 0) {
      const text = `No path was found: the search visited ${counted(seen, "node")}.`;
      const calls = "Flows into the functions that are called are not followed: follow calls, or ask in Joern's language.";
      fill(this.place, h("p", {}, text), this.route.flow ? h("p", {}, calls) : null);
      return this.page.say(text);
    }
    const summary = `${counted(paths.length, "path")} of ${counted(found.length ?? 0, "edge")}${found.more ? ", and more" : ""}, ${exact(seen)} nodes visited`;
    const save = download("Save as CSV", "paths.csv", "text/csv", () => this.csv());
    const tools = h("div", { class: "tools" }, h("span", { class: "summary" }, summary), this.choice(), save);
    const left = h("div", {}, this.moves(), this.steps);
    fill(this.place, tools, this.copy(), h("div", { class: "path-body" }, left, this.source));
    this.page.say(summary);
    this.showPath();
  }

  /** Chooses among several shortest paths. */
  private choice(): HTMLElement | null {
    const { paths } = this.found ?? { paths: [] };
    if (paths.length < 2) return null;
    const options = paths.map((_, index) =>
      h(
        "option",
        { value: index, selected: index === this.route.path },
        `path ${index + 1} of ${paths.length}`,
      ),
    );
    const choice = h("select", { "aria-label": "Path" }, ...options);
    return on(choice, "change", () => this.page.go({ ...this.route, path: Number(choice.value), step: 0 }));
  }

  private moves(): HTMLElement {
    const move = (title: string, by: number): HTMLElement =>
      on(h("button", { type: "button" }, title), "click", () => this.move(by));
    return h("div", { class: "tools" }, move("Previous step", -1), move("Next step", 1));
  }

  private move(by: number): void {
    const step = this.route.step + by;
    if (step >= 0 && step < this.rows().length) this.page.go({ ...this.route, step });
  }

  private rows(): Step[] {
    return this.found?.paths[this.route.path]?.rows ?? [];
  }

  private showPath(): void {
    const rows = this.rows();
    const left = this.found?.paths[this.route.path]?.left_off ?? 0;
    const more = left === 0 ? null : h("li", { class: "more" }, `+${exact(left)} more steps, which are not shown`);
    fill(this.steps, ...rows.map((row, index) => this.step(row, index)), more);
    const step = rows[this.route.step];
    if (step === undefined) return;
    this.steps.children[this.route.step]?.scrollIntoView({ block: "nearest" });
    this.page.say(`step ${this.route.step + 1} of ${rows.length}: ${titleOf(step)} ${placeOf(step)}`);
    void this.symbol.ask({ file: this.route.file, node: step.node });
  }

  private step(row: Step, index: number): HTMLElement {
    const arrow = row.edge === undefined ? null : h("div", { class: "edge-name" }, arrowOf(row));
    const link = h("a", { class: "step", href: format({ ...this.route, step: index }) }, titleOf(row));
    set(link, { "aria-current": index === this.route.step ? "step" : null });
    const inside =
      row.method === undefined || row.method.node === row.node ? null : ` in ${titleOf(row.method)}`;
    const text = row.text === undefined ? null : h("pre", { class: "quiet" }, row.text.trim());
    const open = nodeLink(this.route.file, row, "open");
    open.setAttribute("aria-label", `open step ${index + 1}`);
    const place = h("span", { class: "place" }, placeOf(row), inside);
    return h("li", {}, arrow, labelBadge(row), " ", link, " ", place, " ", open, text);
  }

  private csv(): string {
    const columns = ["path", "step", "edge", "node", "label", "name", "place", "code"];
    const rows = (this.found?.paths ?? []).flatMap(({ rows }, path) =>
      rows.map((row, step) => {
        const { edge = "", node, label, name = "", code = "" } = row;
        return [path + 1, step + 1, edge, node, label, name, placeOf(row), code];
      }),
    );
    return csv(columns, rows);
  }
}

function arrowOf({ edge, direction }: Step): string {
  return direction === "in" ? `↑ ${edge} (backward)` : `↓ ${edge}`;
}

/** What a state asks, apart from the step that is shown. */
function question({ step: _, path: __, ...rest }: PathsRoute): string {
  return JSON.stringify(rest);
}
