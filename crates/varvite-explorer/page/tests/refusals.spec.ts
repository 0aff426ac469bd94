// What goes wrong is said on the page in words, and the page stays.

import { copyFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, Explorer, hits, test } from "./explorer";
import { copyOf, methodNamed, varvite, withSources, zlib } from "./graphs";

test("the code leaves the address at once, and a reload keeps the session", async ({
  page,
  zlib: explorer,
}) => {
  await explorer.open(page, "/search?kind=name&text=inflate");
  expect(page.url()).not.toContain("code");
  await page.reload();
  await expect(hits(page).first()).toBeVisible();
});

test("a tab without a session says how to get one", async ({ page, zlib: explorer }) => {
  await page.goto(`${explorer.address}/#/search`);
  await expect(page.getByRole("alert")).toContainText("Open the address that varvite explore printed");
});

test("a code that was used is refused in words", async ({ page, zlib: explorer }) => {
  const { link } = await explorer.ask<{ link: string }>({ question: "link" });
  await page.goto(link);
  await expect(page.getByRole("search")).toBeVisible();
  await page.evaluate(() => sessionStorage.clear());
  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.getByRole("alert")).toBeVisible();
});

test("a node that is not there is refused in words", async ({ page, zlib: explorer }) => {
  await explorer.open(page, "/symbol?file=0&node=4000000000");
  await expect(page.getByRole("alert")).toContainText("4");
});

test("an address that names no node is refused in words", async ({ page, zlib: explorer }) => {
  await explorer.open(page, "/symbol?file=0&node=abc");
  await expect(page.getByRole("alert")).toContainText("names no node");
});

test("an address of another graph is said, and leads to a search for its METHOD", async ({ page, zlib: explorer }) => {
  const node = methodNamed(zlib(), "inflate");
  await explorer.open(page, `/symbol?file=0&node=${node}`);
  await expect(page).toHaveURL(/name=inflate&graph=[0-9a-f]{8}$/);
  const stale = page.url().replace(/graph=[0-9a-f]{8}$/, "graph=00000000");
  await explorer.open(page, stale.slice(stale.indexOf("#") + 1));
  await expect(page.getByRole("alert")).toContainText("another state of zlib");
  await page.getByRole("button", { name: "Search for inflate" }).click();
  await expect(hits(page).first()).toContainText("inflate");
  await page.goBack();
  await page.getByRole("button", { name: "Show it anyway" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("inflate");
});

test("after a file is replaced and opened again, its old numbers show no other node", async ({ page }) => {
  const path = copyOf(withSources(), "renumbered");
  const explorer = await Explorer.start(path);
  try {
    await explorer.open(page, `/symbol?file=0&node=${methodNamed(path, "main")}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("main");
    renameSync(copyOf(zlib(), "staged"), path);
    await expect(async () => {
      await page.getByRole("tab", { name: "Calls" }).click();
      await page.getByRole("tab", { name: "Syntax tree" }).click();
      await expect(page.getByRole("alert")).toContainText("was replaced", { timeout: 500 });
    }).toPass();
    await page.getByRole("button", { name: "Reopen the file" }).click();
    await expect(page.getByRole("alert")).toContainText("another state of");
    await expect(page.getByRole("button", { name: "Search for main" })).toBeFocused();
  } finally {
    await explorer.stop();
  }
});

test("a file that was removed is said, and others stay", async ({ page }) => {
  const path = copyOf(withSources(), "removed");
  const explorer = await Explorer.start(path);
  try {
    await explorer.open(page);
    await expect(page.getByRole("combobox", { name: "Names and places" })).toBeFocused();
    rmSync(path);
    // The server looks at the path of a file now and then, so a search just before may still be answered.
    await expect(async () => {
      await page.keyboard.type("g");
      await expect(page.getByRole("alert")).toContainText("was removed", { timeout: 500 });
    }).toPass();
    await expect(page.getByRole("button", { name: "Reopen the file" })).toBeVisible();
  } finally {
    await explorer.stop();
  }
});

test("a commit by another program is said at the next answer, with a button that opens it", async ({ page }) => {
  const path = copyOf(withSources(), "committed");
  const explorer = await Explorer.start(path);
  try {
    await explorer.open(page);
    const diff = join(dirname(path), "committed.jsonl");
    writeFileSync(diff, '{"add_node":{"name":"new","labels":["METHOD"],"properties":{"NAME":"newest_function"}}}\n');
    varvite("apply", path, diff);
    await expect(async () => {
      await page.keyboard.type("g");
      await expect(page.getByRole("alert")).toContainText("was changed since", { timeout: 500 });
    }).toPass();
    await page.getByRole("button", { name: "Reopen the file" }).click();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await explorer.open(page, "/search?kind=name&text=newest_function");
    await expect(hits(page).first()).toContainText("newest_function");
  } finally {
    await explorer.stop();
  }
});

test("a file that is not open at the start can be opened later", async ({ page }) => {
  const later = join(dirname(withSources()), "later.varvite");
  const explorer = await Explorer.start(later, zlib());
  try {
    await explorer.open(page);
    await expect(page.getByRole("alert")).toContainText("later.varvite");
    copyFileSync(withSources(), later);
    await page.getByRole("alert").getByRole("button", { name: "Reopen the file" }).click();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expect(page.getByRole("region", { name: "later" })).toBeVisible();
  } finally {
    await explorer.stop();
  }
});

test("a server that has stopped is said, with the command that starts it", async ({ page }) => {
  const explorer = await Explorer.start(withSources());
  await explorer.open(page);
  await explorer.stop();
  await page.keyboard.type("greeting");
  await expect(page.getByRole("alert")).toContainText("Start varvite explore again");
});

/** Answers the next question with a refusal, as a busy server does. */
for (const [status, code, words] of [
  [429, "busy", "Try again in a moment"],
  [422, "over_time", "Ask for less"],
  [409, "replaced", "Reopen"],
] as const) {
  test(`status ${status} is shown with advice and a button that asks again`, async ({
    page,
    zlib: explorer,
  }) => {
    const node = methodNamed(zlib(), "inflate");
    let refused = 0;
    await page.route("**/api/query", async (route) => {
      if (!(route.request().postData() ?? "").includes('"symbol"') || refused > 0) return route.continue();
      refused += 1;
      return route.fulfill({ status, json: { error: { code, message: "refused by the test" } } });
    });
    await explorer.open(page, `/symbol?file=0&node=${node}`);
    await expect(page.getByRole("alert")).toContainText("refused by the test");
    await expect(page.getByRole("alert")).toContainText(words);
    await page.getByRole("alert").getByRole("button").last().click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("inflate");
  });
}
