// The pictures of README and guides, in `docs/images`: `--update-snapshots` takes them anew. Fonts differ
// between machines, so some pixels may differ.

import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Page, test as plain } from "@playwright/test";
import { expect, hits, settled, test } from "./explorer";
import { methodNamed, varvite, withSources, zlib } from "./graphs";

const VIEWPORT = { width: 1000, height: 620 };
test.use({ viewport: VIEWPORT });
plain.use({ viewport: VIEWPORT });

const IMAGES = fileURLToPath(new URL("../../../../docs/images", import.meta.url));
const BYTES_MAX = 150_000;
const TOLERANCE = { maxDiffPixelRatio: 0.015, threshold: 0.25, animations: "disabled", scale: "css" } as const;

async function picture(page: Page, name: string): Promise<void> {
  await settled(page);
  // Times differ from run to run, and paths from machine to machine.
  const mask = [page.locator(".summary"), page.locator("footer")];
  await expect(page).toHaveScreenshot(`${name}.png`, { ...TOLERANCE, mask, maskColor: "#dddddd" });
  expect(statSync(join(IMAGES, `${name}.png`)).size).toBeLessThan(BYTES_MAX);
}

test("the search", async ({ page, zlib: explorer }) => {
  await explorer.open(page, "/search?kind=name&text=inflate");
  await expect(hits(page).first()).toBeVisible();
  await picture(page, "explore-search");
});

test("a symbol with its source", async ({ page, greet: explorer }) => {
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(withSources(), "adler32_z")}`);
  await expect(page.locator(".cm-editor")).toBeVisible();
  await picture(page, "explore-symbol");
});

test("a path", async ({ page, greet: explorer }) => {
  await explorer.open(page, "/paths?file=0&from=main&to=greeting&step=1");
  await expect(page.locator(".cm-editor")).toBeVisible();
  await picture(page, "explore-paths");
});

test("a run", async ({ page, zlib: explorer }) => {
  await explorer.open(page, "/runs?file=0&layer=heap&show=flame");
  await expect(page.locator("iframe.flame").contentFrame().locator("svg")).toBeVisible();
  await picture(page, "explore-runs");
});

// A report is a file, which no server answers.
plain("a report", async ({ page }, information) => {
  const report = information.outputPath("report.html");
  varvite("report", zlib(), "-o", report, "--sections", "functions", "--title", "zlib");
  await page.goto(pathToFileURL(report).href);
  await picture(page, "report");
});
