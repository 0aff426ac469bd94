// Makes elements. This is the one door to the document: texts become text nodes, never markup, and attributes
// that run or load something are refused.

import { visible } from "./visible";

export type Child = Node | string | number | null | undefined | false;
type Value = string | number | boolean | null | undefined;
type Attributes = Record<string, Value>;

/** Attributes that the page sets, beside those of `aria-` and `data-`. `href` is checked on its own. */
const ALLOWED = new Set(
  `autocomplete checked class cols disabled download for height hidden id inputmode lang list max min multiple
  name open placeholder readonly role rows scope selected spellcheck tabindex title type value width wrap`.split(
    /\s+/,
  ),
);
/** Attributes that people read. */
const SHOWN = new Set(["title", "aria-label", "aria-valuetext", "placeholder"]);
/** Links lead to a state of this page, or to a file that the page has made. */
const LINK = /^(#|blob:)/;

/** Makes an element with attributes and children. Texts are shown with hidden characters as escapes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children.flatMap(shown));
  return element;
}

/** Sets attributes; `false`, `null` and `undefined` remove one. */
export function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(checked(name, String(value)), value === true ? "" : text(name, String(value)));
  }
}

/** Replaces the children of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.flatMap(shown));
}

/** Adds a listener and returns the element, so that calls can be nested. */
export function on<E extends HTMLElement, K extends keyof HTMLElementEventMap>(
  element: E,
  type: K,
  listener: (event: HTMLElementEventMap[K]) => void,
): E {
  element.addEventListener(type, listener);
  return element;
}

/** The value of an attribute; those that people read show hidden characters as escapes. */
function text(name: string, value: string): string {
  return SHOWN.has(name) ? visible(value) : value;
}

function shown(child: Child): (Node | string)[] {
  if (child === null || child === undefined || child === false) return [];
  return [child instanceof Node ? child : visible(String(child))];
}

function checked(name: string, value: string): string {
  const isPlain = ALLOWED.has(name) || /^(aria|data)-[a-z-]+$/.test(name);
  const isAllowed = name === "href" ? LINK.test(value) : isPlain;
  if (!isAllowed) throw new Error(`the page sets no attribute ${name}="${value}"`);
  return name;
}
