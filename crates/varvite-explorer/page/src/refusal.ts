// Says a failure in words: what happened, and what to do next.

import { h, on } from "./dom";
import { Refusal } from "./server";

/** Advice for codes of the server. */
const ADVICE: Record<string, string> = {
  gone: "It may have been stopped. Start varvite explore again, and open the address that it prints.",
  no_token:
    "Open the address that varvite explore printed; it works once. An open page can make another with “Copy link”.",
  stranger: "Open the page under the address that varvite explore printed.",
  replaced: "Another file has this name now. Reopen it to see its content.",
  missing: "Put the file back and reopen it, or start varvite explore with other files.",
  over_time: "Ask for less: a smaller part, fewer edges, or a lower limit.",
  over_memory: "Ask for less: a smaller part, fewer edges, or a lower limit.",
  too_dense: "Draw a smaller part: choose a node inside of it.",
  damaged: "Check the file with varvite verify.",
  indexing: "Names are found as soon as their index is made.",
  busy: "Other questions are running. Try again in a moment.",
  fault: "This is a fault of Varvite; please report the message.",
};

/** Codes of a file that is no longer the one that the server opened. */
const CHANGED = new Set(["replaced", "missing", "unreadable"]);

/** What a person can do about a failure. */
export interface Remedies {
  retry: () => void;
  /** Opens the changed file anew, and asks again. */
  reopen: () => void;
}

/** The message of a failure, with its advice, and a button for what can be done about it. */
export function alert(error: unknown, remedies?: Remedies): HTMLElement {
  const text = h("p", { class: "alert-message" }, message(error));
  const button = remedies === undefined ? null : remedy(error, remedies);
  return h("div", { class: "alert", role: "alert" }, text, advice(error), pointed(error), button);
}

/** One line for the status of the page. */
export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the page itself gave up the question. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

function advice(error: unknown): HTMLElement | null {
  const text = error instanceof Refusal ? ADVICE[error.code] : undefined;
  return text === undefined ? null : h("p", {}, text);
}

function pointed(error: unknown): HTMLElement | null {
  if (!(error instanceof Refusal) || error.pointed === "") return null;
  return h("pre", { class: "pointed", tabindex: 0, "aria-label": "Place of the fault" }, error.pointed);
}

function remedy(error: unknown, { retry, reopen }: Remedies): HTMLElement {
  const isChanged = error instanceof Refusal && CHANGED.has(error.code);
  const button = h("button", { type: "button" }, isChanged ? "Reopen the file" : "Try again");
  return on(button, "click", isChanged ? reopen : retry);
}
