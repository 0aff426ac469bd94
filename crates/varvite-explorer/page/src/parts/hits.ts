// The results of a search as a list box: arrows move, Enter opens, and the text field keeps the focus.

import type { FileInfo, GraphNode } from "../answers";
import { fill, h, on, set } from "../dom";
import { labelBadge, placeOf, titleOf } from "./nodes";

export type Hit = GraphNode & { file: number };

export class Hits {
  private readonly list = h("ul", { class: "hits", role: "listbox", id: "hits", "aria-label": "Results" });
  private hits: Hit[] = [];
  private active = 0;

  constructor(
    private readonly field: HTMLInputElement,
    private readonly chosen: (hit: Hit) => void,
  ) {}

  /** Makes the field one that chooses from the list, or a plain one. */
  attach(isChoosing: boolean): void {
    set(this.field, {
      role: isChoosing ? "combobox" : null,
      "aria-controls": isChoosing ? "hits" : null,
      "aria-autocomplete": isChoosing ? "list" : null,
      "aria-expanded": isChoosing ? "false" : null,
      "aria-activedescendant": null,
    });
  }

  /** Shows results; the first is active. */
  show(hits: Hit[], files: FileInfo[]): HTMLElement {
    this.hits = hits;
    fill(this.list, ...hits.map((hit, index) => this.option(hit, index, files)));
    set(this.field, { "aria-expanded": hits.length > 0 ? "true" : "false" });
    this.move(0);
    return this.list;
  }

  clear(): void {
    this.hits = [];
    const isChoosing = this.field.getAttribute("role") === "combobox";
    set(this.field, { "aria-expanded": isChoosing ? "false" : null, "aria-activedescendant": null });
  }

  /** Opens the active result. */
  open(): void {
    this.choose(this.active);
  }

  /** Handles a key of the text field, and returns whether it meant the list. */
  key(event: KeyboardEvent): boolean {
    if (this.hits.length === 0) return false;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    const step = steps[event.key];
    if (step !== undefined) this.move(Math.min(Math.max(this.active + step, 0), this.hits.length - 1));
    else if (event.key === "Enter") this.open();
    else return false;
    return true;
  }

  private option(hit: Hit, index: number, files: FileInfo[]): HTMLElement {
    const name = h("span", { class: "hit-name" }, titleOf(hit));
    const full = hit.full_name === undefined ? null : h("span", { class: "quiet" }, hit.full_name);
    // Files that are not open have numbers too.
    const fileName = files.find(({ file }) => file === hit.file)?.name ?? "";
    const file = files.length < 2 ? null : h("span", { class: "quiet file-name" }, fileName);
    const place = h("span", { class: "place" }, placeOf(hit));
    const option = h("li", { role: "option", id: `hit-${index}` }, labelBadge(hit), name, full, file, place);
    return on(option, "click", () => this.choose(index));
  }

  private choose(index: number): void {
    const hit = this.hits[index];
    if (hit !== undefined) this.chosen(hit);
  }

  private move(index: number): void {
    this.active = index;
    for (const [position, option] of [...this.list.children].entries()) {
      set(option, { "aria-selected": position === index ? "true" : "false" });
    }
    const option = this.list.children[index];
    set(this.field, { "aria-activedescendant": option?.id ?? null });
    option?.scrollIntoView({ block: "nearest" });
  }
}
