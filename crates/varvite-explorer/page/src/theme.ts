// Light and dark: as the system says, unless the button chose one for this browser.

import { fill, h, on } from "./dom";

const KEPT = "varvite-theme";
const CHOICES = ["system", "light", "dark"] as const;
type Choice = (typeof CHOICES)[number];

const listeners = new Set<() => void>();

/** The colours that are chosen now. */
export function chosenTheme(): string {
  return document.documentElement.dataset["theme"] ?? "system";
}

/** Calls a function after each choice, until the function that is returned is called. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** A button that goes from one choice to the next. */
export function themeButton(): HTMLElement {
  const button = h("button", { type: "button", title: "Colours: as the system says, light, or dark" });
  let choice = kept();
  const show = (): void => {
    document.documentElement.dataset["theme"] = choice;
    fill(button, `Colours: ${choice}`);
  };
  show();
  return on(button, "click", () => {
    choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length] ?? "system";
    localStorage.setItem(KEPT, choice);
    show();
    for (const listener of listeners) listener();
  });
}

function kept(): Choice {
  const text = localStorage.getItem(KEPT);
  return CHOICES.find((choice) => choice === text) ?? "system";
}
