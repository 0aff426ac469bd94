// The flame graph of a layer: a document of its own in a frame that can run its own script, and nothing else.
// Page and frame send each other messages; each side checks what the other one sends.

import { h } from "../dom";
import { chosenTheme, onTheme } from "../theme";

/** The widened frame, and the text that marks functions. */
export interface FlameState {
  frame?: number | undefined;
  mark?: string | undefined;
}

/** What the page does when a person works in the flame graph. */
export interface FlameUse {
  /** The state to begin with. */
  state: FlameState;
  /** Is called with a function whose source a person wants to see, and its METHOD if there is exactly one. */
  open: (name: string, node: number | null) => void;
  /** Is called when a person widens a frame, or marks functions. */
  changed: (state: FlameState) => void;
}

export interface FlameFrame {
  element: HTMLElement;
  /** The drawing as it is shown. */
  svg: () => Promise<string>;
  /** Stops listening to the frame. */
  close: () => void;
}

type Message =
  | { varvite: "ready" }
  | { varvite: "frame"; function: string; node: number | null }
  | { varvite: "state"; frame: number | null; mark: string }
  | { varvite: "svg"; text: string };

const VIEW = /^\/view\/[A-Za-z0-9_-]+$/;
const SVG_MS = 10_000;

/** A frame with the document at `address`. */
export function flameFrame(address: string, title: string, { state, open, changed }: FlameUse): FlameFrame {
  if (!VIEW.test(address)) throw new Error(`the server gave no address of a view: ${address}`);
  const frame = h("iframe", { class: "flame", title });
  frame.setAttribute("sandbox", "allow-scripts");
  frame.setAttribute("src", address);
  let shown = state;
  let saved = (_: string): void => undefined;
  const send = (message: object): void => frame.contentWindow?.postMessage(message, "*");
  const show = (): void => send({ varvite: "show", ...shown, theme: chosenTheme() });
  const listener = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== frame.contentWindow || !isMessage(data)) return;
    if (data.varvite === "ready") show();
    else if (data.varvite === "frame") open(data.function, data.node);
    else if (data.varvite === "svg") saved(data.text);
    else changed((shown = { frame: data.frame ?? undefined, mark: data.mark === "" ? undefined : data.mark }));
  };
  addEventListener("message", listener);
  const closeTheme = onTheme(show);
  const svg = (): Promise<string> =>
    new Promise((done, fail) => {
      saved = done;
      setTimeout(() => fail(new Error("The flame graph does not answer.")), SVG_MS);
      send({ varvite: "save" });
    });
  const close = (): void => {
    removeEventListener("message", listener);
    closeTheme();
  };
  return { element: frame, svg, close };
}

function isMessage(data: unknown): data is Message {
  if (typeof data !== "object" || data === null) return false;
  const message = data as Record<string, unknown>;
  const isNumber = (value: unknown): boolean => value === null || (Number.isSafeInteger(value) && Number(value) >= 0);
  switch (message["varvite"]) {
    case "ready":
      return true;
    case "frame":
      return typeof message["function"] === "string" && isNumber(message["node"]);
    case "state":
      return typeof message["mark"] === "string" && isNumber(message["frame"]);
    case "svg":
      return typeof message["text"] === "string";
    default:
      return false;
  }
}
