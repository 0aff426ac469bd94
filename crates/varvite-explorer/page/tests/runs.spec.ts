// What ran: the flame graph in its frame, the timeline, and two layers compared.

import { readFileSync } from "node:fs";
import { expect, type Explorer, flameOf, frameOf, test } from "./explorer";
import { methodNamed, zlib } from "./graphs";

interface Run {
  layer: string;
  kind: string;
}

/** The part of an address that names the layer of this kind whose name contains a word. */
async function layer(explorer: Explorer, kind: string, word = ""): Promise<string> {
  const { rows } = await explorer.ask<{ rows: Run[] }>({ question: "runs", file: 0 });
  const run = rows.find((row) => row.kind === kind && row.layer.includes(word));
  expect(run, `a run of kind ${kind} with ${word} in its name`).toBeDefined();
  return run?.layer ?? "";
}

test("the flame graph is shown in a frame that can run its own script alone", async ({
  page,
  zlib: explorer,
}) => {
  const name = await layer(explorer, "cpu", "before");
  await explorer.open(page, `/runs?file=0&layer=${encodeURIComponent(name)}`);
  const frame = page.locator("iframe.flame");
  await expect(frame).toHaveAttribute("sandbox", "allow-scripts");
  await expect(frameOf(page, "longest_match")).toBeVisible();
});

test("a click widens a frame, is a state of the address, and its source opens by a button", async ({
  page,
  zlib: explorer,
}) => {
  const name = await layer(explorer, "cpu", "before");
  await explorer.open(page, `/runs?file=0&layer=${encodeURIComponent(name)}`);
  await frameOf(page, "fill_window").click();
  await expect(frameOf(page, "longest_match")).toHaveCount(0);
  await expect(page).toHaveURL(/frame=\d+/);
  await page.reload();
  await expect(frameOf(page, "fill_window")).toBeVisible();
  await expect(frameOf(page, "longest_match")).toHaveCount(0);
  await expect(flameOf(page).locator("#chosen")).toContainText("fill_window: 10 samples (22.2 %)");
  await flameOf(page).getByRole("button", { name: "open source" }).click();
  await expect(page).toHaveURL(new RegExp(`#/symbol\\?file=0&node=${methodNamed(zlib(), "fill_window")}&`));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("fill_window");
  await page.goBack();
  await expect(frameOf(page, "longest_match")).toHaveCount(0);
  await flameOf(page).getByRole("button", { name: "show all" }).click();
  await expect(frameOf(page, "longest_match")).toBeVisible();
});

test("keys alone choose a frame, widen it, and open its source", async ({ page, zlib: explorer }) => {
  const name = await layer(explorer, "cpu", "before");
  await explorer.open(page, `/runs?file=0&layer=${encodeURIComponent(name)}`);
  const graph = flameOf(page).getByRole("application", { name: /^Flame graph/ });
  const chosen = flameOf(page).locator("#chosen");
  await graph.focus();
  for (const [key, text] of [
    ["ArrowUp", "main: 45 samples"],
    ["ArrowUp", "deflate: 45 samples"],
    ["ArrowUp", "fill_window: 10 samples"],
    ["ArrowRight", "longest_match: 30 samples"],
    ["ArrowLeft", "fill_window: 10 samples"],
    ["ArrowDown", "deflate: 45 samples"],
  ] as const) {
    await graph.press(key);
    await expect(chosen).toContainText(text);
  }
  await graph.press("ArrowUp");
  await graph.press("Enter");
  await expect(frameOf(page, "longest_match")).toHaveCount(0);
  await graph.press("Escape");
  await expect(frameOf(page, "longest_match")).toBeVisible();
  await graph.press("o");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("fill_window");
});

test("a search marks functions, counts all of their frames, and is a state of the address", async ({
  page,
  zlib: explorer,
}) => {
  const name = await layer(explorer, "cpu", "before");
  await explorer.open(page, `/runs?file=0&layer=${encodeURIComponent(name)}`);
  await flameOf(page).getByRole("searchbox").fill("window|match");
  await expect(flameOf(page).locator(".matched")).toHaveText("matched 88.9 %");
  await expect(page).toHaveURL(/mark=window%7Cmatch/);
  await page.reload();
  await expect(flameOf(page).locator(".matched")).toHaveText("matched 88.9 %");
});

test("a flame graph has the colours of the page, and can be saved", async ({ page, zlib: explorer }) => {
  const name = await layer(explorer, "cpu", "before");
  await explorer.open(page, `/runs?file=0&layer=${encodeURIComponent(name)}`);
  await expect(frameOf(page, "longest_match")).toBeVisible();
  const dark = page.getByRole("button", { name: /^Colours/ });
  await dark.click();
  await dark.click();
  await expect(dark).toHaveText("Colours: dark");
  await expect(flameOf(page).locator("html")).toHaveAttribute("data-theme", "dark");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as SVG" }).click();
  const text = readFileSync((await (await download).path()) ?? "", "utf8");
  expect(text).toMatch(/^<svg .*longest_match: 30 samples/);
});

test("the timeline has the peak of the run, and a slider over its moments", async ({
  page,
  zlib: explorer,
}) => {
  const name = await layer(explorer, "heap");
  const { rows } = await explorer.ask<{ rows: { ms: number; live_bytes: number }[] }>({
    question: "timeline",
    file: 0,
    layer: name,
  });
  const peak = Math.max(...rows.map((row) => row.live_bytes));
  await explorer.open(page, `/runs?file=0&layer=${encodeURIComponent(name)}&show=timeline`);
  await expect(page.getByRole("img", { name: `: ${(peak / 1e6).toFixed(1)} MB.` })).toBeVisible();
  const slider = page.getByRole("slider", { name: "Moment" });
  await slider.press("Home");
  await expect(page.locator("output")).toHaveText(/^0 ms: /);
});

test("two layers are compared, largest change first", async ({ page, zlib: explorer }) => {
  const [before, after] = [await layer(explorer, "cpu", "before"), await layer(explorer, "cpu", "after")];
  await explorer.open(page, `/runs?file=0&layer=${encodeURIComponent(before)}&show=compare`);
  await page.getByLabel("Compare with").selectOption({ label: `${after} of zlib` });
  const rows = page.getByRole("region", { name: "Comparison" }).locator("tbody tr");
  await expect(rows.nth(0)).toContainText(/longest_match.*30.*10.*-20/);
  await expect(rows.nth(1)).toContainText(/fill_window.*10.*25.*\+15/);
  await expect(page).toHaveURL(/second=/);
  await rows.nth(0).getByRole("link").click();
  await expect(page.locator("main")).toContainText("longest_match");
});

test("a file without a run says how to add one", async ({ page, greet: explorer }) => {
  await explorer.open(page, "/runs?file=0");
  await expect(page.getByText("The file has no run").first()).toBeVisible();
});

test("a click on the timeline shows the row of that moment, and what was in use", async ({
  page,
  zlib: explorer,
}) => {
  const heap = await layer(explorer, "heap");
  const { rows } = await explorer.ask<{ rows: { ms: number; live_bytes: number; calls: number }[] }>({
    question: "timeline",
    file: 0,
    layer: heap,
  });
  await explorer.open(page, `/runs?file=0&layer=${encodeURIComponent(heap)}&show=timeline`);
  const drawing = page.locator(".timeline");
  const box = await drawing.boundingBox();
  await drawing.click({ position: { x: (box?.width ?? 0) / 2, y: 20 } });
  const middle = rows[Math.round((rows.length - 1) / 2)];
  const current = page.getByRole("table", { name: "Moments" }).locator('tr[aria-current="true"]');
  await expect(current.getByRole("button")).toHaveText(`${middle?.ms.toLocaleString("en-US")} ms`);
  await expect(current.getByRole("cell").nth(1)).toHaveText((middle?.live_bytes ?? 0).toLocaleString("en-US"));
  await expect(page).toHaveURL(new RegExp(`ms=${middle?.ms}`));
  // The places lead to the source.
  const places = page.getByRole("region", { name: /^In use at/ });
  const first = await explorer.ask<{ rows: { node: number }[] }>({
    question: "moment",
    file: 0,
    layer: heap,
    ms: middle?.ms,
  });
  const link = places.getByRole("link").first();
  await expect(link).toHaveAttribute("href", new RegExp(`node=${first.rows[0]?.node}&`));
  await link.click();
  await expect(page).toHaveURL(new RegExp(`#/symbol\\?file=0&node=${first.rows[0]?.node}&`));
});
