// The state of the page as the fragment of its address, such as `#/symbol?file=0&node=17&tab=cfg`.

export const TABS = ["ast", "cfg", "ddg", "pdg", "dominators", "calls"] as const;
export type Tab = (typeof TABS)[number];

export const SEARCH_KINDS = ["name", "ask", "plan"] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export const RUN_VIEWS = ["flame", "timeline", "compare"] as const;
export type RunView = (typeof RUN_VIEWS)[number];

export const DIRECTIONS = ["out", "in", "both"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Stands for a number that an address should have and does not. */
export const NO_NUMBER = -1;

export interface SearchRoute {
  view: "search";
  /** The file to search, or all. */
  file?: number;
  kind: SearchKind;
  text: string;
}

export interface SymbolRoute {
  view: "symbol";
  file: number;
  node: number;
  tab: Tab;
  /** The layer whose values the margin shows. */
  heat?: string;
  /** The first line of the file that is shown, if it is not that of the node. */
  first?: number;
  /** Nodes of the drawing whose neighbours are drawn too. */
  grown?: number[];
}

export interface PathsRoute {
  view: "paths";
  file: number;
  from: string;
  to: string;
  /** Labels of edges to follow; none follows calls. */
  along: string[];
  direction: Direction;
  /** Follow values instead of labels. */
  flow: boolean;
  /** Which of the paths found, and which of its steps. */
  path: number;
  step: number;
}

export interface RunsRoute {
  view: "runs";
  file: number;
  layer?: string;
  show: RunView;
  measure?: string;
  /** The layer to compare with, and its file. */
  second?: string;
  second_file?: number;
  /** The moment of the timeline that is shown, in milliseconds. */
  ms?: number;
  /** The frame of the flame graph that is widened, and the text that marks functions in it. */
  frame?: number;
  mark?: string;
}

export type Route = SearchRoute | SymbolRoute | PathsRoute | RunsRoute;

/** The address of the start: an empty search. */
export const START: SearchRoute = { view: "search", kind: "name", text: "" };

/** Reads a fragment. A fragment that names no state leads to the start. */
export function parse(fragment: string): Route {
  const [view, query] = fragment.replace(/^#\/?/, "").split("?", 2);
  const fields = new URLSearchParams(query ?? "");
  switch (view) {
    case "search":
      return search(fields);
    case "symbol":
      return symbol(fields);
    case "paths":
      return paths(fields);
    case "runs":
      return runs(fields);
    default:
      return START;
  }
}

/** Writes the fragment of a state. */
export function format(route: Route): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(route)) {
    if (name === "view" || value === undefined || value === "" || value === false) continue;
    for (const one of Array.isArray(value) ? value : [value]) fields.append(name, String(one));
  }
  const query = fields.toString();
  return `#/${route.view}${query === "" ? "" : `?${query}`}`;
}

/** What an address says of the graph that its numbers belong to: its identity, and the name of the METHOD. */
export interface Stamp {
  graph?: string | undefined;
  name?: string | undefined;
}

/** The stamp of a fragment. */
export function stampOf(fragment: string): Stamp {
  const fields = new URLSearchParams(fragment.split("?", 2)[1] ?? "");
  return { graph: fields.get("graph") ?? undefined, name: fields.get("name") ?? undefined };
}

/** The fragment of a state with a stamp. */
export function stamped(route: Route, { graph, name }: Stamp): string {
  const fields = new URLSearchParams();
  if (name !== undefined) fields.set("name", name);
  if (graph !== undefined) fields.set("graph", graph);
  const [address, more] = [format(route), fields.toString()];
  return more === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${more}`;
}

/** Whether a state has numbers of nodes or frames, which mean something in one graph alone. */
export function hasNumbers(route: Route): boolean {
  if (route.view === "paths") return [route.from, route.to].some((end) => /^#?\d+$/.test(end));
  return route.view === "symbol" || (route.view === "runs" && route.frame !== undefined);
}

/** The state that asks for paths from a node. */
export function pathsFrom(file: number, node: number): PathsRoute {
  const from = String(node);
  return { view: "paths", file, from, to: "", along: [], direction: "out", flow: false, path: 0, step: 0 };
}

/** The state that shows a node. */
export function symbolOf(file: number, node: number): SymbolRoute {
  return { view: "symbol", file, node, tab: "cfg" };
}

/** The fragment of a node's page. */
export function toNode({ file, node }: { file: number; node: number }): string {
  return format(symbolOf(file, node));
}

/** The text that finds a METHOD by its name. */
export function methodText(name: string): string {
  return `METHOD:${name}`;
}

function search(fields: URLSearchParams): SearchRoute {
  const text = fields.get("text") ?? "";
  const route: SearchRoute = { view: "search", kind: one(SEARCH_KINDS, fields.get("kind")), text };
  return fields.has("file") ? { ...route, file: numberIn(fields, "file", 0) } : route;
}

function symbol(fields: URLSearchParams): SymbolRoute {
  const route: SymbolRoute = {
    view: "symbol",
    file: numberIn(fields, "file", 0),
    node: numberIn(fields, "node", NO_NUMBER),
    tab: one(TABS, fields.get("tab"), "cfg"),
  };
  const heat = fields.get("heat");
  if (heat !== null) route.heat = heat;
  if (fields.has("first")) route.first = count(fields.get("first"));
  if (fields.has("grown")) route.grown = fields.getAll("grown").map(count);
  return route;
}

function paths(fields: URLSearchParams): PathsRoute {
  return {
    view: "paths",
    file: numberIn(fields, "file", 0),
    from: fields.get("from") ?? "",
    to: fields.get("to") ?? "",
    along: fields.getAll("along"),
    direction: one(DIRECTIONS, fields.get("direction")),
    flow: fields.get("flow") === "true",
    path: count(fields.get("path")),
    step: count(fields.get("step")),
  };
}

function runs(fields: URLSearchParams): RunsRoute {
  const route: RunsRoute = {
    view: "runs",
    file: numberIn(fields, "file", 0),
    show: one(RUN_VIEWS, fields.get("show")),
  };
  for (const name of ["layer", "measure", "second", "mark"] as const) {
    const text = fields.get(name);
    if (text !== null) route[name] = text;
  }
  if (fields.has("second_file")) route.second_file = count(fields.get("second_file"));
  if (fields.has("ms")) route.ms = count(fields.get("ms"));
  if (fields.has("frame")) route.frame = count(fields.get("frame"));
  return route;
}

/** One of the words; the fallback, or the first word, for any other text. */
function one<W extends string>(words: readonly W[], text: string | null, fallback?: W): W {
  return words.find((word) => word === text) ?? fallback ?? (words[0] as W);
}

/** The number of a file or node in an address; the fallback if it is not there, and `NO_NUMBER` for any other text. */
function numberIn(fields: URLSearchParams, name: string, fallback: number): number {
  const text = fields.get(name);
  if (text === null) return fallback;
  return /^\d{1,10}$/.test(text) && Number(text) < 2 ** 32 ? Number(text) : NO_NUMBER;
}

/** A place in a list or a file; zero for any other text. */
function count(text: string | null): number {
  const value = Number(text ?? "0");
  return Number.isSafeInteger(value) && value >= 0 && value < 2 ** 32 ? value : 0;
}
