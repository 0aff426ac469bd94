// The flame graph of a layer: a document of its own in a frame that can run its own script, and nothing else.

import { h } from "../dom";

/** What the frame says when a person chooses a function. */
interface Chosen {
  varvite: "frame";
  function: string;
  node: number | null;
}

const VIEW = /^\/view\/[A-Za-z0-9_-]+$/;

/** A frame with the document at `address`, and a function that stops listening to it. */
export function flameFrame(
  address: string,
  title: string,
  choose: (name: string, node: number | null) => void,
): { element: HTMLElement; close: () => void } {
  if (!VIEW.test(address)) throw new Error(`the server gave no address of a view: ${address}`);
  const frame = h("iframe", { class: "flame", title });
  frame.setAttribute("sandbox", "allow-scripts");
  frame.setAttribute("src", address);
  const listener = (event: MessageEvent<unknown>): void => {
    if (event.source !== frame.contentWindow || !isChosen(event.data)) return;
    choose(event.data.function, event.data.node);
  };
  addEventListener("message", listener);
  return { element: frame, close: () => removeEventListener("message", listener) };
}

function isChosen(data: unknown): data is Chosen {
  if (typeof data !== "object" || data === null) return false;
  const { varvite, node, function: name } = data as Partial<Chosen>;
  const isNode = node === null || (Number.isSafeInteger(node) && (node ?? -1) >= 0);
  return varvite === "frame" && typeof name === "string" && isNode;
}
