// The grammar for source lines, by the extension of the file. The browser loads a grammar when it is needed.

import { LRLanguage } from "@codemirror/language";
import { Compartment, type Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { LRParser } from "@lezer/lr";

type Load = () => Promise<{ parser: LRParser }>;

const GRAMMARS: [RegExp, Load][] = [
  [/^(c|h|cc|cpp|cxx|hpp|hh|hxx|inl)$/, () => import("@lezer/cpp")],
  [/^(java|kt|scala|cs)$/, () => import("@lezer/java")],
  [/^(js|mjs|cjs|jsx|ts|tsx)$/, () => import("@lezer/javascript")],
  [/^(py|pyi)$/, () => import("@lezer/python")],
];

const place = new Compartment();

/** The place of the grammar among the extensions of an editor: empty, until `loadLanguage` fills it. */
export const languagePlace: Extension = place.of([]);

/** Loads the grammar of a file, and shows its colours; lines without a file are taken for C. */
export async function loadLanguage(view: EditorView, path: string | undefined): Promise<void> {
  const extension = path === undefined ? "c" : (/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
  const load = GRAMMARS.find(([extensions]) => extensions.test(extension))?.[1];
  if (load === undefined) return;
  const { parser } = await load();
  view.dispatch({ effects: place.reconfigure(LRLanguage.define({ parser })) });
}
