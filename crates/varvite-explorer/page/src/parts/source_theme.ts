// The look of source lines, from the colours of the page, so that light and dark follow it.

import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: [tags.string, tags.character, tags.special(tags.string)], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword, tags.operatorKeyword], color: "var(--keyword)" },
  { tag: [tags.typeName, tags.className, tags.standard(tags.typeName)], color: "var(--type)" },
  { tag: [tags.meta, tags.processingInstruction], color: "var(--meta)" },
]);

export const theme = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--paper)", height: "100%", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-gutters": {
    color: "var(--quiet)",
    backgroundColor: "var(--raised)",
    borderRight: "1px solid var(--border)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection) !important",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--selection)" },
  ".cm-panels": { color: "var(--text)", backgroundColor: "var(--raised)" },
  ".marked-line": { boxShadow: "inset 3px 0 0 var(--accent)", backgroundColor: "var(--marked)" },
  ".name-link": {
    cursor: "pointer",
    textDecoration: "underline dotted var(--quiet)",
    textUnderlineOffset: "3px",
  },
  ".name-link:hover": { color: "var(--link)", textDecoration: "underline" },
  ".hidden-character": { color: "var(--danger)", border: "1px solid currentColor", borderRadius: "2px" },
  ".heat-gutter": { minWidth: "3.5rem" },
  ".heat": {
    display: "block",
    padding: "0 0.35rem",
    textAlign: "right",
    fontVariantNumeric: "tabular-nums",
    color: "var(--text)",
    background: "linear-gradient(to left, var(--heat) var(--share), transparent var(--share))",
  },
});
