// Addresses, escapes and exports, without a browser.

import { expect, test } from "@playwright/test";
import { bytes, counted, short } from "../src/numbers";
import type { Moment } from "../src/answers";
import { csv } from "../src/parts/export";
import { measuredRows } from "../src/parts/timeline";
import { format, NO_NUMBER, parse, type Route, stamped, stampOf, START } from "../src/route";
import { visible } from "../src/visible";

const ROUTES: Route[] = [
  { view: "search", kind: "name", text: "inflate" },
  { view: "search", kind: "ask", text: 'cpg.call("a & b = #?").l', file: 2 },
  { view: "symbol", file: 1, node: 4_000_000_000, tab: "dominators", heat: "CPU_SAMPLES" },
  {
    view: "paths",
    file: 0,
    from: "main",
    to: "TYPE_DECL:z_stream",
    along: ["CALL", "AST"],
    direction: "both",
    flow: false,
    path: 2,
    step: 7,
  },
  {
    view: "runs",
    file: 0,
    show: "compare",
    layer: "cpu/a b",
    measure: "samples",
    second: "heap",
    second_file: 1,
  },
  { view: "runs", file: 0, show: "flame", layer: "cpu", frame: 1234, mark: "a|b" },
];

for (const route of ROUTES) {
  test(`the address ${format(route)} leads back to its state`, () => {
    expect(parse(format(route))).toEqual(route);
  });
}

for (const address of ["", "#", "#/", "#/nonsense?x=1", "#code=12ab", "#main"]) {
  test(`the address "${address}" leads to the start`, () => {
    expect(parse(address)).toEqual(START);
  });
}

test("a text in an address that should be a number is no node", () => {
  for (const text of ["-1", "1e9", "x", "1.5", "4294967296", ""]) {
    expect(parse(`#/symbol?file=0&node=${text}`)).toMatchObject({ node: NO_NUMBER });
  }
  expect(parse("#/symbol?file=x&node=7")).toMatchObject({ file: NO_NUMBER, node: 7 });
});

test("a stamp is kept beside a state, and read apart from it", () => {
  for (const route of ROUTES) {
    const address = stamped(route, { graph: "1f2e3d4c", name: "a&b=c" });
    expect(parse(address)).toEqual(route);
    expect(stampOf(address)).toEqual({ graph: "1f2e3d4c", name: "a&b=c" });
  }
  expect(stampOf("#/search")).toEqual({ graph: undefined, name: undefined });
});

test("characters that hide or reorder text become escapes, and others stay", () => {
  expect(visible("a\u202eb\u2066\u200b\u001b[31m\u0000")).toBe(
    "a\\u{202e}b\\u{2066}\\u{200b}\\u{1b}[31m\\u{0}",
  );
  expect(visible("\u{e0041}\ufeff\u00ad")).toBe("\\u{e0041}\\u{feff}\\u{ad}");
  expect(visible("Žofie 🦀 №\tמרחב\n")).toBe("Žofie 🦀 №\tמרחב\n");
});

test("CSV quotes what needs it, and keeps spreadsheets from running a text", () => {
  const rows = [
    ["a,b", 'say "x"', -1],
    ["=1+1", "@x", 2],
    ["line\nend", "-5", 3],
  ];
  const lines = ["one,two,three", '"a,b","say ""x""",-1', "'=1+1,'@x,2", '"line\nend",\'-5,3', ""];
  expect(csv(["one", "two", "three"], rows)).toBe(lines.join("\r\n"));
});

test("the line of a timeline has gaps where nothing was measured", () => {
  const moment = (ms: number, resident_bytes: number | null): Moment => {
    return { ms, calls: 0, live_bytes: 0, peak_bytes: 0, resident_bytes };
  };
  const rows = [moment(0, null), moment(1, 5), moment(2, 6), moment(3, null), moment(4, 7)];
  const runs = measuredRows(rows, "resident_bytes");
  expect(runs.map((run) => run.map(({ ms }) => ms))).toEqual([[1, 2], [4]]);
});

test("numbers are short for people", () => {
  expect(counted(1, "row")).toBe("1 row");
  expect(counted(44073, "node")).toBe("44,073 nodes");
  expect(short(12_345)).toBe("12.3K");
  expect([bytes(0), bytes(999), bytes(1_717_465)]).toEqual(["0 B", "999 B", "1.7 MB"]);
});
