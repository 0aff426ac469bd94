// Nodes as links and lists: the name, the label, the place.

import type { GraphNode } from "../answers";
import { type Child, h } from "../dom";
import { toNode } from "../route";

/** The text that stands for a node: its name, or its code. */
export function titleOf(node: GraphNode): string {
  return node.name ?? node.code ?? `#${node.node}`;
}

/** The place of a node, such as `inflate.c:500`. */
export function placeOf(node: { path?: string | undefined; line?: number | undefined }): string {
  if (node.path === undefined) return node.line === undefined ? "" : `line ${node.line}`;
  return node.line === undefined ? node.path : `${node.path}:${node.line}`;
}

/** A link to a node's page. */
export function nodeLink(file: number, node: GraphNode, text = titleOf(node)): HTMLAnchorElement {
  return h("a", { class: "node-link", href: toNode({ file, node: node.node }), title: node.full_name }, text);
}

export function labelBadge(node: GraphNode): HTMLElement {
  return h("span", { class: "label" }, node.label);
}

/** A list of nodes that says how many it leaves out. */
export function nodeList(title: string, items: HTMLElement[], leftOff: number, empty: string): HTMLElement {
  const id = `list-${title.toLowerCase().replaceAll(" ", "-")}`;
  const list = items.length === 0 ? h("p", { class: "quiet" }, empty) : h("ul", { class: "nodes" }, ...items);
  const more = leftOff === 0 ? null : h("p", { class: "more" }, `+${leftOff.toLocaleString("en-US")} more`);
  const count = items.length === 0 ? null : h("span", { class: "count" }, ` ${items.length + leftOff}`);
  return h(
    "section",
    { class: "node-list", "aria-labelledby": id },
    h("h2", { id }, title, count),
    list,
    more,
  );
}

/** A node as a row of a list, with further texts under its name. */
export function nodeItem(file: number, node: GraphNode, ...below: Child[]): HTMLElement {
  const place = h("span", { class: "place" }, placeOf(node));
  return h("li", {}, nodeLink(file, node), " ", place, ...below);
}
