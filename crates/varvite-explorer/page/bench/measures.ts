// The numbers of a run, and the table that a person reads.

import { appendFileSync, readFileSync } from "node:fs";

/** The form that `make test` can afford: fewer rounds and stacks. */
export const IS_SHORT = process.env["VARVITE_BENCH_SHORT"] !== undefined;
/** The graph that is measured. */
export const GRAPH = required("VARVITE_BENCH_GRAPH");
/** A graph for the report, if it is another one. */
export const REPORTED = process.env["VARVITE_BENCH_REPORTED"] ?? GRAPH;
/** A small graph that gets the layer of stacks, and the folder for files. */
export const SMALL = required("VARVITE_BENCH_SMALL");
export const FOLDER = required("VARVITE_BENCH_FOLDER");
/** The files of speedscope. */
export const SPEEDSCOPE = required("VARVITE_BENCH_SPEEDSCOPE");

const RESULTS = required("VARVITE_BENCH_RESULTS");

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run cargo xtask bench-explorer`);
  return value;
}

/** The value below which a part of the samples lies. */
export function quantile(samples: number[], part: number): number {
  const sorted = samples.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Keeps the samples of a measure. */
export function keep(measure: string, unit: string, samples: number[]): void {
  if (samples.length === 0) throw new Error(`${measure} has no samples`);
  const [median, p99] = [quantile(samples, 0.5), quantile(samples, 0.99)];
  const most = Math.max(...samples);
  const line = { measure, unit, median, p99, most, samples: samples.length };
  appendFileSync(RESULTS, `${JSON.stringify(line)}\n`);
  console.log(row(line));
}

interface Line {
  measure: string;
  unit: string;
  median: number;
  p99: number;
  most: number;
  samples: number;
}

function row({ measure, unit, median, p99, most, samples }: Line): string {
  const numbers = [median, p99, most].map((value) => value.toFixed(1));
  return `| ${measure} | ${unit} | ${numbers.join(" | ")} | ${samples} |`;
}

/** All measures of the run as a table. */
export function table(): string {
  const lines = readFileSync(RESULTS, "utf8").trim().split("\n");
  const rows = lines.map((line) => row(JSON.parse(line) as Line));
  const head = ["| measure | unit | median | p99 | most | samples |", "|---|---|---|---|---|---|"];
  return [...head, ...rows].join("\n");
}
