// The page of a symbol shows the source, callers, callees and drawings that the command shows.

import { execFileSync } from "node:child_process";
import type { Page } from "@playwright/test";
import { expect, Explorer, test } from "./explorer";
import { answer, longFile, methodNamed, type Row, VARVITE, withSources, zlib } from "./graphs";

const views = ["ast", "cfg", "ddg", "pdg", "dominators", "calls"] as const;

test("callers and callees are those of the command", async ({ page, zlib: explorer }) => {
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(zlib(), "inflate")}`);
  const callers = answer<Row[]>("callers", zlib(), "inflate");
  const callees = answer<Row[]>("callees", zlib(), "inflate");
  expect(await nodesIn(page, /^Callers/)).toEqual(expect.arrayContaining(callers.map(({ node }) => node)));
  expect(await nodesIn(page, /^Callees/)).toEqual(callees.map(({ node }) => node));
});

/** The nodes that the links of a list lead to, in order. */
async function nodesIn(page: Page, list: RegExp): Promise<number[]> {
  const links = page.getByRole("region", { name: list }).getByRole("link");
  await expect(links.first()).toBeVisible();
  return links.evaluateAll((all) =>
    all.map((link) => Number(/node=(\d+)/.exec(link.getAttribute("href") ?? "")?.[1])),
  );
}

test("a click on a caller goes there, and back comes back", async ({ page, zlib: explorer }) => {
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(zlib(), "inflate")}`);
  await page
    .getByRole("complementary", { name: "Callers" })
    .getByRole("link", { name: "gz_decomp", exact: true })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("gz_decomp");
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("inflate");
});

test("the source is shown with its line numbers", async ({ page, greet: explorer }) => {
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(withSources(), "main")}`);
  const source = page.getByRole("textbox", { name: /^Source of greet\.c/ });
  await expect(source).toContainText('const char *name = "Žofie"; /* two 🦀🦀 */ int times = 2;');
  const numbers = page.locator(".cm-lineNumbers .cm-gutterElement");
  await expect(numbers.filter({ hasText: /^9$/ })).toBeVisible();
});

test("a click on a name in the source goes there, behind characters beyond ASCII too", async ({
  page,
  greet: explorer,
}) => {
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(withSources(), "main")}`);
  await page
    .locator(".name-link", { hasText: /^greeting$/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("greeting");
  await page.goBack();
  await page
    .locator(".cm-line", { hasText: "🦀🦀" })
    .locator(".name-link", { hasText: /^times$/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("times");
});

test("Enter at the caret opens the name there", async ({ page, greet: explorer }) => {
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(withSources(), "main")}`);
  await page.locator(".cm-line", { hasText: "greeting(i % 2)" }).click({ position: { x: 5, y: 5 } });
  await page.keyboard.press("Home");
  const line = await page.locator(".cm-line", { hasText: "greeting(i % 2)" }).textContent();
  // Home goes to the first letter of the line.
  const steps = (line?.trimStart().indexOf("greeting") ?? 0) + 2;
  for (let step = 0; step < steps; step++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("greeting");
});

test("all lines of a long file can be read, by keys and by the address", async ({ page }) => {
  const explorer = await Explorer.start(longFile());
  try {
    const [file] = answer<Row[]>("find", longFile(), "FILE", "NAME=long.c");
    await explorer.open(page, `/symbol?file=0&node=${file?.node}`);
    const source = page.getByRole("textbox", { name: /^Source of long\.c/ });
    const after = page.getByRole("button", { name: "Lines after" });
    await expect(source).toContainText("line 1;");
    await after.press("Enter");
    await expect(source).toContainText("line 2001;");
    await expect(after).toBeFocused();
    await after.press("Enter");
    await expect(source).toContainText("line 4001;");
    await expect(page).toHaveURL(/first=4001/);
    await expect(after).toHaveCount(0);
    await page.getByRole("button", { name: "Lines before" }).press("Enter");
    await expect(source).toContainText("line 2001;");
    await page.goBack();
    await expect(source).toContainText("line 4001;");
    // The lines around a METHOD.
    await explorer.open(page, `/symbol?file=0&node=${methodNamed(longFile(), "middle")}`);
    await expect(page.locator(".name-link", { hasText: "middle" })).toBeVisible();
    await page.getByRole("button", { name: "Lines before" }).click();
    await expect(source).toContainText("line 500;");
  } finally {
    await explorer.stop();
  }
});

for (const view of views) {
  test(`the drawing "${view}" has as many boxes as that of the command`, async ({ page, zlib: explorer }) => {
    const node = methodNamed(zlib(), "inflateReset");
    await explorer.open(page, `/symbol?file=0&node=${node}&tab=${view}`);
    await expect(page.locator(".drawing svg")).toBeVisible();
    const svg = execFileSync(VARVITE, ["draw", zlib(), String(node), "--view", view], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const numbers = [...svg.matchAll(/<title>#(\d+) /g)].map((match) => match[1]);
    const shown = await page
      .locator(".drawing .node")
      .evaluateAll((boxes) => boxes.map((box) => box.getAttribute("data-node")));
    expect(shown.toSorted()).toEqual(numbers.toSorted());
  });
}

test("a drawing stops at 500 boxes and says how many are left off", async ({ page, zlib: explorer }) => {
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(zlib(), "inflate")}&tab=ast`);
  await expect(page.locator(".drawing .node")).toHaveCount(500);
  await expect(page.locator(".stub")).toHaveText(/^\+[\d,]+ more$/);
});

test("a stub draws the neighbours of its box, and is a state of the address", async ({ page, zlib: explorer }) => {
  const node = methodNamed(zlib(), "inflateReset");
  await explorer.open(page, `/symbol?file=0&node=${node}&tab=calls`);
  const boxes = page.locator(".drawing .node");
  await expect(page.locator(".drawing svg")).toBeVisible();
  const before = await boxes.count();
  const callees = answer<Row[]>("callees", zlib(), "inflateReset");
  const known = new Set([node, ...callees.map((callee) => callee.node)]);
  const stub = page.locator(".drawing .grow").first();
  const grown = Number(await stub.getAttribute("data-grow"));
  const more = answer<Row[]>("callees", zlib(), `#${grown}`).filter((callee) => !known.has(callee.node));
  await expect(stub).toContainText(`+${more.length} more`);
  await stub.press("Enter");
  await expect(boxes).toHaveCount(before + more.length);
  await expect(page).toHaveURL(new RegExp(`grown=${grown}`));
  await expect(page.locator(`.drawing .grow[data-grow="${grown}"]`)).toHaveCount(0);
  await page.goBack();
  await expect(boxes).toHaveCount(before);
});

test("a tab is a state of the address, and the source stays", async ({ page, zlib: explorer }) => {
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(zlib(), "inflate_fast")}`);
  await page.getByRole("tab", { name: "Calls" }).click();
  await expect(page).toHaveURL(/tab=calls/);
  await page.goBack();
  await expect(page.getByRole("tab", { name: "Control flow" })).toHaveAttribute("aria-selected", "true");
});

test("a click on a box opens its node, and the drawing can be saved", async ({ page, zlib: explorer }) => {
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(zlib(), "inflate")}&tab=calls`);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as SVG" }).click();
  expect((await download).suggestedFilename()).toMatch(/^calls-\d+\.svg$/);
  const box = page.locator(".drawing .node:not(.current)").first();
  const node = await box.getAttribute("data-node");
  await box.click();
  await expect(page).toHaveURL(new RegExp(`node=${node}&`));
});

test("the margin shows what a layer measured", async ({ page, zlib: explorer }) => {
  const node = methodNamed(zlib(), "deflateInit2_");
  const { heat } = await explorer.ask<{ heat: { name: string; lines: Record<string, number> }[] }>({
    question: "symbol",
    file: 0,
    node,
  });
  expect(heat.length).toBeGreaterThan(0);
  await explorer.open(page, `/symbol?file=0&node=${node}`);
  await expect(page.getByLabel("Values in the margin").locator("option")).toHaveCount(heat.length);
});
