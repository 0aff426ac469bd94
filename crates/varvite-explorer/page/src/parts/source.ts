// The pane with source lines: their numbers, the heat of a layer in the margin, and names that lead to nodes.
//
// The editor lives in a shadow root. Its styles become adopted style sheets there, which a strict content
// security policy allows.

import { defaultKeymap } from "@codemirror/commands";
import { syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, RangeSetBuilder, Text } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Heat, NameInSource, Source } from "../answers";
import { h } from "../dom";
import { escape, HIDDEN } from "../visible";
import { heatGutter } from "./heat";
import { languagePlace, loadLanguage } from "./language";
import { colours, theme } from "./source_theme";

export interface SourceOptions {
  source: Source;
  names: NameInSource[];
  heat?: Heat | undefined;
  /** Called with the node of a name that was chosen. */
  onName: (node: number) => void;
}

/** Makes a pane that shows `source` and scrolls to its marked line. */
export function sourcePane(options: SourceOptions): HTMLElement {
  const host = h("div", { class: "source" });
  const root = host.attachShadow({ mode: "open" });
  const { lines } = options.source;
  const doc = Text.of(lines.length === 0 ? [""] : lines);
  const state = EditorState.create({ doc, extensions: extensions(options, doc) });
  const view = new EditorView({ state, parent: root, root });
  const line = markedLine(options.source, state.doc);
  if (line !== undefined) {
    const at = state.doc.line(line).from;
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
  }
  void loadLanguage(view, options.source.path);
  return host;
}

function extensions(options: SourceOptions, text: Text): Extension {
  const { source, heat } = options;
  return [
    // The server ends a line at a line feed alone, and so do the numbers of names and of heat.
    EditorState.lineSeparator.of("\n"),
    lineNumbers({ formatNumber: (line) => String(line + source.first_line - 1) }),
    heat === undefined ? [] : heatGutter(heat, source.first_line, text),
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({
      "aria-label": `Source of ${source.path ?? "the node"}. Enter opens the name at the caret.`,
      "aria-readonly": "true",
      autocorrect: "off",
      spellcheck: "false",
      tabindex: "0",
    }),
    highlightSpecialChars({ specialChars: HIDDEN, render: hiddenCharacter }),
    markedLine(source, text) === undefined ? [] : markedLines(source, text),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    drawSelection(),
    languagePlace,
    syntaxHighlighting(colours),
    theme,
    nameLinks(options, text),
    keymap.of([...searchKeymap, ...defaultKeymap]),
  ];
}

/** Shows a hidden character as its escape, so that no text looks other than it is. */
function hiddenCharacter(code: number): HTMLElement {
  const shown = escape(String.fromCodePoint(code));
  return h("span", { class: "hidden-character", title: "a hidden character" }, shown);
}

function markedLine(source: Source, text: Text): number | undefined {
  const line = (source.marked ?? 0) - source.first_line + 1;
  return line >= 1 && line <= text.lines ? line : undefined;
}

/** Marks are made once, since the text does not change: a line may have as many names as a program. */
function markedLines(source: Source, text: Text): Extension {
  const line = text.line(markedLine(source, text) ?? 1);
  return EditorView.decorations.of(Decoration.set(Decoration.line({ class: "marked-line" }).range(line.from)));
}

/** Names as links: a click, or Enter at the caret, chooses one. */
function nameLinks({ source, names, onName }: SourceOptions, text: Text): Extension {
  const choose = (view: EditorView, position: number | null): boolean => {
    const node = position === null ? undefined : nodeAt(view.state.doc, source, names, position);
    if (node !== undefined) onName(node);
    return node !== undefined;
  };
  return [
    EditorView.decorations.of(marks(text, source, names)),
    EditorView.domEventHandlers({
      click: (event, view) =>
        isOnName(event) && view.state.selection.main.empty && choose(view, view.posAtCoords(event)),
    }),
    keymap.of([{ key: "Enter", run: (view) => choose(view, view.state.selection.main.head) }]),
  ];
}

function isOnName(event: MouseEvent): boolean {
  const target = event.composedPath()[0];
  return event.button === 0 && target instanceof Element && target.closest(".name-link") !== null;
}

const NAME = Decoration.mark({ class: "name-link" });

function marks(text: Text, source: Source, names: NameInSource[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const name of names) {
    const range = rangeOf(text, source, name);
    if (range !== undefined) builder.add(range.from, range.to, NAME);
  }
  return builder.finish();
}

function nodeAt(text: Text, source: Source, names: NameInSource[], position: number): number | undefined {
  return names.find((name) => {
    const range = rangeOf(text, source, name);
    return range !== undefined && position >= range.from && position <= range.to;
  })?.node;
}

/** The range of a name; nothing if the name lies outside of its line. */
function rangeOf(text: Text, source: Source, name: NameInSource): { from: number; to: number } | undefined {
  const number = name.line - source.first_line + 1;
  if (number < 1 || number > text.lines) return undefined;
  const line = text.line(number);
  const from = line.from + name.column;
  const to = from + name.length;
  return name.column >= 0 && from < to && to <= line.to ? { from, to } : undefined;
}
