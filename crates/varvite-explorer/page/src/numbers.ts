// Numbers for people.

const EXACT = new Intl.NumberFormat("en-US");
const SHORT = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

/** All digits, such as `12,345`. */
export function exact(value: number): string {
  return EXACT.format(value);
}

/** Three digits, such as `12.3K`. */
export function short(value: number): string {
  return SHORT.format(value);
}

/** A number with its noun, such as `1 row` and `2 rows`. */
export function counted(value: number, noun: string): string {
  return `${exact(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** Bytes, such as `1.5 MB`. */
export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = value < 1000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), units.length - 1);
  return `${power === 0 ? value : (value / 1000 ** power).toFixed(1)} ${units[power]}`;
}
