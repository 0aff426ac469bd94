// Screenshots of each view beside approved ones. `--update-snapshots` approves; fonts differ between machines,
// so some pixels may differ.

import { existsSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, hits, settled, test } from "./explorer";
import { methodNamed, SQLITE, sqlite, withSources, zlib } from "./graphs";

test.use({ viewport: { width: 1000, height: 640 } });

const TOLERANCE = { maxDiffPixelRatio: 0.02, threshold: 0.25, animations: "disabled", scale: "css" } as const;

async function look(page: Page, name: string): Promise<void> {
  await settled(page);
  // Times differ from run to run.
  const mask = [page.locator(".summary"), page.locator("footer")];
  await expect(page).toHaveScreenshot(`${name}.png`, { ...TOLERANCE, mask, maskColor: "#888888" });
}

test("the search looks as approved", async ({ page, zlib: explorer }) => {
  await explorer.open(page, "/search?kind=name&text=inflate");
  await expect(hits(page).first()).toBeVisible();
  await look(page, "search");
});

test("the symbol looks as approved", async ({ page, greet: explorer }) => {
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(withSources(), "main")}`);
  await expect(page.locator(".cm-editor")).toBeVisible();
  await look(page, "symbol");
});

test("the symbol looks as approved in dark colours", async ({ page, zlib: explorer }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(zlib(), "inflate")}&tab=calls`);
  await expect(page.locator(".drawing svg")).toBeVisible();
  await page.locator(".drawing").scrollIntoViewIfNeeded();
  await look(page, "drawing-dark");
});

test("the paths look as approved", async ({ page, greet: explorer }) => {
  await explorer.open(page, "/paths?file=0&from=main&to=greeting&step=1");
  await expect(page.locator(".cm-editor")).toBeVisible();
  await look(page, "paths");
});

test("the runs look as approved", async ({ page, zlib: explorer }) => {
  await explorer.open(page, "/runs?file=0&show=timeline");
  await expect(page.locator(".timeline svg")).toBeVisible();
  await look(page, "timeline");
});

test("SQLite's largest METHOD looks as approved", async ({ page, sqlite: explorer }) => {
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(sqlite(), "sqlite3VdbeExec")}&tab=cfg`);
  await expect(page.locator(".drawing .node")).toHaveCount(500);
  await look(page, "sqlite");
});

test.beforeEach(({}, information) => {
  const needsSqlite = information.title.startsWith("SQLite");
  test.skip(needsSqlite && !existsSync(SQLITE), "needs ../shared/data/sqlite.cpg.bin");
});
