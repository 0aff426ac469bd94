// Tables of a graph whose names and code hold scripts, handlers, templates, marks of direction and escapes.

/** Texts that run, load or change something if a page takes them for more than text. */
export const ATTACKS = [
  "<script>alert('script')</script>",
  "<img src=x onerror=alert('handler')>",
  "<svg onload=alert('svg')>",
  "'\"><iframe srcdoc='<script>alert(1)</script>'>",
  "</title></style></textarea><script>alert('end')</script>",
  "javascript:alert('address')",
  "{{constructor.constructor('alert(1)')()}} ${alert(1)} <%= 7*7 %> #{7*7}",
  "]]><!--<a href=javascript:alert(1)>x</a>-->",
  "\u202egnp.exe\u202c \u2066reordered\u2069 \u200bzero",
  "\u001b[31mred\u001b[0m \u0007bell \u009b2J",
  '=HYPERLINK("http://example.org")',
  "a\u0000b\u00adc\u{e0041}",
].map((text) => text.replaceAll("\u0000", "\u0001"));

interface Table {
  option: "--nodes" | "--relationships";
  name: string;
  text: string;
}

/** METHODs with these names, each of which calls the next, and a METHOD that calls all. */
export function hostileTables(): Table[] {
  const methods = ATTACKS.map((text, index) => method(2 + index, text));
  const calls = ATTACKS.map((text, index) => call(100 + index, text));
  const ast = ATTACKS.map((_, index) => `1,${100 + index},AST`);
  const contains = ATTACKS.map((_, index) => `1,${100 + index},CONTAINS`);
  const flow = ATTACKS.map((_, index) => `${index === 0 ? 1 : 99 + index},${100 + index},CFG`);
  const called = ATTACKS.map((_, index) => `${100 + index},${2 + index},CALL`);
  return [
    nodes("methods", [method(1, "main"), ...methods]),
    nodes("calls", calls),
    {
      option: "--relationships",
      name: "edges",
      text: table(EDGES, [...ast, ...contains, ...flow, ...called]),
    },
  ];
}

const NODES = ":ID,:LABEL,NAME,FULL_NAME,CODE,FILENAME,LINE_NUMBER:int,IS_EXTERNAL:boolean";
const EDGES = ":START_ID,:END_ID,:TYPE";

function nodes(name: string, rows: string[]): Table {
  return { option: "--nodes", name, text: table(NODES, rows) };
}

function method(id: number, text: string): string {
  return [
    id,
    "METHOD",
    quoted(text),
    quoted(text),
    quoted(`${text}\n${text}`),
    quoted(`${text}.c`),
    id,
    "false",
  ].join(",");
}

function call(id: number, text: string): string {
  return [id, "CALL", quoted(text), "", quoted(`${text}(x)`), "", id, ""].join(",");
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function table(head: string, rows: string[]): string {
  return `${[head, ...rows].join("\n")}\n`;
}
