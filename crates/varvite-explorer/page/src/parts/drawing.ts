// A drawing of nodes and edges as SVG, from the places that the server gives. Boxes are links to nodes.

import type { DrawnEdge, DrawnNode, Drawing } from "../answers";
import { fill, h, on, set } from "../dom";
import { exact } from "../numbers";
import { toNode } from "../route";
import { visible } from "../visible";

const SVG = "http://www.w3.org/2000/svg";
const LINE = 15;
const PADDING = 8;
const ZOOM_STEP = 1.25;
const ZOOM_MIN = 0.05;
const ZOOM_MAX = 4;

/** What a drawing is about, and where it leads. */
export interface DrawingPlace {
  file: number;
  current: number;
  /** The most boxes. */
  budget: number;
  /** The address of the same drawing with the neighbours of a node. */
  grow: (node: number) => string;
}

/** A drawing in a pane that scrolls: dragging and arrows move it, buttons and Ctrl with the wheel zoom. */
export function drawingPane(place: DrawingPlace, drawing: Drawing, save: HTMLElement): HTMLElement {
  const { current } = place;
  const svg = draw(place, drawing);
  const scroll = h("div", { class: "drawing", tabindex: 0, role: "group", "aria-label": drawing.title }, svg);
  const zoom = new Zoom(scroll, svg, drawing);
  drag(scroll);
  const start = drawing.nodes.find((node) => node.node === current) ?? drawing.nodes[0];
  if (start !== undefined) requestAnimationFrame(() => lookAt(scroll, start));
  const links = [...svg.querySelectorAll<SVGAElement>("a.node")];
  on(scroll, "keydown", (event) => moveFocus(event, links));
  const more =
    drawing.left_off === 0 ? null : h("span", { class: "stub" }, `+${exact(drawing.left_off)} more`);
  const size = h("span", { class: "quiet" }, `${exact(drawing.nodes.length)} nodes`);
  return h(
    "div",
    { class: "drawing-pane" },
    h("div", { class: "tools" }, ...zoom.buttons(), size, more, save),
    scroll,
  );
}

/** Scrolls to a box: to the middle of its row, a little below the edge. */
function lookAt(scroll: HTMLElement, { x, y, height }: DrawnNode): void {
  scroll.scrollLeft = x - scroll.clientWidth / 2;
  scroll.scrollTop = y - height - 2 * LINE;
}

function draw(place: DrawingPlace, drawing: Drawing): SVGSVGElement {
  const svg = s("svg", { viewBox: `0 0 ${drawing.width} ${drawing.height}` });
  const marker = s("marker", {
    id: "tip",
    viewBox: "0 0 8 8",
    refX: 8,
    refY: 4,
    markerWidth: 8,
    markerHeight: 8,
    orient: "auto",
  });
  marker.append(s("path", { class: "tip", d: "M0 0L8 4L0 8z" }));
  const defs = s("defs", {});
  defs.append(marker);
  svg.append(
    defs,
    ...drawing.edges.flatMap(edge),
    ...drawing.nodes.map((node) => box(place.file, node, node.node === place.current)),
    ...stubs(place, drawing),
  );
  return svg;
}

function edge({ points, label, text, text_x, text_y }: DrawnEdge): SVGElement[] {
  const [first, ...rest] = points;
  if (first === undefined) return [];
  const d = `M${first.join(" ")}${curve(rest)}`;
  const line = s("path", {
    class: `edge edge-${label.replaceAll(/[^A-Za-z_]/g, "")}`,
    d,
    "marker-end": "url(#tip)",
  });
  return text === "" ? [line] : [line, words("edge-text", text_x, text_y, text, "middle")];
}

/** A curve through the middles of the lines between points. */
function curve(points: [number, number][]): string {
  return points
    .map(([x, y], index) => {
      const next = points[index + 1];
      if (next === undefined) return `L${x} ${y}`;
      return index + 2 === points.length
        ? `Q${x} ${y} ${next[0]} ${next[1]}`
        : `Q${x} ${y} ${(x + next[0]) / 2} ${(y + next[1]) / 2}`;
    })
    .join("");
}

function box(file: number, node: DrawnNode, isCurrent: boolean): SVGElement {
  const left = node.x - node.width / 2;
  const top = node.y - node.height / 2;
  const link = s("a", { class: isCurrent ? "node current" : "node", "data-node": node.node });
  link.setAttribute("href", toNode({ file, node: node.node }));
  link.setAttribute("tabindex", "-1");
  link.append(
    s("rect", {
      class: `box label-${node.label.replaceAll(/[^A-Za-z_]/g, "")}`,
      x: left,
      y: top,
      width: node.width,
      height: node.height,
      rx: 3,
    }),
  );
  [node.heading, ...node.lines].forEach((line, index) => {
    link.append(
      words(index === 0 ? "head" : "code", left + PADDING, top + PADDING + LINE * (index + 0.75), line),
    );
  });
  return link;
}

/** A link at each box whose neighbours are not all drawn, unless there is no room for more boxes. */
function stubs({ budget, grow }: DrawingPlace, { nodes }: Drawing): SVGElement[] {
  if (nodes.length >= budget) return [];
  return nodes.filter(({ more }) => more > 0).map((node) => stub(node, grow(node.node)));
}

function stub(node: DrawnNode, address: string): SVGElement {
  const text = `+${exact(node.more)} more`;
  const width = text.length * 7 + PADDING;
  const [left, top] = [node.x + node.width / 2 - width / 2, node.y + node.height / 2 - LINE / 2];
  const link = s("a", { class: "grow", "data-grow": node.node });
  link.setAttribute("href", address);
  link.setAttribute("aria-label", `Draw ${text} beside ${visible(node.heading)}`);
  link.append(
    s("rect", { class: "grow-box", x: left, y: top, width, height: LINE, rx: 7 }),
    words("grow-text", left + width / 2, top + LINE * 0.75, text, "middle"),
  );
  return link;
}

function words(name: string, x: number, y: number, text: string, anchor = "start"): SVGElement {
  const element = s("text", { class: name, x, y, "text-anchor": anchor });
  // The space keeps lines apart in the name that readers of screens hear.
  element.textContent = `${visible(text)} `;
  return element;
}

/** Makes an element of SVG. Only numbers and words of this module become attributes. */
function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** The size at which a drawing is shown. */
class Zoom {
  private factor = 1;

  constructor(
    private readonly scroll: HTMLElement,
    private readonly svg: SVGSVGElement,
    private readonly drawing: Drawing,
  ) {
    this.to(1);
    scroll.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    on(scroll, "keydown", (event) => {
      if (hasModifier(event)) return;
      if (event.key === "+" || event.key === "=") this.by(ZOOM_STEP);
      if (event.key === "-") this.by(1 / ZOOM_STEP);
      if (event.key === "0") this.fit();
    });
  }

  buttons(): HTMLElement[] {
    const button = (name: string, title: string, press: () => void): HTMLElement =>
      on(h("button", { type: "button", "aria-label": title, title }, name), "click", press);
    return [
      button("−", "Smaller", () => this.by(1 / ZOOM_STEP)),
      button("+", "Larger", () => this.by(ZOOM_STEP)),
      button("Fit", "Fit into the pane", () => this.fit()),
      button("1:1", "1:1, full size", () => this.to(1)),
    ];
  }

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.by(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this.scroll;
    this.to(Math.min(clientWidth / this.drawing.width, clientHeight / this.drawing.height));
  }

  private by(factor: number): void {
    this.to(this.factor * factor);
  }

  /** Shows the drawing at a factor, with the middle of the pane where it was. */
  private to(factor: number): void {
    const next = Math.min(Math.max(factor, ZOOM_MIN), ZOOM_MAX);
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scroll;
    const grown = next / this.factor;
    this.factor = next;
    this.svg.setAttribute("width", String(Math.round(this.drawing.width * next)));
    this.svg.setAttribute("height", String(Math.round(this.drawing.height * next)));
    this.scroll.scrollLeft = (scrollLeft + clientWidth / 2) * grown - clientWidth / 2;
    this.scroll.scrollTop = (scrollTop + clientHeight / 2) * grown - clientHeight / 2;
  }
}

/** Lets a pointer pull the drawing. A press that does not move stays a click. */
function drag(scroll: HTMLElement): void {
  on(scroll, "pointerdown", (down) => {
    if (down.button !== 0 || down.pointerType !== "mouse") return;
    const { scrollLeft, scrollTop } = scroll;
    const move = (event: PointerEvent): void => {
      scroll.scrollLeft = scrollLeft + down.clientX - event.clientX;
      scroll.scrollTop = scrollTop + down.clientY - event.clientY;
    };
    const end = (event: PointerEvent): void => {
      scroll.removeEventListener("pointermove", move);
      const isPulled = Math.abs(down.clientX - event.clientX) + Math.abs(down.clientY - event.clientY) > 4;
      if (isPulled)
        scroll.addEventListener("click", (click) => click.preventDefault(), { once: true, capture: true });
    };
    scroll.addEventListener("pointermove", move);
    addEventListener("pointerup", end, { once: true });
  });
  on(scroll, "dragstart", (event) => event.preventDefault());
}

/** Keys with these are the browser's: Ctrl+P prints. */
function hasModifier({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}

/** `n` and `p` move the focus from box to box; Enter opens the box, as with every link. */
function moveFocus(event: KeyboardEvent, links: SVGAElement[]): void {
  const step = event.key === "n" ? 1 : event.key === "p" ? -1 : 0;
  if (step === 0 || links.length === 0 || hasModifier(event)) return;
  event.preventDefault();
  const at = links.findIndex((link) => link === document.activeElement);
  const next = links[Math.min(Math.max(at + step, 0), links.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The place of a drawing while none is shown. */
export function noDrawing(place: HTMLElement, text: string): void {
  set(place, { "aria-busy": null });
  fill(place, h("p", { class: "quiet" }, text));
}
