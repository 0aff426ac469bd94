// Paths have the steps of the command's paths, each beside its source.

import { expect, test } from "./explorer";
import { answer, methodNamed, type Row, varvite, zlib } from "./graphs";

test("a path along calls has the nodes of the command's path", async ({ page, zlib: explorer }) => {
  const rows = answer<Row[]>("path", zlib(), "uncompress", "inflate_table", "--along", "CALL");
  await explorer.open(page, "/paths");
  await page.getByRole("combobox", { name: "From" }).fill("uncompress");
  await page.getByRole("combobox", { name: "To" }).fill("inflate_table");
  await page.getByRole("button", { name: "Find paths" }).click();
  const steps = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
  await expect(steps).toHaveCount(rows.length);
  const opened = await steps
    .getByRole("link", { name: /^open step/ })
    .evaluateAll((links) => links.map((link) => /node=(\d+)/.exec(link.getAttribute("href") ?? "")?.[1]));
  expect(opened).toEqual(rows.map((row) => String(row.node)));
});

test("a copied command finds the same path, and a copied program of a value is none", async ({ page, zlib: explorer }) => {
  await explorer.open(page, "/paths?file=0&from=uncompress&to=inflate_table");
  await page.getByText("Copy as command").click();
  const [program, ...words] = ((await page.getByLabel("Command", { exact: true }).textContent()) ?? "").split(" ");
  expect(program).toBe("varvite");
  expect(varvite(...words, "--columns", "NAME")).toContain("inflate_table");
  await explorer.open(page, "/search?kind=ask&text=cpg.method.size");
  await page.getByText(/^Copy as/).click();
  await expect(page.getByLabel("Python", { exact: true })).toContainText("cpg.method.size");
  await expect(page.getByLabel("Rust")).toHaveCount(0);
});

test("a walk through the steps shows the source of each", async ({ page, greet: explorer }) => {
  await explorer.open(page, "/paths?file=0&from=main&to=greeting");
  const steps = page.getByRole("list", { name: "Steps" });
  await expect(steps.locator("[aria-current=step]")).toContainText("main");
  await expect(page.locator(".marked-line")).toContainText("int main(void)");
  await page.getByRole("button", { name: "Next step" }).click();
  await expect(page).toHaveURL(/step=1/);
  await expect(page.locator(".marked-line")).toContainText("greeting");
});

test("data flow is followed inside a METHOD", async ({ page, zlib: explorer }) => {
  const [parameter] = answer<Row[]>(
    "ask",
    zlib(),
    'cpg.method.fullNameExact("inflate_table").parameter.name("codes").l',
  );
  const [use] = answer<Row[]>(
    "ask",
    zlib(),
    'cpg.method.fullNameExact("inflate_table").ast.isIdentifier.name("codes").l',
  );
  await explorer.open(page, `/paths?file=0&from=${parameter?.node}&to=${use?.node}&flow=true`);
  await expect(page.getByRole("radio", { name: /^flow of values within a function/ })).toBeChecked();
  await expect(page.getByRole("list", { name: "Steps" }).getByRole("listitem").last()).toContainText(
    "REACHING_DEF",
  );
});

test("where no path leads, the page says so", async ({ page, zlib: explorer }) => {
  const [from, to] = [methodNamed(zlib(), "inflate_table"), methodNamed(zlib(), "deflate")];
  await explorer.open(page, `/paths?file=0&from=${from}&to=${to}`);
  await expect(page.getByText(/^No path was found: the search visited \d+ nodes?\.$/).first()).toBeVisible();
});

test("a name that nothing has is refused in words", async ({ page, zlib: explorer }) => {
  await explorer.open(page, "/paths?file=0&from=inflat&to=deflate");
  await expect(page.getByRole("alert")).toContainText("inflat");
});

test("without a path of values the page says what it does not follow", async ({ page, zlib: explorer }) => {
  await explorer.open(page, "/paths?file=0&from=compress&to=inflate_table&flow=true");
  await expect(page.getByText("Flows into the functions that are called are not followed")).toBeVisible();
});

test("more paths than are shown are said", async ({ page, zlib: explorer }) => {
  await page.route("**/api/query", async (route) => {
    if (!(route.request().postData() ?? "").includes('"paths"')) return route.continue();
    const response = await route.fetch();
    const body = (await response.json()) as { answer: { more: boolean; paths: { left_off: number }[] } };
    body.answer.more = true;
    for (const path of body.answer.paths) path.left_off = 1234;
    return route.fulfill({ response, json: body });
  });
  await explorer.open(page, "/paths?file=0&from=uncompress&to=inflate_table");
  await expect(page.locator(".summary")).toContainText(", and more");
  await expect(page.getByText("+1,234 more steps")).toBeVisible();
});
