// Bundles the page into `../assets`, which the server takes into its binary. Equal sources give equal bytes.

import { build } from "esbuild";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const assets = join(here, "../assets");

await mkdir(assets, { recursive: true });
for (const name of await readdir(assets)) if (!name.startsWith(".")) await rm(join(assets, name));
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: { explorer: "src/main.ts", style: "src/page.css" },
  outdir: assets,
  bundle: true,
  splitting: true,
  chunkNames: "[name]-[hash]",
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  metafile: true,
});
for (const name of ["index.html", "icon.svg"]) await cp(join(here, "src", name), join(assets, name));
await writeFile(join(assets, "notices.txt"), await notices(packagesOf(metafile)));
for (const [path, { bytes }] of Object.entries(metafile.outputs)) console.log(`${path}: ${bytes} bytes`);

/** The names of the packages of which the bundle contains code. */
function packagesOf({ inputs }) {
  const names = Object.keys(inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

/** The licences of these packages, which go wherever the bundle goes. */
async function notices(names) {
  const parts = names.map(async (name) => {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return `${name} ${version} (${license})\n\n${await readFile(join(folder, "LICENSE"), "utf8")}`;
  });
  return (await Promise.all(parts)).join("\n----\n\n");
}
