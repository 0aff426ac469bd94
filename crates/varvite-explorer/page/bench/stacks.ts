// Many stacks, the same in each run, as collapsed stacks and as a layer of a graph.

import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { varvite } from "../tests/graphs";
import { FOLDER } from "./measures";

const FUNCTIONS = 2000;
const DEPTH_MAX = 60;
const SEED = 20_261_130;

/** A copy of a graph with a layer of `count` stacks, and the text of the stacks. */
export function withStacks(graph: string, count: number): { graph: string; layer: string; text: string } {
  const [path, text] = [join(FOLDER, `stacks-${count}.varvite`), join(FOLDER, `stacks-${count}.txt`)];
  if (!existsSync(path)) {
    writeFileSync(text, stacks(count));
    copyFileSync(graph, path);
    varvite("import", text, "--format", "collapsed", "--into", path, "--name", "many");
  }
  return { graph: path, layer: "cpu/many", text };
}

/** Each stack goes on from the middle of an earlier one, so that most of a stack is shared. */
function stacks(count: number): string {
  const random = numbers(SEED);
  const parents = [-1];
  const names = [0];
  const depths = [1];
  const lines: string[] = [];
  while (lines.length < count) {
    let at = random(parents.length);
    if ((depths[at] ?? 0) > DEPTH_MAX) at = 0;
    for (let more = random(3) + 1; more > 0; more--) {
      parents.push(at);
      names.push(random(FUNCTIONS));
      depths.push((depths[at] ?? 0) + 1);
      at = parents.length - 1;
    }
    const frames: string[] = [];
    for (let frame = at; frame >= 0; frame = parents[frame] ?? -1) frames.push(`function_${names[frame]}`);
    lines.push(`${frames.toReversed().join(";")} ${random(100) + 1}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Random numbers below a limit (Lehmer 1951; Park and Miller 1988). */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}
