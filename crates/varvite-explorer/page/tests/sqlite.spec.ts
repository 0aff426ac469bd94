// The views on the graph of SQLite, ten times as large as that of zlib.

import { existsSync } from "node:fs";
import { expect, frameOf, hits, test } from "./explorer";
import { answer, methodNamed, type Row, SQLITE, sqlite } from "./graphs";

test.skip(!existsSync(SQLITE), "needs ../shared/data/sqlite.cpg.bin");

test("a search, a symbol, its callers and a drawing of 500 boxes", async ({ page, sqlite: explorer }) => {
  await explorer.open(page);
  await page.keyboard.type("sqlite3VdbeExec");
  await expect(hits(page).first()).toContainText("sqlite3VdbeExec");
  await page.keyboard.press("Enter");
  const callers = answer<Row[]>("callers", sqlite(), "sqlite3VdbeExec");
  const left = page.getByRole("region", { name: /^Callers/ }).getByRole("listitem");
  await expect(left).toHaveCount(callers.length);
  await expect(page.locator(".drawing .node")).toHaveCount(500);
});

test("long lists of callers are cut, and say by how much", async ({ page, sqlite: explorer }) => {
  const callers = answer<Row[]>("callers", sqlite(), "sqlite3DbFree");
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(sqlite(), "sqlite3DbFree")}`);
  const left = page.getByRole("complementary", { name: "Callers" });
  await expect(left.getByRole("heading", { name: /^Callers / })).toContainText(String(callers.length));
});

test("a path along calls has the nodes of the command's path", async ({ page, sqlite: explorer }) => {
  const rows = answer<Row[]>("path", sqlite(), "sqlite3_exec", "sqlite3VdbeExec", "--along", "CALL");
  await explorer.open(page, "/paths?file=0&from=sqlite3_exec&to=sqlite3VdbeExec");
  const steps = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
  await expect(steps).toHaveCount(rows.length);
});

test("the flame graph is shown", async ({ page, sqlite: explorer }) => {
  await explorer.open(page, "/runs?file=0");
  await expect(frameOf(page, "sqlite3_exec")).toBeVisible();
});
