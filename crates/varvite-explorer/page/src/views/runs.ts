// What ran on top of the code: the flame graph and the timeline of a layer, and two layers compared.

import type { Comparison, Found, InUse, LayerOfFile, Run, Timeline } from "../answers";
import { fill, h, on } from "../dom";
import { counted, exact } from "../numbers";
import { comparisonPane } from "../parts/comparison";
import { copyCommand } from "../parts/copy";
import { download } from "../parts/export";
import { flameFrame, type FlameState } from "../parts/flame";
import { Tabs } from "../parts/tabs";
import { inUseList, timelinePane } from "../parts/timeline";
import { message } from "../refusal";
import { methodText, type RunsRoute, type RunView, symbolOf } from "../route";
import { Refusal } from "../server";
import { Asked, fileChoice, type Page, type View } from "../view";

const TITLES: Record<RunView, string> = { flame: "Flame graph", timeline: "Timeline", compare: "Compare" };

export function runsView(page: Page, route: RunsRoute): View {
  const runs = new RunsPage(page, route);
  return {
    title: "Runs",
    element: runs.element,
    update: (next) => next.view === "runs" && runs.update(next),
    focus: () => runs.heading.focus(),
    close: () => runs.close(),
  };
}

class RunsPage {
  readonly element = h("div", { class: "runs" });
  readonly heading = h("h1", { tabindex: -1 }, "Runs");
  private readonly place = h("div", { class: "results" });
  private readonly panel = h("div", { class: "run-place", id: "run" });
  private readonly comparison = h("div", {});
  private readonly about = h("div", {});
  private readonly layers = h("select", { "aria-label": "Layer" });
  private readonly measures = h("select", { "aria-label": "Measure" });
  private readonly seconds = h("select", { "aria-label": "Compare with" });
  private readonly secondPlace = h("label", { class: "tools" }, "Compare with ", this.seconds);
  private readonly tabs: Tabs<RunView>;
  private readonly listed: Asked<"runs">;
  private readonly flame: Asked<"flame">;
  private readonly timeline: Asked<"timeline">;
  private readonly moment: Asked<"moment">;
  private readonly inUse = h("div", { class: "in-use" });
  private readonly compared: Asked<"compare">;
  private readonly named: Asked<"search">;
  private rows: Run[] = [];
  /** The name of the frame whose source is wanted. */
  private wanted = "";
  private closeFrame = (): void => undefined;

  constructor(
    private readonly page: Page,
    private route: RunsRoute,
  ) {
    const tabs = Object.entries(TITLES) as [RunView, string][];
    this.tabs = new Tabs("Views of the run", tabs, this.panel, (show) => page.go({ ...this.route, show }));
    this.listed = new Asked(page, "runs", this.place, ({ rows }) => {
      this.rows = rows;
      this.list();
    });
    on(this.layers, "change", () => this.chooseLayer());
    on(this.measures, "change", () => page.go({ ...this.unwidened(), measure: this.measures.value }));
    on(this.seconds, "change", () => this.chooseSecond());
    this.flame = new Asked(page, "flame", this.panel, ({ view, title }) => this.showFlame(view, title));
    this.timeline = new Asked(page, "timeline", this.panel, (answer) => this.showTimeline(answer));
    const inUse = (answer: InUse): void => fill(this.inUse, inUseList(this.route.file, answer));
    this.moment = new Asked(page, "moment", this.inUse, inUse, (error) => this.withoutEvents(error));
    this.compared = new Asked(page, "compare", this.comparison, (answer) => this.showComparison(answer));
    this.named = new Asked(page, "search", h("div", {}), (found) => this.open(found));
    fill(this.element, this.heading, this.place);
    void this.listed.ask({ file: route.file });
  }

  update(next: RunsRoute): boolean {
    if (next.file !== this.route.file) return false;
    this.route = next;
    this.list();
    return true;
  }

  close(): void {
    this.closeFrame();
    for (const asked of [this.listed, this.flame, this.timeline, this.moment, this.compared, this.named]) asked.stop();
  }

  /** Shows the state. What has the focus stays in its place, and the keys with it. */
  private list(): void {
    const run = this.run();
    if (run === undefined) {
      const text = "The file has no run: varvite import FILE --into GRAPH adds a profile or a trace.";
      fill(this.place, this.files(), h("p", {}, text));
      return this.page.say(text);
    }
    // A frame that moves within the page would load its document again, which the server gives once.
    if (!this.isComparing()) fill(this.panel);
    if (this.tabs.element.parentElement !== this.place) {
      const choices = h("div", { class: "tools" }, this.files(), this.layers, this.measures);
      fill(this.place, choices, this.about, this.tabs.element, this.panel);
    }
    this.fillChoices(run);
    fill(this.about, about(run), this.copy(run));
    this.tabs.mark(this.route.show, this.panel);
    this.show(run);
  }

  /** Whether the panel has the choice to compare with, which keeps the focus while it stays there. */
  private isComparing(): boolean {
    return this.route.show === "compare" && this.secondPlace.parentElement === this.panel;
  }

  private fillChoices(run: Run): void {
    const layers = this.rows.map(({ layer, kind }) => ({ value: layer, title: `${layer} (${kind})` }));
    setOptions(this.layers, layers, run.layer);
    const measures = run.measures.map(({ name, unit }) => {
      return { value: name, title: name === unit ? name : `${name} (${unit})` };
    });
    setOptions(this.measures, measures, this.measure(run));
  }

  /** The layer that the address names, or the first one. */
  private run(): Run | undefined {
    return this.rows.find(({ layer }) => layer === this.route.layer) ?? this.rows[0];
  }

  private show(run: Run): void {
    this.closeFrame();
    for (const asked of [this.flame, this.timeline, this.moment, this.compared]) asked.stop();
    const { file, show } = this.route;
    const { layer } = run;
    if (show === "flame") {
      if (run.has_flame === false)
        return this.without("A trace has no call stacks, so there is no flame graph.");
      void this.flame.ask({ file, layer, measure: this.measure(run) });
    } else if (show === "timeline") {
      if (!run.has_timeline) return this.without("The layer has no events, so there is no timeline.");
      void this.timeline.ask({ file, layer });
    } else {
      fill(this.comparison);
      this.fillSeconds();
      if (!this.isComparing()) fill(this.panel, this.secondPlace, this.comparison);
      const second = this.second();
      if (second !== undefined) {
        void this.compared.ask({ first: { file, layer }, second, measure: this.measure(run) });
      }
    }
  }

  private copy(run: Run): HTMLElement | null {
    const { file, show } = this.route;
    const second = this.second();
    if (run.kind === "trace" || (show === "compare" && second === undefined)) return null;
    const other = second === undefined || show !== "compare" ? {} : { second: second.layer, second_file: second.file };
    return copyCommand(this.page, { file, run: { show, layer: run.layer, measure: this.measure(run), ...other } });
  }

  private without(text: string): void {
    fill(this.panel, h("p", { class: "quiet" }, text));
  }

  private measure(run: Run): string | undefined {
    return run.measures.find(({ name }) => name === this.route.measure)?.name ?? run.default_measure;
  }

  private second(): LayerOfFile | undefined {
    const { second, second_file, file } = this.route;
    return second === undefined ? undefined : { layer: second, file: second_file ?? file };
  }

  private showTimeline(timeline: Timeline): void {
    const { ms } = this.route;
    fill(this.inUse);
    const place = { ms, choose: (chosen: number) => this.choose(chosen), inUse: this.inUse };
    fill(this.panel, timelinePane(timeline, place));
    if (ms !== undefined) this.choose(ms);
  }

  /** Shows the places whose memory is in use at a moment, and keeps the moment in the address. */
  private choose(ms: number): void {
    const layer = this.run()?.layer;
    if (layer === undefined) return;
    this.route = { ...this.route, layer, ms };
    this.page.go(this.route, "replace");
    void this.moment.ask({ file: this.route.file, layer, ms });
  }

  /** A layer that has only sums is no failure: the moment has its row. */
  private withoutEvents(error: unknown): boolean {
    if (!(error instanceof Refusal) || error.code !== "bad_question") return false;
    fill(this.inUse, h("p", { class: "quiet" }, message(error)));
    return true;
  }

  private showFlame(address: string, title: string): void {
    const flame = flameFrame(address, title, {
      state: this.route,
      open: (name, node) => {
        if (node !== null) this.page.go(symbolOf(this.route.file, node));
        else void this.named.ask({ file: this.route.file, text: methodText(name), limit: 2 });
        this.wanted = name;
      },
      changed: (state) => this.keep(state),
    });
    this.closeFrame = flame.close;
    const save = download("Save as SVG", "flame.svg", "image/svg+xml", flame.svg);
    fill(this.panel, h("div", { class: "tools" }, save), flame.element);
  }

  /** Keeps the state of the flame graph in the address, so that Back leads to it. */
  private keep({ frame, mark }: FlameState): void {
    const { frame: _, mark: __, ...rest } = this.route;
    this.route = {
      ...rest,
      ...(frame === undefined ? {} : { frame }),
      ...(mark === undefined ? {} : { mark }),
    };
    this.page.go(this.route, "replace");
  }

  /** Opens the METHOD that has the name of a frame. Without one, or with several, the search shows what there is. */
  private open({ rows }: Found): void {
    const exact = rows.filter(({ match }) => match === "exact");
    const [only] = exact;
    if (only !== undefined && exact.length === 1) return this.page.go(symbolOf(only.file, only.node));
    this.page.go({ view: "search", file: this.route.file, kind: "name", text: methodText(this.wanted) });
  }

  private showComparison(answer: Comparison): void {
    const second = this.route.second ?? "";
    const pane = comparisonPane(this.route.file, answer, [this.run()?.layer ?? "", second]);
    fill(this.comparison, pane);
    this.page.say(counted(answer.rows.length, "function"));
  }

  private files(): HTMLElement | null {
    const choice = fileChoice(this.page, this.route.file, false);
    if (choice === null) return null;
    const go = (): void => this.page.go({ view: "runs", file: Number(choice.value), show: this.route.show });
    return on(choice, "change", go);
  }

  /** The state without the widened frame: another measure has other frames. */
  private unwidened(): RunsRoute {
    const { frame: _, ...rest } = this.route;
    return rest;
  }

  /** The layers of all files, to compare with. */
  private fillSeconds(): void {
    const chosen = this.second();
    const profiles = this.page.files.flatMap((file) =>
      file.layers.filter(isProfile).map(({ name }) => ({ value: `${file.file} ${name}`, title: `${name} of ${file.name}` })),
    );
    const options = [{ value: "", title: "choose a layer" }, ...profiles];
    setOptions(this.seconds, options, chosen === undefined ? "" : `${chosen.file} ${chosen.layer}`);
  }

  private chooseLayer(): void {
    const { measure: _, frame: __, mark: ___, ...rest } = this.route;
    this.page.go({ ...rest, layer: this.layers.value });
  }

  private chooseSecond(): void {
    const [file, ...layer] = this.seconds.value.split(" ");
    const { second: _, second_file: __, ...rest } = this.route;
    const second = layer.length === 0 ? {} : { second: layer.join(" "), second_file: Number(file) };
    this.page.go({ ...rest, ...second });
  }
}

/** Sets the options of a choice. Options that are the same stay, so that keys and readers of screens do too. */
function setOptions(choice: HTMLSelectElement, options: { value: string; title: string }[], chosen?: string): void {
  const known = [...choice.options].map(({ value }) => value);
  if (known.join("\n") !== options.map(({ value }) => value).join("\n"))
    fill(choice, ...options.map(({ value, title }) => h("option", { value }, title)));
  choice.value = chosen ?? "";
}

/** Whether a layer holds a profile, which can be compared. */
function isProfile({ name }: { name: string }): boolean {
  return /^(heap|cpu)(\/|$)/.test(name);
}

function about(run: Run): HTMLElement {
  const totals = run.measures.map(({ name, total, unit }) => {
    return name === unit ? `${exact(total)} ${unit}` : `${name}: ${exact(total)} ${unit}`;
  });
  const time = run.runtime_ms === undefined ? null : h("p", {}, `run time ${exact(run.runtime_ms)} ms`);
  const command = run.command === undefined ? null : h("p", {}, h("code", {}, run.command));
  return h("div", { class: "about" }, command, h("p", { class: "quiet" }, totals.join(", ")), time);
}
