// Starts `varvite explore` for tests, and opens its page in a browser that reports whatever it objects to.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test as base, expect, type FrameLocator, type Locator, type Page } from "@playwright/test";
import { hostile, sqlite, VARVITE, withSources, zlib } from "./graphs";

/** A running explorer. */
export class Explorer {
  private constructor(
    private readonly process: ChildProcess,
    readonly address: string,
    private readonly token: string,
  ) {}

  /** Starts the command on a free port, and takes the code of the link that it prints. */
  static async start(...files: string[]): Promise<Explorer> {
    const process = spawn(VARVITE, ["explore", ...files, "--port", "0"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: process.stdout });
    for await (const line of lines) {
      const link = /(http:\/\/127\.0\.0\.1:\d+)\/#code=([0-9a-f]+)/.exec(line);
      if (link === null) continue;
      const [, address = "", code = ""] = link;
      return new Explorer(process, address, await login(address, code));
    }
    throw new Error("varvite explore printed no link");
  }

  /** The number of the process. */
  get pid(): number {
    return this.process.pid ?? 0;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    this.process.kill("SIGTERM");
    await once(this.process, "exit");
  }

  /** Asks the server without a browser. */
  async ask<A>(question: object): Promise<A> {
    const headers = { "Content-Type": "application/json", "X-Varvite-Token": this.token };
    const response = await fetch(`${this.address}/api/query`, {
      method: "POST",
      headers,
      body: JSON.stringify(question),
    });
    const body = (await response.json()) as { answer: A };
    return body.answer;
  }

  /** Opens a state of the page, in a session of its own. */
  async open(page: Page, state = "/search"): Promise<void> {
    const { link } = await this.ask<{ link: string }>({ question: "link" });
    // An address that differs in its fragment alone would not load the page anew.
    await page.goto("about:blank");
    await page.goto(`${link}&${state}`);
    await expect(page.locator("main :first-child").first()).toBeVisible();
  }
}

/** Leads an open page to another state. */
export async function visit(page: Page, state: string): Promise<void> {
  await page.evaluate((address) => {
    location.hash = address;
  }, state);
  await settled(page);
}

async function login(address: string, code: string): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${address}/api/login`, {
    method: "POST",
    headers,
    body: JSON.stringify({ code }),
  });
  return ((await response.json()) as { token: string }).token;
}

/** What the browser objected to, or what ran that must not run. */
export type Objections = string[];

interface Graphs {
  zlib: Explorer;
  greet: Explorer;
  hostile: Explorer;
  sqlite: Explorer;
}

/** Tests with explorers of each graph. A test fails if the browser objected to something. */
export const test = base.extend<{ objections: Objections }, Graphs>({
  objections: [
    async ({ page }, use) => {
      const objections: Objections = [];
      watch(page, objections);
      await use(objections);
      expect(objections).toEqual([]);
    },
    { auto: true },
  ],
  zlib: [async ({}, use) => run([zlib()], use), { scope: "worker" }],
  greet: [async ({}, use) => run([withSources()], use), { scope: "worker" }],
  hostile: [async ({}, use) => run([hostile()], use), { scope: "worker" }],
  sqlite: [async ({}, use) => run([sqlite()], use), { scope: "worker", timeout: 120_000 }],
});

async function run(files: string[], use: (explorer: Explorer) => Promise<void>): Promise<void> {
  const explorer = await Explorer.start(...files);
  await use(explorer);
  await explorer.stop();
}

/** Collects errors of the console, which include violations of the security policy; faults; dialogs; windows. */
function watch(page: Page, objections: Objections): void {
  page.on("console", (message) => {
    // A refused question is part of some tests, and the browser reports its status.
    const isStatus = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isStatus) objections.push(message.text());
  });
  page.on("pageerror", (error) => objections.push(String(error)));
  page.on("popup", () => objections.push("a window was opened"));
  page.on("dialog", (dialog) => {
    objections.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|blob:|about:blank)/.test(request.url()))
      objections.push(`request: ${request.url()}`);
  });
}

/** The results of a search. */
export function hits(page: Page): Locator {
  return page.getByRole("listbox", { name: "Results" }).getByRole("option");
}

/** The document of the flame graph. */
export function flameOf(page: Page): FrameLocator {
  return page.locator("iframe.flame").contentFrame();
}

/** The box of a function in the flame graph. */
export function frameOf(page: Page, name: string): Locator {
  const frames = flameOf(page).locator("g");
  return frames
    .filter({ hasText: `${name}: ` })
    .last()
    .locator("rect")
    .first();
}

/** Waits until no part of the page waits for an answer, and what was inserted had time to load or run. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator("[aria-busy]")).toHaveCount(0);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
}

export { expect };
