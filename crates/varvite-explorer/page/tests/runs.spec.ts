// What ran: the flame graph in its frame, the timeline, and two layers compared.

import { expect, test } from "./explorer";
import { answer, zlib } from "./graphs";

interface Runs {
  rows: { layer: string; default_measure: string }[];
}

interface Difference {
  function: string;
  difference: number;
}

async function layers(explorer: { ask: <A>(question: object) => Promise<A> }): Promise<[string, string]> {
  const { rows } = await explorer.ask<Runs>({ question: "runs", file: 0 });
  expect(rows).toHaveLength(2);
  return [rows[0]?.layer ?? "", rows[1]?.layer ?? ""];
}

test("the flame graph is shown in a frame that can run its own script alone", async ({
  page,
  zlib: explorer,
}) => {
  const [layer] = await layers(explorer);
  await explorer.open(page, `/runs?file=0&layer=${encodeURIComponent(layer)}`);
  const frame = page.locator("iframe.flame");
  await expect(frame).toHaveAttribute("sandbox", "allow-scripts");
  await expect(frame.contentFrame().getByText("deflateInit2_").first()).toBeVisible();
});

test("a click on a frame opens the METHOD", async ({ page, zlib: explorer }) => {
  const [layer] = await layers(explorer);
  await explorer.open(page, `/runs?file=0&layer=${encodeURIComponent(layer)}`);
  await page.locator("iframe.flame").contentFrame().getByText("deflateInit2_").first().click();
  await expect(page).toHaveURL(/#\/symbol\?file=0&node=\d+/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("deflateInit2_");
});

test("the timeline has the peak of the run, and a slider over its moments", async ({
  page,
  zlib: explorer,
}) => {
  const [layer] = await layers(explorer);
  const { rows } = await explorer.ask<{ rows: { ms: number; live_bytes: number }[] }>({
    question: "timeline",
    file: 0,
    layer,
  });
  const peak = Math.max(...rows.map((row) => row.live_bytes));
  await explorer.open(page, `/runs?file=0&layer=${encodeURIComponent(layer)}&show=timeline`);
  const units = peak < 1e6 ? `${(peak / 1e3).toFixed(1)} kB` : `${(peak / 1e6).toFixed(1)} MB`;
  await expect(page.getByRole("img", { name: `: ${units}.` })).toBeVisible();
  await page.getByRole("slider", { name: "Moment" }).press("Home");
  await expect(
    page.getByRole("status").or(page.locator("output")).filter({ hasText: " ms: " }).first(),
  ).toBeVisible();
});

test("two layers are compared as the command compares them", async ({ page, zlib: explorer }) => {
  const [first, second] = await layers(explorer);
  await explorer.open(page, `/runs?file=0&layer=${encodeURIComponent(first)}&show=compare`);
  await page.getByLabel("Compare with").selectOption({ label: `${second} of zlib` });
  const { rows } = await explorer.ask<{ rows: Difference[] }>({
    question: "compare",
    first: { file: 0, layer: first },
    second: { file: 0, layer: second },
  });
  const shown = page.getByRole("region", { name: "Comparison" }).locator("tbody tr");
  await expect(shown).toHaveCount(rows.length);
  await expect(shown.first()).toContainText(rows[0]?.function ?? "");
  const names = answer<{ function?: string }[]>("heap", "diff", zlib(), "--name", "plain", "--to", "fast");
  expect(rows.map((row) => row.function)).toEqual(
    expect.arrayContaining(names.slice(0, 3).map((row) => row.function)),
  );
});

test("a file without a run says how to add one", async ({ page, greet: explorer }) => {
  await explorer.open(page, "/runs?file=0");
  await expect(page.getByText("The file has no run").first()).toBeVisible();
});
