// The open files, as the start of the search shows them.

import type { BrokenFile, Counted, FileInfo } from "./answers";
import { h } from "./dom";
import { counted, exact } from "./numbers";
import { format } from "./route";

export function isBroken(file: FileInfo | BrokenFile): file is BrokenFile {
  return "error" in file;
}

export function isOpen(file: FileInfo | BrokenFile): file is FileInfo {
  return !isBroken(file);
}

/** A summary of each file: its size, labels, layers. Each label leads to its nodes. */
export function fileSummaries(files: FileInfo[]): HTMLElement {
  return h("div", { class: "files" }, ...files.map(summary));
}

function summary(file: FileInfo): HTMLElement {
  const layers = file.layers.map((layer) => layer.name).join(", ");
  return h(
    "section",
    { class: "file", "aria-label": file.name },
    h("h2", {}, file.name),
    h("p", {}, `${counted(file.nodes, "node")}, ${counted(file.edges, "edge")}`),
    file.changed === undefined ? null : h("p", { class: "warning" }, file.changed),
    h("p", {}, file.has_sources ? "with sources" : "without sources: METHODs show their CODE"),
    layers === "" ? null : h("p", {}, `layers: ${layers}`),
    h("h3", {}, "Labels"),
    counts(file.labels, (label) => format({ view: "search", file: file.file, kind: "name", text: label })),
    h("h3", {}, "Edge labels"),
    counts(file.edge_labels),
  );
}

function counts(rows: Counted[], link?: (name: string) => string): HTMLElement {
  const items = rows.map(({ name, count }) => {
    const shown = link === undefined ? h("span", {}, name) : h("a", { href: link(name) }, name);
    return h("li", {}, shown, " ", h("span", { class: "quiet" }, exact(count)));
  });
  return h("ul", { class: "counts" }, ...items);
}
