// The form of the paths: both ends, with names to choose from, and the edges to follow.

import type { Found, GraphNode } from "../answers";
import { fill, h, on } from "../dom";
import { DIRECTIONS, type Direction, type PathsRoute } from "../route";
import { Asked, fileChoice, fileOf, type Page } from "../view";
import { visible } from "../visible";

const NAMES = 20;
const PAUSE_MS = 60;
const DIRECTION_TITLES: Record<Direction, string> = { out: "forward", in: "backward", both: "both ways" };

export class PathsForm {
  readonly element = h("form", { class: "paths-form", "aria-label": "Paths" });
  private readonly from: NodeField;
  private readonly to: NodeField;

  constructor(
    private readonly page: Page,
    private route: PathsRoute,
    submit: (route: PathsRoute) => void,
  ) {
    const file = (): number => this.route.file;
    this.from = new NodeField(page, "From", "from", file);
    this.to = new NodeField(page, "To", "to", file);
    on(this.element, "submit", (event) => {
      event.preventDefault();
      submit(this.read());
    });
    this.show(route);
  }

  /** Shows the fields of a state. */
  show(route: PathsRoute): void {
    this.route = route;
    this.from.input.value = route.from;
    this.to.input.value = route.to;
    const find = h("button", { type: "submit" }, "Find paths");
    fill(this.element, this.files(), this.from.element, this.to.element, find, this.edges());
  }

  focus(): void {
    const field = this.from.input.value === "" ? this.from : this.to;
    field.input.focus();
  }

  close(): void {
    this.from.close();
    this.to.close();
  }

  private read(): PathsRoute {
    const data = new FormData(this.element);
    const ways = data.getAll("along").map(String);
    return {
      ...this.route,
      from: this.from.input.value.trim(),
      to: this.to.input.value.trim(),
      along: ways,
      direction: DIRECTIONS.find((one) => one === data.get("direction")) ?? "out",
      flow: data.get("follow") === "flow",
      path: 0,
      step: 0,
    };
  }

  private files(): HTMLElement | null {
    const choice = fileChoice(this.page, this.route.file, false);
    if (choice === null) return null;
    return on(choice, "change", () => this.show({ ...this.read(), file: Number(choice.value), along: [] }));
  }

  private edges(): HTMLElement {
    const { along, flow } = this.route;
    const open = fileOf(this.page, this.route.file);
    const radio = (value: string, title: string, isChecked: boolean, disabled = false): HTMLElement => {
      const input = h("input", { type: "radio", name: "follow", value, checked: isChecked, disabled });
      return h("label", {}, input, ` ${title}`);
    };
    const labels = open?.edge_labels ?? [];
    const flows = "flow of values within a function (REACHING_DEF)";
    const lacks = open?.has_flows === false;
    const boxes = labels.map(({ name }) => {
      const input = h("input", {
        type: "checkbox",
        name: "along",
        value: name,
        checked: along.includes(name),
      });
      return h("label", {}, input, ` ${name}`);
    });
    const chosen = h("details", { open: along.length > 0 }, h("summary", {}, "Other edges"), ...boxes);
    return h(
      "fieldset",
      {},
      h("legend", {}, "Follow"),
      radio("edges", "calls, or the edges below", !flow),
      radio("flow", lacks ? `${flows}: the graph has none` : flows, flow, lacks),
      this.directions(),
      chosen,
    );
  }

  private directions(): HTMLElement {
    const options = DIRECTIONS.map((direction) =>
      h(
        "option",
        { value: direction, selected: direction === this.route.direction },
        DIRECTION_TITLES[direction],
      ),
    );
    return h("select", { name: "direction", "aria-label": "Direction" }, ...options);
  }
}

/** A field for a node, with the names that the search finds for what is typed. */
class NodeField {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  private readonly names: HTMLDataListElement;
  private readonly found: Asked<"search">;
  private timer = 0;

  constructor(page: Page, title: string, name: string, file: () => number) {
    const list = `${name}-names`;
    this.names = h("datalist", { id: list });
    this.input = h("input", {
      name,
      list,
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "inflate · inflate.c:500 · CALL:inflate.c:917",
    });
    this.element = h("label", { class: "node-field" }, `${title} `, this.input, this.names);
    this.found = new Asked(page, "search", this.names, (found) => this.suggest(found));
    on(this.input, "input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(
        () => void this.found.ask({ file: file(), text: this.input.value, limit: NAMES }),
        PAUSE_MS,
      );
    });
  }

  close(): void {
    clearTimeout(this.timer);
    this.found.stop();
  }

  private suggest({ rows }: Found): void {
    fill(this.names, ...rows.map((row) => h("option", { value: wordFor(row) }, row.label)));
  }
}

/** The text that names a node in a question; its number if the name has characters that people do not see. */
function wordFor(row: GraphNode): string {
  const name = row.full_name ?? row.name;
  if (name === undefined || visible(name) !== name) return `#${row.node}`;
  return row.label === "METHOD" ? name : `${row.label}:${row.name}`;
}
