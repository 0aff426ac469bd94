// The search finds what the command finds, and works by keyboard alone.

import { expect, Explorer, hits, test } from "./explorer";
import { answer, broken, methodNamed, type Row, varvite, withSources, zlib } from "./graphs";

test("a name is found as it is typed, and Enter opens it", async ({ page, zlib: explorer }) => {
  await explorer.open(page);
  await page.keyboard.type("inflate_ta");
  const first = hits(page).first();
  await expect(first).toContainText("inflate_table");
  await expect(first).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`#/symbol\\?file=0&node=${methodNamed(zlib(), "inflate_table")}`));
});

test("results have the names of their files, beside a file that is not open", async ({ page }) => {
  const explorer = await Explorer.start(broken(), zlib(), withSources());
  try {
    await explorer.open(page, "/search?kind=name&text=inflate_table");
    await expect(hits(page).first().locator(".file-name")).toHaveText("zlib");
    await explorer.open(page, "/search?kind=name&text=greeting");
    await expect(hits(page).first().locator(".file-name")).toHaveText("greet");
  } finally {
    await explorer.stop();
  }
});

test("arrows move through the results, and the field keeps the focus", async ({ page, zlib: explorer }) => {
  await explorer.open(page, "/search?kind=name&text=deflate");
  await expect(hits(page).nth(1)).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(hits(page).nth(1)).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("combobox", { name: "Names and places" })).toBeFocused();
});

test("every METHOD that the command finds by a whole name is found", async ({ page, zlib: explorer }) => {
  const rows = answer<Row[]>("find", zlib(), "METHOD", "NAME~.*inflate.*");
  await explorer.open(page, "/search?kind=name&text=METHOD%3Ainflate");
  await expect(hits(page).first()).toBeVisible();
  const shown = await hits(page).locator(".hit-name").allTextContents();
  const names = rows.map((row) => row.NAME);
  for (const name of shown) expect(names).toContain(name);
});

test("a slash leads to the search from any view", async ({ page, zlib: explorer }) => {
  await explorer.open(page, `/symbol?file=0&node=${methodNamed(zlib(), "inflate")}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("inflate");
  await page.keyboard.press("/");
  await expect(page.getByRole("combobox", { name: "Names and places" })).toBeFocused();
});

test("a query in Joern's language has the rows of the command", async ({ page, zlib: explorer }) => {
  const query = 'cpg.call("memcpy").l';
  const rows = answer<Row[]>("ask", zlib(), query);
  await explorer.open(page);
  await page.keyboard.type("cpg.");
  await expect(page.getByRole("searchbox", { name: "Joern's language" })).toBeFocused();
  await page.keyboard.type('call("memcpy").l');
  await page.keyboard.press("Enter");
  await expect(page.locator(".answer tbody tr")).toHaveCount(rows.length);
  const places = await page.locator(".answer tbody .place").allTextContents();
  expect(places).toEqual(rows.map((row) => `${row.file}:${row.line}`));
});

test("a query that is not understood is shown with the place of the fault", async ({
  page,
  zlib: explorer,
}) => {
  await explorer.open(page, "/search?kind=ask&text=cpg.method.nonsense.l");
  await expect(page.getByRole("alert")).toContainText("nonsense");
  await expect(page.getByLabel("Place of the fault")).toContainText("^^^");
});

test("the answer of a query can be saved as CSV and copied as a program", async ({
  page,
  zlib: explorer,
}) => {
  await explorer.open(page, "/search?kind=ask&text=cpg.method.name%28%22inflate%22%29.name.l");
  await expect(page.locator(".answer tbody tr")).not.toHaveCount(0);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const stream = await (await download).createReadStream();
  const text = (await stream.toArray()).join("");
  expect(text.split("\r\n")[1]).toBe("inflate");
  await page.getByText("Copy as command, Rust, Java, Python").click();
  await expect(page.getByLabel("Command", { exact: true })).toContainText("varvite ask");
  for (const language of ["Rust", "Java", "Python"]) {
    await expect(page.getByLabel(language, { exact: true })).not.toBeEmpty();
  }
});

test("a plan is asked as JSON, and a text that is none is refused", async ({ page, zlib: explorer }) => {
  const node = methodNamed(zlib(), "inflate");
  await explorer.open(page);
  await page.getByLabel("What the text is").selectOption("Plan (JSON)");
  const field = page.getByRole("textbox", { name: "Plan in JSON" });
  await field.fill(`{"version": 1, "steps": [{"step": "ids", "ids": [${node}]}]}`);
  await field.press("Control+Enter");
  await expect(page.locator(".answer tbody tr")).toHaveText(/inflate/);
  await field.fill("{");
  await page.getByRole("button", { name: "Run" }).click();
  await expect(page.getByRole("alert")).toContainText("The plan is not JSON");
});

test("an empty search shows the files with their labels", async ({ page, zlib: explorer }) => {
  const [counts] = /[\d,]+ nodes, [\d,]+ edges/.exec(varvite("info", zlib())) ?? [""];
  await explorer.open(page);
  await expect(page.getByText(counts)).toBeVisible();
  await page.getByRole("link", { name: "METHOD", exact: true }).click();
  await expect(hits(page).first()).toContainText("METHOD");
});
