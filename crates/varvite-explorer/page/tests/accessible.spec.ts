// The page can be used without a mouse, by a reader of screens, and at four times its size.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame, Page } from "@playwright/test";
import { expect, hits, settled, test, visit } from "./explorer";
import { methodNamed, zlib } from "./graphs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

function states(): Record<string, string> {
  const node = methodNamed(zlib(), "inflateReset");
  return {
    start: "/search",
    search: "/search?kind=name&text=inflate",
    table: "/search?kind=ask&text=cpg.method.name.l",
    symbol: `/symbol?file=0&node=${node}`,
    paths: "/paths?file=0&from=uncompress&to=inflate_table",
    flame: "/runs?file=0",
    timeline: "/runs?file=0&show=timeline",
    compare: "/runs?file=0&show=compare",
  };
}

interface Finding {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary?: string }[];
}

/** What axe finds serious or critical. */
async function seriousFindings(page: Page | Frame): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: Finding[] }> };
    };
    return axe.run({ resultTypes: ["violations"], iframes: false });
  });
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds nothing serious in any view, in ${scheme} colours`, async ({ page, zlib: explorer }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await explorer.open(page);
    for (const [name, state] of Object.entries(states())) {
      await visit(page, state);
      expect(await seriousFindings(page), name).toEqual([]);
      // The frame of a flame graph is a document of its own.
      for (const frame of page.frames().slice(1)) expect(await seriousFindings(frame), `${name}, frame`).toEqual([]);
    }
  });
}

test("at 400 % no view scrolls sideways", async ({ page, zlib: explorer }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await explorer.open(page);
  for (const [name, state] of Object.entries(states())) {
    await visit(page, state);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, name).toBeLessThanOrEqual(320);
  }
});

test("keys alone lead from the search to a symbol, its drawing, a callee, and a path", async ({
  page,
  zlib: explorer,
}) => {
  await explorer.open(page);
  await page.keyboard.type("inflateReset");
  await expect(hits(page).first()).toContainText("inflateReset");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await tabTo(page, "[role=tab][aria-selected=true]");
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/tab=ddg/);
  await expect(page.locator("#drawing:not([aria-busy]) svg")).toBeVisible();
  await tabTo(page, ".drawing");
  await page.keyboard.press("n");
  await expect(page.locator(".drawing .node").first()).toBeFocused();
  await tabTo(page, "aside[aria-label=Callees] a");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("complementary", { name: "Callers" })).toContainText("inflateReset");
  await tabTo(page, "a[href^='#/paths?file=0&from=']");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "To" })).toBeFocused();
});

test("choices and tabs of a run keep the focus when they are used", async ({ page, zlib: explorer }) => {
  await explorer.open(page, "/runs?file=0&layer=heap");
  const tab = page.getByRole("tab", { name: "Flame graph" });
  await tab.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Timeline" })).toBeFocused();
  await expect(page).toHaveURL(/show=timeline/);
  await expect(page.getByRole("slider", { name: "Moment" })).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Compare" })).toBeFocused();
  for (const name of ["Compare with", "Measure", "Layer"]) {
    const choice = page.getByLabel(name, { exact: true });
    await choice.focus();
    await page.keyboard.press("ArrowDown");
    await settled(page);
    await expect(choice).toBeFocused();
  }
});

test("the values in the margin and the search keep the focus", async ({ page, zlib: explorer }) => {
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(zlib(), "deflateInit2_")}`);
  const margin = page.getByLabel("Values in the margin");
  await margin.focus();
  await page.keyboard.press("ArrowDown");
  await expect(page).toHaveURL(/heat=/);
  await expect(margin).toBeFocused();
  await explorer.open(page, "/search?kind=ask&text=cpg.method.size");
  const field = page.getByRole("searchbox");
  await field.fill("cpg.call.size");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/cpg.call.size/);
  await page.goBack();
  await expect(field).toHaveValue("cpg.method.size");
  await expect(field).toBeFocused();
});

test("keys with Ctrl are the browser's in a drawing", async ({ page, zlib: explorer }) => {
  await explorer.open(page, states()["symbol"]);
  const drawing = page.locator(".drawing");
  await expect(drawing.locator("svg")).toBeVisible();
  const width = await drawing.locator("svg").getAttribute("width");
  await drawing.focus();
  await page.keyboard.press("Control+-");
  await page.keyboard.press("Control+0");
  await expect(drawing).toBeFocused();
  await expect(drawing.locator("svg")).toHaveAttribute("width", width ?? "");
});

test("every stop of the Tab key shows its focus", async ({ page, zlib: explorer }) => {
  await explorer.open(page, states()["symbol"]);
  await expect(page.locator(".drawing svg")).toBeVisible();
  for (let stop = 0; stop < 25; stop++) {
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate(outlineOfFocus)).not.toMatch(/^none/);
  }
});

test("results are announced", async ({ page, zlib: explorer }) => {
  await explorer.open(page, "/search?kind=name&text=inflate_fast");
  await expect(page.getByRole("status").last()).toContainText(/\d+ results?/);
});

/** The style of the outline around what has the focus, which in a shadow root may be inside of it. */
function outlineOfFocus(): string {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const shown = element?.closest(".cm-editor") ?? element;
  if (shown === null || shown === document.body) return "page";
  return `${getComputedStyle(shown).outlineStyle} ${shown.outerHTML.slice(0, 100)}`;
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stop = 0; stop < 80; stop++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}
