// "Copy as": the command, or the program in Rust, Java or Python, that asks what the page shows.

import type { CodeQuestion, Programs } from "../answers";
import { fill, h, on } from "../dom";
import { Asked, type Page } from "../view";

const LANGUAGES: Record<keyof Programs, string> = {
  command: "Command",
  rust: "Rust",
  java: "Java",
  python: "Python",
};

/** A part that opens, and then shows the programs with a button that copies each. */
export function copyAs(page: Page, question: CodeQuestion, title = "Copy as command, Rust, Java, Python"): HTMLElement {
  const place = h("div", { class: "programs" });
  const asked = new Asked(page, "code", place, (programs) => {
    const parts = Object.entries(LANGUAGES).map(([name, title]) => {
      const text = programs[name as keyof Programs];
      return text === undefined ? null : program(page, title, text);
    });
    fill(place, ...parts);
  });
  const details = h(
    "details",
    { class: "copy-as" },
    h("summary", {}, title),
    place,
  );
  return on(details, "toggle", () => {
    if (details.open && place.childElementCount === 0) void asked.ask(question);
  });
}

function program(page: Page, title: string, text: string): HTMLElement {
  const copy = h("button", { type: "button", "aria-label": `Copy the ${title} program` }, "Copy");
  on(copy, "click", () => {
    navigator.clipboard.writeText(text).then(
      () => page.say(`${title}: copied`),
      () => page.say("The browser does not let the page copy: select the text instead."),
    );
  });
  const code = h("pre", { tabindex: 0, "aria-label": title }, text);
  return h("section", {}, h("h3", {}, title, " ", copy), code);
}

/** The same for what only a command shows. */
export function copyCommand(page: Page, question: CodeQuestion): HTMLElement {
  return copyAs(page, question, "Copy as command");
}
