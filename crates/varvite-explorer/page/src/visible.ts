// Shows characters that hide or reorder text as escapes, because names and code come from strangers.

/** Ranges of such characters, as a class of a regular expression. Tab and line end are not among them. */
const RANGES = [
  "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f", // control characters
  "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u206f", // marks of direction
  "\\u2028\\u2029", // ends of lines and paragraphs
  "\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u2065\\u3164\\uffa0", // invisible
  "\\ufe00-\\ufe0f\\ufeff\\ufff0-\\ufffb", // variants, marks of byte order and of annotations
  "\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}", // tags
];

/** One character that hides or reorders text. */
export const HIDDEN = new RegExp(`[${RANGES.join("")}]`, "gu");

/** The text with hidden characters as escapes, such as `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => escape(character));
}

/** The escape of a character. */
export function escape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
