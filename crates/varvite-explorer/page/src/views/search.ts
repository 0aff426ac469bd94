// The search: names and places as you type, queries in the language of Joern, and plans.

import { counted } from "../numbers";
import type { Found } from "../answers";
import { fill, h, on } from "../dom";
import { fileSummaries } from "../files";
import { AnswerPane } from "../parts/answer";
import { type Hit, Hits } from "../parts/hits";
import { alert } from "../refusal";
import { format, type SearchKind, type SearchRoute, toNode } from "../route";
import { Refusal } from "../server";
import { Asked, fileChoice, type Page, reopen, type View } from "../view";

const KINDS: Record<SearchKind, string> = {
  name: "Names and places",
  ask: "Joern's language",
  plan: "Plan (JSON)",
};
const HINTS: Record<SearchKind, string> = {
  name: "inflate · inflate.c:500 · METHOD:inf · #17",
  ask: 'cpg.method.name("inflate").caller.l',
  plan: '{"version": 1, "steps": [..]}',
};
/** The pause between two keys after which a search is sent. Quick typing sends one search for several keys. */
const PAUSE_MS = 30;
const ROWS = 50;

export function searchView(page: Page, route: SearchRoute): View {
  const search = new Search(page, route);
  return {
    title: "Search",
    element: search.element,
    update: (next) => next.view === "search" && search.update(next),
    focus: () => search.focus(),
    close: () => search.close(),
  };
}

class Search {
  readonly element = h("div", { class: "search" });
  private readonly place = h("div", { class: "results" });
  private readonly line = h("input", { type: "search", autocomplete: "off", spellcheck: "false" });
  private readonly plan = h("textarea", { rows: 10, spellcheck: "false", "aria-label": "Plan in JSON" });
  private readonly hits: Hits;
  private readonly answer: AnswerPane;
  private readonly found: Asked<"search">;
  private timer = 0;
  /** Whether Enter was pressed before the results of the text came. */
  private isEnterWaiting = false;

  constructor(
    private readonly page: Page,
    private route: SearchRoute,
  ) {
    this.hits = new Hits(this.line, (hit) => {
      location.hash = toNode(hit);
    });
    this.answer = new AnswerPane(page, this.place);
    this.found = new Asked(page, "search", this.place, (found, ms) => this.show(found, ms));
    on(this.line, "input", () => this.typed(this.line.value));
    on(this.line, "keydown", (event) => this.key(event));
    on(this.plan, "keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.run();
    });
    this.build();
    this.ask();
  }

  update(next: SearchRoute): boolean {
    if (format(next) === format(this.route)) return true;
    this.route = next;
    this.build();
    this.ask();
    return true;
  }

  focus(): void {
    const field = this.field();
    field.focus();
    field.select();
  }

  private field(): HTMLInputElement | HTMLTextAreaElement {
    return this.route.kind === "plan" ? this.plan : this.line;
  }

  close(): void {
    clearTimeout(this.timer);
    this.found.stop();
    this.answer.close();
  }

  private build(): void {
    const { kind, text } = this.route;
    // The field loses the focus on its way into a new form.
    const hadFocus = this.element.contains(document.activeElement);
    const field = this.field();
    if (field.value !== text) field.value = text;
    this.line.setAttribute("aria-label", KINDS[kind]);
    this.hits.attach(kind === "name");
    field.placeholder = HINTS[kind];
    const run = h("button", { type: "submit" }, "Run");
    const form = h(
      "form",
      { role: "search" },
      this.kinds(),
      this.files(),
      field,
      kind === "name" ? null : run,
    );
    on(form, "submit", (event) => {
      event.preventDefault();
      this.run();
    });
    fill(this.element, h("h1", { class: "hidden" }, "Search"), form, this.place);
    if (hadFocus) field.focus();
  }

  private kinds(): HTMLElement {
    const options = Object.entries(KINDS).map(([kind, title]) =>
      h("option", { value: kind, selected: kind === this.route.kind }, title),
    );
    const choice = h("select", { name: "kind", "aria-label": "What the text is" }, ...options);
    return on(choice, "change", () => this.change({ ...this.route, kind: choice.value as SearchKind }));
  }

  private files(): HTMLElement | null {
    const choice = fileChoice(this.page, this.route.file, this.route.kind === "name");
    if (choice === null) return null;
    return on(choice, "change", () => {
      const { file: _, ...rest } = this.route;
      this.change(choice.value === "" ? rest : { ...rest, file: Number(choice.value) });
    });
  }

  private change(route: SearchRoute): void {
    this.route = route;
    this.page.go(route, "replace");
    this.build();
    this.field().focus();
    this.ask();
  }

  private typed(text: string): void {
    this.route = { ...this.route, text };
    this.isEnterWaiting = false;
    if (this.route.kind !== "name") return;
    clearTimeout(this.timer);
    // Results of the text before must not come now: Enter would open one of them.
    this.found.stop();
    this.hits.clear();
    this.timer = setTimeout(() => {
      this.page.go(this.route, "replace");
      this.ask();
    }, PAUSE_MS);
  }

  private key(event: KeyboardEvent): void {
    if (this.route.kind === "name" && this.hits.key(event)) event.preventDefault();
  }

  /** Runs a query or plan, as a state of its own in the history. */
  private run(): void {
    if (this.route.kind === "name") {
      this.isEnterWaiting = true;
      return;
    }
    const text = this.route.kind === "plan" ? this.plan.value : this.line.value;
    this.route = { ...this.route, text };
    this.page.go(this.route);
    this.ask();
  }

  private ask(): void {
    const { kind, text, file } = this.route;
    this.found.stop();
    this.answer.close();
    this.hits.clear();
    if (text.trim() === "") fill(this.place, fileSummaries(this.page.files));
    else if (kind === "ask") this.answer.ask(file ?? 0, text);
    else if (kind === "plan") this.askPlan(file ?? 0, text);
    else void this.found.ask({ text, limit: ROWS, ...(file === undefined ? {} : { file }) });
  }

  private askPlan(file: number, text: string): void {
    try {
      this.answer.plan(file, JSON.parse(text));
    } catch (error) {
      fill(this.place, alert(new Error(`The plan is not JSON: ${(error as Error).message}`)));
    }
  }

  private show(found: Found, milliseconds: number): void {
    if (found.hint !== null) return this.change({ ...this.route, kind: found.hint });
    const hits: Hit[] = found.rows;
    const more = found.more ? ", and more" : "";
    const summary = `${counted(hits.length, "result")}${more}, ${milliseconds.toFixed(1)} ms`;
    const skipped = (found.skipped ?? []).map(({ file, message }) => this.skipped(file, message));
    const line = h("p", { class: "summary" }, summary);
    fill(this.place, ...skipped, line, this.hits.show(hits, this.page.files));
    this.page.say(hits.length === 0 ? "nothing found" : summary);
    if (this.isEnterWaiting) this.hits.open();
  }

  /** Says why a file was not searched. */
  private skipped(file: number, message: string): HTMLElement {
    const retry = (): void => this.ask();
    return alert(new Refusal("missing", message), {
      retry,
      reopen: () => void reopen(this.page, [file]),
    });
  }
}
