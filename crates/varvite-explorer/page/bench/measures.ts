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

/** The value that a measure must not exceed, and the one that is hoped for. */
export interface Goal {
  of: "median" | "p99";
  must: number;
  stretch?: number;
}

/** Keeps the samples of a measure. */
export function keep(measure: string, unit: string, samples: number[], goal?: Goal): void {
  if (samples.length === 0) throw new Error(`${measure} has no samples`);
  const [median, p99] = [quantile(samples, 0.5), quantile(samples, 0.99)];
  const most = Math.max(...samples);
  const line: Line = { measure, unit, median, p99, most, samples: samples.length };
  if (goal !== undefined) line.goal = goal;
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
  goal?: Goal;
}

/** Whether a measure reached its goal: `no`, `must`, or `stretch`; an empty text without a goal. */
function reached({ goal, ...values }: Line): string {
  if (goal === undefined) return "";
  const value = values[goal.of];
  if (value > goal.must) return "no";
  return goal.stretch !== undefined && value <= goal.stretch ? "stretch" : "must";
}

function row(line: Line): string {
  const { measure, unit, median, p99, most, samples, goal } = line;
  const numbers = [median, p99, most].map((value) => value.toFixed(1));
  const must = goal === undefined ? "" : `${goal.of} ${Number(goal.must.toFixed(1))}`;
  return `| ${[measure, unit, ...numbers, samples, must, reached(line)].join(" | ")} |`;
}

function lines(): Line[] {
  const texts = readFileSync(RESULTS, "utf8").trim().split("\n");
  return texts.map((text) => JSON.parse(text) as Line);
}

/** The median of a measure of this run, as the goal of another one. */
export function atMost(measure: string): Goal {
  const found = lines().find((line) => line.measure === measure);
  if (found === undefined) throw new Error(`${measure} was not measured`);
  return { of: "median", must: found.median };
}

/** The measures that miss their goals. */
export function missed(): string[] {
  return lines()
    .filter((line) => reached(line) === "no")
    .map(row);
}

/** All measures of the run as a table. */
export function table(): string {
  const titles = ["measure", "unit", "median", "p99", "most", "samples", "must", "reached"];
  const head = [`| ${titles.join(" | ")} |`, `|${"---|".repeat(titles.length)}`];
  return [...head, ...lines().map(row)].join("\n");
}
