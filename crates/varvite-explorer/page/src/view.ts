// What the views share: the open files, the server, and the place for messages.

import type { FileInfo, Questions } from "./answers";
import { fill, h } from "./dom";
import { alert, isAbort } from "./refusal";
import type { Route } from "./route";
import type { Server } from "./server";

/** What a view gets from the page. */
export interface Page {
  server: Server;
  version: string;
  /** The files that can be asked. */
  files: FileInfo[];
  /** Says a line to people who cannot see it, and in the foot of the page. */
  say: (line: string) => void;
  /** Shows the state of the address anew, after files were opened again. */
  refresh: () => void;
  /** Keeps the name of the METHOD in the address, for readers of another graph. */
  named: (file: number, node: number, name: string) => void;
  /** Leads to another state. `replace` keeps the history as long as it is. */
  go: (route: Route, how?: "replace") => void;
}

export interface View {
  title: string;
  element: HTMLElement;
  /** Shows another state without starting over; returns false if only a new view can. */
  update: (route: Route) => boolean;
  /** Moves the focus to where work in this view begins. */
  focus: () => void;
  /** Stops what the view waits for. */
  close: () => void;
}

/** A part of a view that shows the answer to one question at a time. */
export class Asked<K extends keyof Questions> {
  private controller = new AbortController();

  constructor(
    private readonly page: Page,
    private readonly question: K,
    /** The place for the message of a failure. */
    private readonly place: HTMLElement,
    private readonly show: (answer: Questions[K][1], milliseconds: number) => void,
    /** Returns whether a view did something about a failure, which then is not said. */
    private readonly mend: (error: unknown) => boolean = () => false,
  ) {}

  /** Asks, in place of the question before. A failure is said in the place of the answer. */
  async ask(fields: Questions[K][0]): Promise<void> {
    this.stop();
    const { signal } = this.controller;
    this.place.setAttribute("aria-busy", "true");
    try {
      const { answer, milliseconds } = await this.page.server.ask(this.question, fields, signal);
      if (!signal.aborted) this.show(answer, milliseconds);
    } catch (error) {
      if (signal.aborted || isAbort(error) || this.mend(error)) return;
      const retry = (): void => void this.ask(fields);
      const { file } = fields as { file?: number };
      const files = file === undefined ? this.page.files.map((open) => open.file) : [file];
      fill(this.place, alert(error, { retry, reopen: () => void reopen(this.page, files) }));
    } finally {
      if (!signal.aborted) this.place.removeAttribute("aria-busy");
    }
  }

  /** Stops waiting for the answer. */
  stop(): void {
    this.controller.abort();
    this.controller = new AbortController();
    this.place.removeAttribute("aria-busy");
  }
}

/**
 * Opens files anew, and shows the state of the address. A file that cannot be opened stays as it is: the next question
 * says what is wrong with it.
 */
export async function reopen(page: Page, files: number[]): Promise<void> {
  for (const file of files) {
    const answer = await page.server
      .ask("reopen", { file }, new AbortController().signal)
      .catch(() => undefined);
    if (answer === undefined) continue;
    const others = page.files.filter((old) => old.file !== file);
    page.files = [...others, answer.answer].sort((one, other) => one.file - other.file);
    page.server.onBehind(answer.behind);
  }
  page.refresh();
}

/** The file of this number, or the first one. */
export function fileOf(page: Page, number: number): FileInfo | undefined {
  return page.files.find((file) => file.file === number) ?? page.files[0];
}

/** A list to choose an open file from; nothing if only one is open. */
export function fileChoice(page: Page, chosen: number | undefined, all: boolean): HTMLSelectElement | null {
  if (page.files.length < 2) return null;
  const options = page.files.map((file) =>
    h("option", { value: file.file, selected: file.file === chosen }, file.name),
  );
  const every = all ? h("option", { value: "", selected: chosen === undefined }, "all files") : null;
  return h("select", { name: "file", "aria-label": "File" }, every, ...options);
}
