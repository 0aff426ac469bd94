// The graphs of the tests, made by the command once for a run of the tests, and the command's own answers.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hostileTables } from "./hostile_graph";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../../..");
/** The command under test. */
export const VARVITE = process.env["VARVITE_COMMAND"] ?? join(ROOT, "target/debug/varvite");
/** The graph of SQLite is not part of the repository. */
export const SQLITE = join(ROOT, "../shared/data/sqlite.cpg.bin");

const PROFILES = join(ROOT, "crates/varvite-profile/tests/data");
const DATA = join(ROOT, "examples/data");

/** Runs the command and returns what it prints. */
export function varvite(...words: string[]): string {
  return execFileSync(VARVITE, words, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** The command's answer as JSON. */
export function answer<T>(...words: string[]): T {
  return JSON.parse(varvite(...words, "--format", "json")) as T;
}

/** A row of the command's answers, with the fields that the tests compare. */
export interface Row {
  node: number;
  file?: string;
  line?: number;
  caller?: string;
  callee?: string;
  NAME?: string;
}

/** The number of the only METHOD with this name. */
export function methodNamed(graph: string, name: string): number {
  const [first] = answer<Row[]>("find", graph, "METHOD", `FULL_NAME=${name}`);
  if (first === undefined) throw new Error(`${graph} has no METHOD ${name}`);
  return first.node;
}

let folder: string | undefined;

/** Makes a graph in a folder of this run, unless the run has made it before. */
function made(name: string, make: (path: string) => void): string {
  folder ??= mkdtempSync(join(process.env["VARVITE_PAGE_GRAPHS"] ?? tmpdir(), "explorer-"));
  const path = join(folder, `${name}.varvite`);
  if (!existsSync(path)) make(path);
  return path;
}

/** Samples of two runs: `longest_match` became cheaper by 20, and `fill_window` dearer by 15. */
const STACKS = {
  before: "main;deflate;longest_match 30\nmain;deflate;fill_window 10\nmain;deflate 5\n",
  after: "main;deflate;longest_match 10\nmain;deflate;fill_window 25\nmain;deflate 5\n",
};

/** zlib, with a profile of its memory and samples of two runs as layers. */
export function zlib(): string {
  return made("zlib", (path) => {
    varvite("import", join(DATA, "zlib.cpg.bin"), "-o", path);
    varvite("import", join(PROFILES, "zlib.heaptrack.zst"), "--into", path, "--events");
    for (const [name, stacks] of Object.entries(STACKS)) {
      const file = join(dirname(path), `${name}.txt`);
      writeFileSync(file, stacks);
      varvite("import", file, "--format", "collapsed", "--into", path, "--name", name);
    }
  });
}

/** A small graph with the text of its files, which has characters beyond ASCII. */
export function withSources(): string {
  return made("greet", (path) => void varvite("import", join(DATA, "content.cpg.bin"), "-o", path));
}

/** A FILE of 5,000 lines, of which the METHOD `middle` has ten. */
export function longFile(): string {
  return made("long", (path) => {
    const folder = dirname(path);
    const line = (number: number): string => (number === 2500 ? "int middle(void) {" : `line ${number};`);
    const text = Array.from({ length: 5000 }, (_, at) => `${line(at + 1)}\n`).join("");
    const head = ":ID,:LABEL,NAME,FULL_NAME,FILENAME,LINE_NUMBER:int,LINE_NUMBER_END:int,CONTENT\n";
    const rows = `1,FILE,long.c,,,,,"${text}"\n2,METHOD,middle,middle,long.c,2500,2509,\n`;
    writeFileSync(join(folder, "long-nodes.csv"), head + rows);
    writeFileSync(join(folder, "long-edges.csv"), ":START_ID,:END_ID,:TYPE\n1,2,AST\n2,1,SOURCE_FILE\n");
    const [nodes, edges] = [join(folder, "long-nodes.csv"), join(folder, "long-edges.csv")];
    varvite("import", "--format", "neo4j-csv", "--nodes", nodes, "--relationships", edges, "-o", path);
  });
}

/** SQLite, with a profile. */
export function sqlite(): string {
  return made("sqlite", (path) => {
    varvite("import", SQLITE, "-o", path);
    varvite("import", join(PROFILES, "sqlite.heaptrack.zst"), "--into", path, "--events");
  });
}

/** A graph whose names and code attack whoever shows them. */
export function hostile(): string {
  return made("hostile", (path) => {
    const tables = join(dirname(path), "tables");
    mkdirSync(tables, { recursive: true });
    const words = hostileTables().flatMap(({ option, name, text }) => {
      const file = join(tables, `${name}.csv`);
      writeFileSync(file, text);
      return [option, file];
    });
    varvite("import", "--format", "neo4j-csv", ...words, "-o", path);
    const stacks = join(tables, "stacks.txt");
    writeFileSync(stacks, hostileStacks());
    varvite("import", stacks, "--into", path, "--format", "collapsed");
  });
}

/** A file that is no graph. */
export function broken(): string {
  return made("broken", (path) => writeFileSync(path, "no graph"));
}

/** A copy of a graph that a test may replace or remove. */
export function copyOf(graph: string, name: string): string {
  return made(name, (path) => void execFileSync("cp", [graph, path]));
}

function hostileStacks(): string {
  return "main;<img src=x onerror=alert(1)> 5\nmain;</script><script>alert(2)</script> 7\nmain 1\n";
}
