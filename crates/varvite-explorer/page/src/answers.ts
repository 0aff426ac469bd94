// The questions to the server and its answers, as `POST /api/query` carries them.

/** A node as lists show it. Absent properties are left out. */
export interface GraphNode {
  node: number;
  label: string;
  name?: string;
  /** Present if it differs from `name`. */
  full_name?: string;
  path?: string;
  line?: number;
  /** One line of at most 200 characters. */
  code?: string;
}

/** A list, and the number of rows that it leaves out. */
export interface Rows<T> {
  rows: T[];
  left_off: number;
}

export interface Counted {
  name: string;
  count: number;
}

export interface FileInfo {
  file: number;
  name: string;
  path: string;
  /** The identity of the open state of the file. */
  id: string;
  nodes: number;
  edges: number;
  has_sources: boolean;
  labels: Counted[];
  edge_labels: Counted[];
  layers: { name: string; source?: string }[];
  views: string[];
  has_flows: boolean;
  /** Why the path no longer leads to the open file. */
  changed?: string;
}

/** A file that could not be opened. */
export interface BrokenFile {
  file: number;
  name: string;
  path: string;
  error: string;
}

export interface Files {
  version: string;
  files: (FileInfo | BrokenFile)[];
}

export interface Found {
  kind: string;
  rows: (GraphNode & { file: number; match: string })[];
  more: boolean;
  /** The question to send the text as, in place of `search`. */
  hint: "ask" | "plan" | null;
  /** Files that could not be searched, while others were. */
  skipped?: { file: number; message: string }[];
}

export interface EdgeCell {
  edge: string;
  source: number;
  target: number;
}

export type Cell = null | boolean | number | string | Cell[] | GraphNode | EdgeCell;

/** The answer to a query: a table, one value, or several answers. */
export type Answered =
  { columns: string[]; rows: Cell[][]; more: boolean } | { value: Cell } | { parts: Answered[] };

/** A name in the source that leads to a node. Columns count from zero, in UTF-16 units. */
export interface NameInSource {
  line: number;
  column: number;
  length: number;
  node: number;
}

/** Lines of a file, or the code of a METHOD if the graph has no text of the file. */
export interface Source {
  kind: "file" | "code";
  path?: string;
  first_line: number;
  lines: string[];
  /** The line of the node. */
  marked?: number | undefined;
  /** Whether the file has lines before these, and after these. */
  has_before: boolean;
  has_after: boolean;
  /** Whether the last line, or the code, is longer. */
  is_cut: boolean;
}

/** What a layer measured on lines of a source. */
export interface Heat {
  name: string;
  layer: string;
  unit: string;
  total: number;
  lines: Record<string, number>;
  /** Whether the lines have more nodes than were counted. */
  is_cut: boolean;
}

export interface SymbolAnswer {
  node: GraphNode;
  /** The METHOD around a node that is not a METHOD itself. */
  method?: GraphNode;
  properties: { name: string; value: Cell }[];
  /** Absent if the graph has neither the text of the file nor code; so are the names in it and its heat. */
  source?: Source;
  names?: NameInSource[];
  /** Whether there are more names. */
  names_cut?: boolean;
  heat?: Heat[];
  callers: Rows<GraphNode & { method?: GraphNode }>;
  callees: Rows<GraphNode & { calls?: number }>;
  uses: Rows<GraphNode>;
}

export interface DrawnNode {
  node: number;
  /** The number of its neighbours that the drawing lacks. */
  more: number;
  label: string;
  place: string;
  heading: string;
  lines: string[];
  /** The middle of the box. */
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface DrawnEdge {
  /** Positions in the list of nodes. */
  source: number;
  target: number;
  label: string;
  text: string;
  text_x: number;
  text_y: number;
  points: [number, number][];
}

export interface Drawing {
  title: string;
  width: number;
  height: number;
  nodes: DrawnNode[];
  edges: DrawnEdge[];
  left_off: number;
  svg?: string;
}

export interface Step extends GraphNode {
  /** The edge by which the path came to the node. */
  edge?: string;
  direction?: "in" | "out";
  method?: GraphNode;
  /** The line of the source. */
  text?: string;
}

export interface Paths {
  paths: Rows<Step>[];
  more: boolean;
  length?: number | null;
  seen: number;
}

export interface Measure {
  name: string;
  unit: string;
  total: number;
}

export interface Run {
  layer: string;
  kind: string;
  source?: string;
  command?: string;
  sampled: boolean;
  measures: Measure[];
  /** Absent for traces. */
  default_measure?: string;
  has_timeline: boolean;
  has_flame?: boolean;
  runtime_ms?: number;
}

export interface Flame {
  title: string;
  total: number;
  unit: string;
  /** The address of a document that the server gives once. */
  view: string;
}

export interface Moment {
  ms: number;
  calls: number;
  live_bytes: number;
  peak_bytes: number;
  /** Absent while nothing was measured. */
  resident_bytes?: number | null;
}

export interface Timeline {
  from_ms: number;
  interval_ms: number;
  rows: Moment[];
}

/** The places whose memory is in use at a moment. */
export interface InUse extends Rows<GraphNode & { live_bytes: number }> {
  ms: number;
}

export interface Compared {
  function: string;
  node?: number;
  path?: string;
  line?: number;
  first: number;
  second: number;
  difference: number;
}

export interface Comparison extends Rows<Compared> {
  measure: string;
  unit: string;
}

/** Programs that ask the same; those that cannot ask it are absent. */
export interface Programs {
  command: string;
  rust?: string;
  java?: string;
  python?: string;
}

/** The ends of a path are numbers of nodes, or texts such as `inflate` and `inflate.c:500`. */
export interface PathQuestion {
  file: number;
  from: string | number;
  to: string | number;
  along?: string[];
  direction?: "out" | "in" | "both";
  flow?: boolean;
  limit?: number;
}

/** A layer of a file. */
export interface LayerOfFile {
  file: number;
  layer: string;
}

/** What a command or program is to ask: one of these. */
export interface CodeQuestion {
  file: number;
  text?: string;
  plan?: unknown;
  node?: number;
  path?: Omit<PathQuestion, "file" | "from" | "to"> & { from: string; to: string };
  drawing?: { node: number; view: string; limit: number };
  run?: { show: string; layer: string; measure?: string | undefined; second?: string; second_file?: number };
}

/** The fields of each question, and its answer. */
export interface Questions {
  files: [object, Files];
  reopen: [{ file: number }, FileInfo];
  link: [object, { link: string }];
  search: [{ file?: number; text: string; limit?: number }, Found];
  ask: [{ file: number; text: string; offset?: number; limit?: number }, Answered];
  plan: [{ file: number; plan: unknown; offset?: number; limit?: number }, Answered];
  symbol: [{ file: number; node: number; first?: number; last?: number }, SymbolAnswer];
  drawing: [
    { file: number; node: number; view: string; limit?: number; grown?: number[]; svg?: boolean },
    Drawing,
  ];
  paths: [PathQuestion, Paths];
  runs: [{ file: number }, { rows: Run[] }];
  flame: [{ file: number; layer: string; measure?: string | undefined }, Flame];
  timeline: [{ file: number; layer: string }, Timeline];
  moment: [{ file: number; layer: string; ms: number; limit?: number }, InUse];
  compare: [
    { first: LayerOfFile; second: LayerOfFile; measure?: string | undefined; limit?: number },
    Comparison,
  ];
  code: [CodeQuestion, Programs];
}
