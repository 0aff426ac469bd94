// Light and dark: as the system says, unless the button chose one for this browser.

import { fill, h, on } from "./dom";

const KEPT = "varvite-theme";
const CHOICES = ["system", "light", "dark"] as const;
type Choice = (typeof CHOICES)[number];

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
  });
}

function kept(): Choice {
  const text = localStorage.getItem(KEPT);
  return CHOICES.find((choice) => choice === text) ?? "system";
}
