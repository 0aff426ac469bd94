// Names and code that attack are shown as text. `objections` fails a test if something ran, loaded or opened.

import { expect, settled, test, visit } from "./explorer";
import { answer, hostile, type Row } from "./graphs";
import { ATTACKS } from "./hostile_graph";
import type { Page } from "@playwright/test";

/** Nothing that a graph holds became an element, an address of the page, or hidden text. */
async function expectTextAlone(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots) {
      for (const element of root.querySelectorAll("*"))
        if (element.shadowRoot !== null) roots.push(element.shadowRoot);
    }
    const inserted = roots.flatMap((root) => [
      ...root.querySelectorAll("body script, body img, body svg[onload], [srcdoc]"),
    ]);
    const links = roots.flatMap((root) => [...root.querySelectorAll("[href], [src]")]);
    const addresses = links.map((link) => link.getAttribute("href") ?? link.getAttribute("src") ?? "");
    const texts = roots.map(
      (root) => (root instanceof Document ? root.body.innerText : root.textContent) ?? "",
    );
    return { inserted: inserted.map((element) => element.outerHTML), addresses, text: texts.join("\n") };
  });
  expect(found.inserted).toEqual([]);
  for (const address of found.addresses) expect(address).toMatch(/^(#|\/assets\/|\/view\/|blob:)/);
  expect(found.text).not.toMatch(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2066-\u2069]/,
  );
}

test("every attack is text in its symbol page and the drawings", async ({ page, hostile: explorer }) => {
  test.slow();
  await explorer.open(page);
  for (const [index, attack] of ATTACKS.entries()) {
    await visit(page, `/symbol?file=0&node=${nodeOf(index)}&tab=calls`);
    await expect(page.getByRole("heading", { level: 1 }), attack).toContainText(visiblePart(attack));
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      await settled(page);
      await expectTextAlone(page);
    }
  }
});

test("attacks are text in results, tables, paths and the data of the start", async ({
  page,
  hostile: explorer,
}) => {
  const states = [
    "/search",
    "/search?kind=name&text=METHOD",
    "/search?kind=name&text=script",
    "/search?kind=ask&text=cpg.call.code.l",
    "/search?kind=ask&text=cpg.method.l",
    "/symbol?file=0&node=0",
    `/search?kind=name&text=${encodeURIComponent(ATTACKS[0] ?? "")}`,
    `/paths?file=0&from=${encodeURIComponent(ATTACKS[1] ?? "")}&to=x`,
  ];
  await explorer.open(page);
  for (const state of states) {
    await visit(page, state);
    await expectTextAlone(page);
  }
});

test("the caller of all attacks lists them, and a click on one stays in the page", async ({
  page,
  hostile: explorer,
}) => {
  const [main] = answer<Row[]>("find", hostile(), "METHOD", "NAME=main");
  await explorer.open(page, `/symbol?file=0&node=${main?.node}&tab=calls`);
  const callees = page.getByRole("region", { name: /^Callees/ }).getByRole("listitem");
  await expect(callees).toHaveCount(ATTACKS.length);
  await expectTextAlone(page);
  await callees.filter({ hasText: "javascript:alert('address')" }).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("javascript:alert('address')");
});

test("attacks are text in the flame graph", async ({ page, hostile: explorer }) => {
  await explorer.open(page, "/runs?file=0");
  const frame = page.locator("iframe.flame").contentFrame();
  await expect(frame.getByText("<img src=x onerror=alert(1)>").first()).toBeAttached();
  expect(await frame.locator("img").count()).toBe(0);
});

/** The METHOD with an attack: its line is two more than the number of the attack. */
function nodeOf(index: number): number {
  const [row] = answer<Row[]>("find", hostile(), "METHOD", `LINE_NUMBER=${index + 2}`);
  if (row === undefined) throw new Error(`no METHOD has attack ${index}`);
  return row.node;
}

/** The first letters of an attack that are shown as they are. */
function visiblePart(attack: string): string {
  return /[ -~]{2,}/.exec(attack)?.[0].trim() ?? "";
}
