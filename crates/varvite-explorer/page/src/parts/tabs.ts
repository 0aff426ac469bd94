// A row of tabs: arrows move between them, as the pattern of WAI-ARIA says.

import { h, on, set } from "../dom";

export class Tabs<T extends string> {
  readonly element: HTMLElement;
  private readonly buttons: Map<T, HTMLButtonElement>;

  /** Tabs that name the part `panel`; `choose` is called with the tab that a person chose. */
  constructor(title: string, tabs: [T, string][], panel: HTMLElement, choose: (tab: T) => void) {
    this.buttons = new Map(
      tabs.map(([tab, name]) => {
        const button = h(
          "button",
          { type: "button", role: "tab", "aria-controls": panel.id, id: `tab-${tab}` },
          name,
        );
        return [tab, on(button, "click", () => choose(tab))];
      }),
    );
    this.element = h(
      "div",
      { role: "tablist", class: "tabs", "aria-label": title },
      ...this.buttons.values(),
    );
    on(this.element, "keydown", (event) => this.key(event));
    set(panel, { role: "tabpanel" });
  }

  /** Marks the tab that is shown. */
  mark(chosen: T, panel: HTMLElement): void {
    for (const [tab, button] of this.buttons) {
      set(button, { "aria-selected": tab === chosen ? "true" : "false", tabindex: tab === chosen ? 0 : -1 });
    }
    set(panel, { "aria-labelledby": `tab-${chosen}` });
  }

  private key(event: KeyboardEvent): void {
    const buttons = [...this.buttons.values()];
    const at = buttons.findIndex((button) => button === document.activeElement);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const button = buttons.at(to % buttons.length);
    button?.focus();
    button?.click();
  }
}
