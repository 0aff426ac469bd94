"use strict";
// Draws a flame graph from its frames, which are in pre-order: a frame is followed by its callees. Only frames that
// can be seen become elements, so all frames of a large profile can be here.
const SVG = "http://www.w3.org/2000/svg";
const [ROW, CHARACTER, LEAST] = [17, 7, 0.5];
const { title, noun, scale, total, notes, symbols, symbol, depth, all, own } = JSON.parse(
  document.getElementById("frames").textContent,
);
const count = symbol.length;
const find = (name) => document.querySelector(name);
const graph = find(".graph");

// For each frame its left end in counts, its caller (-1 for none), and the first frame that is not above it.
const [left, caller, end] = [new Float64Array(count), new Int32Array(count), new Int32Array(count)];
function place() {
  const [next, last] = [[0], []];
  for (let frame = 0; frame < count; frame++) {
    const level = depth[frame];
    left[frame] = next[level];
    next[level] += all[frame];
    next[level + 1] = left[frame];
    caller[frame] = level === 0 ? -1 : last[level - 1];
    last[level] = frame;
  }
  for (let frame = count - 1; frame >= 0; frame--) {
    end[frame] = Math.max(end[frame], frame + 1);
    const below = caller[frame];
    if (below >= 0) end[below] = Math.max(end[below], end[frame]);
  }
}

// The widened frame and the chosen one, -1 for none, and the functions that a search marks.
let [wide, chosen, marked] = [-1, -1, new Set()];
let elements = new Map();

const nameOf = (frame) => symbols[symbol[frame]][0];
const nodeOf = (frame) => symbols[symbol[frame]][2] ?? null;

function told(value) {
  return (value / scale).toLocaleString("en-US", { maximumFractionDigits: Math.round(Math.log10(scale)) });
}

function describe(frame) {
  const share = ((100 * all[frame]) / Math.max(1, total)).toFixed(1);
  return `${nameOf(frame)}: ${told(all[frame])} ${noun} (${share} %), ${told(own[frame])} itself`;
}

function colour(frame) {
  const code = symbols[symbol[frame]][1];
  const shade = code % 32;
  if (code < 32) return `rgb(${200 + shade},${200 + shade},${200 + shade})`;
  return `rgb(${224 + shade},${130 + 2 * shade},${60 + shade})`;
}

// The frames that can be seen, each with its left end and its width in pixels, and the number of the others.
function seen(width) {
  const [found, from] = [[], wide < 0 ? 0 : left[wide]];
  const pixels = width / Math.max(1, wide < 0 ? total : all[wide]);
  for (let below = wide < 0 ? -1 : caller[wide]; below >= 0; below = caller[below]) found.push([below, 0, width]);
  const stop = wide < 0 ? count : end[wide];
  let hidden = 0;
  for (let frame = Math.max(0, wide); frame < stop; ) {
    if (all[frame] * pixels < LEAST) {
      hidden += end[frame] - frame;
      frame = end[frame];
      continue;
    }
    found.push([frame, (left[frame] - from) * pixels, all[frame] * pixels]);
    frame += 1;
  }
  return { found, hidden };
}

function make(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

function element(frame, x, width, height) {
  const y = height - ROW * (depth[frame] + 1);
  const group = make("g", { "data-frame": frame });
  const text = make("title", {});
  text.textContent = describe(frame);
  group.append(text, make("rect", { x, y, width, height: ROW - 1, rx: 1, fill: colour(frame) }));
  const room = Math.floor((width - 6) / CHARACTER);
  if (room >= 3) {
    const [name, label] = [nameOf(frame), make("text", { x: x + 3, y: y + ROW - 5 })];
    label.textContent = name.length <= room ? name : `${name.slice(0, room - 2)}..`;
    group.append(label);
  }
  group.classList.toggle("above", wide >= 0 && frame < wide);
  group.classList.toggle("found", marked.has(symbol[frame]));
  group.classList.toggle("chosen", frame === chosen);
  return group;
}

function draw() {
  const width = Math.max(100, graph.clientWidth - 2);
  const { found, hidden } = seen(width);
  const height = ROW * found.reduce((most, [frame]) => Math.max(most, depth[frame] + 1), 1);
  const svg = make("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  elements = new Map(found.map(([frame, x, width]) => [frame, element(frame, x, width, height)]));
  svg.append(...elements.values());
  graph.replaceChildren(svg);
  const thin = hidden === 0 ? [] : [`${hidden.toLocaleString("en-US")} frames are too narrow to be seen: widen a frame`];
  find(".notes").textContent = [...notes, ...thin].join("; ");
}

function choose(frame) {
  elements.get(chosen)?.classList.remove("chosen");
  chosen = frame;
  elements.get(chosen)?.classList.add("chosen");
  elements.get(chosen)?.scrollIntoView({ block: "nearest" });
  find("#chosen").textContent = frame < 0 ? "" : describe(frame);
  find(".open").hidden = frame < 0 || window.parent === window;
}

function widen(frame) {
  wide = frame;
  draw();
  choose(frame < 0 ? chosen : frame);
}

function send(message) {
  if (window.parent !== window) window.parent.postMessage(message, "*");
}

const sendState = () => send({ varvite: "state", frame: wide < 0 ? null : wide, mark: find(".word").value });

function open() {
  if (chosen >= 0) send({ varvite: "frame", function: nameOf(chosen), node: nodeOf(chosen) });
}

// The functions that match, and the share of their frames: one above another that matches counts with it.
function mark() {
  const [word, isExact, matched] = [find(".word").value, find(".case").checked, find(".matched")];
  let pattern = null;
  try {
    pattern = word === "" ? null : new RegExp(word, isExact ? "u" : "iu");
  } catch {
    matched.textContent = "no regular expression";
    return;
  }
  marked = new Set();
  if (pattern !== null) symbols.forEach(([name], at) => pattern.test(name) && marked.add(at));
  let sum = 0;
  for (let frame = 0; marked.size > 0 && frame < count; ) {
    const isFound = marked.has(symbol[frame]);
    if (isFound) sum += all[frame];
    frame = isFound ? end[frame] : frame + 1;
  }
  for (const [frame, group] of elements) group.classList.toggle("found", marked.has(symbol[frame]));
  const least = notes.length === 0 ? "" : "at least ";
  matched.textContent = pattern === null ? "" : `matched ${least}${((100 * sum) / Math.max(1, total)).toFixed(1)} %`;
}

// The frame beside the chosen one: its first callee, its caller, or another callee of its caller.
function beside(key) {
  if (chosen < 0) return count > 0 ? 0 : -1;
  const [below, behind] = [caller[chosen], end[chosen]];
  if (key === "ArrowUp") return end[chosen] > chosen + 1 ? chosen + 1 : chosen;
  if (key === "ArrowDown") return below < 0 ? chosen : below;
  if (key === "ArrowRight") return behind < count && caller[behind] === below ? behind : chosen;
  let before = below + 1;
  while (before < chosen && end[before] < chosen) before = end[before];
  return before;
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.startsWith("Arrow")) {
    const next = beside(event.key);
    // A frame that cannot be seen is widened, with as much around it as lets it be seen.
    if (next >= 0 && !elements.has(next)) widen(next);
    choose(next);
  } else if (event.key === "Enter" && chosen >= 0) {
    widen(chosen);
    sendState();
  } else if (event.key === "o") open();
  else if (event.key === "Escape" || event.key === "Home") {
    widen(-1);
    sendState();
  } else return;
  event.preventDefault();
}

// What the page around this one asks for.
function receive({ source, data }) {
  if (source !== window.parent || typeof data !== "object" || data === null) return;
  if (data.varvite === "save") {
    const svg = graph.firstElementChild.cloneNode(true);
    svg.setAttribute("font-family", "monospace");
    svg.setAttribute("font-size", "12");
    send({ varvite: "svg", text: new XMLSerializer().serializeToString(svg) });
  } else if (data.varvite === "show") {
    if (data.theme === "light" || data.theme === "dark") document.documentElement.dataset.theme = data.theme;
    else delete document.documentElement.dataset.theme;
    if (typeof data.mark === "string" && data.mark !== find(".word").value) {
      find(".word").value = data.mark;
      mark();
    }
    const wanted = Number.isInteger(data.frame) && data.frame >= 0 && data.frame < count ? data.frame : -1;
    if (wanted !== wide) widen(wanted);
  }
}

place();
const heading = document.createElement("h1");
heading.textContent = title;
find("main").prepend(heading);
draw();
graph.addEventListener("click", ({ target, detail }) => {
  const frame = Number(target.closest("g")?.dataset.frame ?? -1);
  if (frame < 0) return;
  if (detail === 2) return open();
  widen(frame);
  sendState();
});
graph.addEventListener("keydown", press);
find(".open").addEventListener("click", open);
find(".all").addEventListener("click", () => {
  widen(-1);
  sendState();
});
for (const [name, event] of [[".word", "input"], [".case", "change"]]) {
  find(name).addEventListener(event, () => {
    mark();
    sendState();
  });
}
let drawnWidth = graph.clientWidth;
addEventListener("resize", () => {
  if (graph.clientWidth === drawnWidth) return;
  drawnWidth = graph.clientWidth;
  draw();
});
addEventListener("message", receive);
send({ varvite: "ready" });
