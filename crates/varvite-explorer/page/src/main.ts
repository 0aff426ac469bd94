// Starts the page: the session, the frame around the views, and the way from an address to a view.

import { isBroken, isOpen } from "./files";
import { fill, h, on, set } from "./dom";
import { alert } from "./refusal";
import { hasNumbers, methodText, parse, type Route, type Stamp, stamped, stampOf } from "./route";
import { Refusal, Server } from "./server";
import { themeButton } from "./theme";
import { type Page, reopen, type View } from "./view";
import type { BrokenFile } from "./answers";
import { pathsView } from "./views/paths";
import { runsView } from "./views/runs";
import { searchView } from "./views/search";
import { symbolView } from "./views/symbol";

const VIEWS = { search: "Search", symbol: "Symbol", paths: "Paths", runs: "Runs" } as const;
type ViewName = keyof typeof VIEWS;

/** The code of the command's link, and the state behind it: `#code=1f..` or `#code=1f..&/symbol?file=0`. */
const LAUNCH = /^#code=([0-9a-f]+)(?:&(.*))?$/;

const KEYS = {
  "/": "search",
  "↓ ↑ Enter": "choose a result, open it",
  Enter: "in a source: open the name at the caret",
  "Ctrl+F": "in a source: find a text",
  "← →": "on a tab: the next drawing",
  "n p": "in a drawing: the next box, the one before; Enter opens it",
  "↑ ↓ ← → Enter o Esc": "in a flame graph: choose a frame, widen it, open its source, show all",
  "+ − 0": "in a drawing: larger, smaller, fit",
};

class Shell {
  private readonly main = h("main", { id: "main", tabindex: -1 });
  private readonly status = h("div", { class: "status", role: "status" });
  private readonly links = new Map<ViewName, HTMLAnchorElement>();
  /** The last address of each view, with its stamp: its numbers keep their meaning. */
  private readonly last = new Map<ViewName, string>();
  /** The names of METHODs by file and node. */
  private readonly names = new Map<string, string>();
  /** What a person has to know of the files. */
  private readonly notices = h("div", { class: "notices" });
  private broken: BrokenFile[] = [];
  private noticed = "";
  private view: View | undefined;
  private page: Page | undefined;

  constructor() {
    fill(document.body, skipLink(), this.header(), this.main, h("footer", {}, this.status, keys()));
    addEventListener("hashchange", () => {
      // A link with a code that is opened over an open page begins a session, as in an empty tab.
      if (LAUNCH.test(location.hash)) location.reload();
      else this.show(parse(location.hash));
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  async start(): Promise<void> {
    try {
      const server = await session();
      const { answer } = await server.ask("files", {}, new AbortController().signal);
      this.page = {
        server,
        version: answer.version,
        files: answer.files.filter(isOpen),
        say: (line) => fill(this.status, line),
        refresh: () => this.refresh(),
        named: (file, node, name) => this.named(file, node, name),
        go: (route, how) => this.go(route, how),
      };
      this.main.before(this.notices);
      this.broken = answer.files.filter(isBroken);
      server.onBehind = (behind) => this.notice(behind);
      this.notice([]);
      this.show(parse(location.hash));
    } catch (error) {
      fill(this.main, h("h1", {}, "The explorer has no session"), alert(error));
    }
  }

  private header(): HTMLElement {
    const items = Object.entries(VIEWS).map(([name, title]) => {
      const link = h("a", { href: `#/${name}` }, title);
      this.links.set(name as ViewName, link);
      return h("li", {}, link);
    });
    const nav = h("nav", { "aria-label": "Views" }, h("ul", {}, ...items));
    return h("header", {}, h("span", { class: "product" }, "Varvite"), nav, this.linkButton(), themeButton());
  }

  /** Makes a link for a second tab or browser, with the state that is shown. */
  private linkButton(): HTMLElement {
    const copy = async (page: Page): Promise<void> => {
      const { answer } = await page.server.ask("link", {}, new AbortController().signal);
      await navigator.clipboard.writeText(`${answer.link}&${location.hash.slice(1)}`);
      page.say("The link is copied. It works once, on this machine.");
    };
    const button = h(
      "button",
      { type: "button", title: "Copy a link that works once, in another tab" },
      "Copy link",
    );
    return on(button, "click", () => {
      const page = this.page;
      if (page !== undefined) copy(page).catch((error: unknown) => page.say(String(error)));
    });
  }

  private show(route: Route): void {
    const page = this.page;
    if (page === undefined) return;
    const stamp = stampOf(location.hash);
    const graph = this.graphOf(route);
    if (stamp.graph !== undefined && graph !== undefined && stamp.graph !== graph && hasNumbers(route))
      return this.replace(page, staleView(page, route, stamp, () => this.showNow(page, route)));
    this.showNow(page, route);
  }

  private showNow(page: Page, route: Route): void {
    history.replaceState(null, "", this.address(route));
    this.mark(route);
    if (this.view?.update(route) === true) return;
    this.replace(page, make(page, route));
  }

  private replace(page: Page, view: View): void {
    this.view?.close();
    this.view = view;
    page.say("");
    fill(this.main, this.view.element);
    document.title = `${this.view.title} · Varvite explorer`;
    this.view.focus();
  }

  /** Names files that are not open, and those with a newer commit, each with a button that opens it again. */
  private notice(behind: number[]): void {
    const page = this.page;
    if (page === undefined) return;
    const isOpen = (number: number): boolean => page.files.some(({ file }) => file === number);
    this.broken = this.broken.filter(({ file }) => !isOpen(file));
    const key = JSON.stringify([behind, this.broken.map(({ file }) => file)]);
    if (key === this.noticed) return;
    this.noticed = key;
    const broken = this.broken.map(({ file, path, error }) => [file, `${path}: ${error}`] as const);
    const old = page.files.filter(({ file }) => behind.includes(file)).map(({ file, name }) => {
      return [file, `${name} was changed since it was opened: the page shows it as it was.`] as const;
    });
    const alerts = [...broken, ...old].map(([file, text]) => {
      const again = (): void => void reopen(page, [file]);
      return alert(new Refusal("unreadable", text), { retry: again, reopen: again });
    });
    fill(this.notices, ...alerts);
  }

  /** Shows the state of the address by a new view. */
  private refresh(): void {
    this.view?.close();
    this.view = undefined;
    this.show(parse(location.hash));
  }

  /** The address of a state, with the identity of its graph and the name of its METHOD. */
  private address(route: Route): string {
    const name = route.view === "symbol" ? this.names.get(`${route.file} ${route.node}`) : undefined;
    return stamped(route, { graph: hasNumbers(route) ? this.graphOf(route) : undefined, name });
  }

  private graphOf({ file }: Route): string | undefined {
    return this.page?.files.find((open) => open.file === file)?.id;
  }

  private named(file: number, node: number, name: string): void {
    this.names.set(`${file} ${node}`, name);
    const route = parse(location.hash);
    if (route.view !== "symbol" || route.file !== file || route.node !== node) return;
    history.replaceState(null, "", this.address(route));
    this.mark(route);
  }

  /** Marks the view in the navigation, whose links lead to the last state of each view. */
  private mark(route: Route): void {
    this.last.set(route.view, this.address(route));
    for (const [name, link] of this.links) {
      const last = this.last.get(name);
      set(link, { "aria-current": name === route.view ? "page" : null, href: last ?? `#/${name}` });
      // A page of a symbol needs a symbol, which a search or another view leads to.
      if (name === "symbol") set(link, { hidden: last === undefined });
    }
  }

  private go(route: Route, how?: "replace"): void {
    const address = this.address(route);
    if (how === "replace") {
      history.replaceState(null, "", address);
      this.mark(route);
    } else if (address !== location.hash) {
      location.hash = address;
    }
  }

  /** `/` leads to the search, as long as no text is being typed. */
  private key(event: KeyboardEvent): void {
    const target = event.composedPath()[0];
    const isTyping =
      target instanceof HTMLElement && (target.matches("input, textarea, select") || isEdited(target));
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    if (this.view?.title === VIEWS.search) this.view.focus();
    else this.go(parse(this.last.get("search") ?? "#/search"));
  }
}

/** Whether keys write text into an element. The source pane takes keys, but cannot be changed. */
function isEdited(element: HTMLElement): boolean {
  return element.isContentEditable && element.getAttribute("aria-readonly") !== "true";
}

/** Says that the numbers of an address belong to another graph, in place of another node than was meant. */
function staleView(page: Page, route: Route, { name }: Stamp, showAnyway: () => void): View {
  const file = page.files.find((open) => open.file === route.file)?.name ?? "the file";
  const text = `This address is of another state of ${file}: its numbers may mean other nodes now.`;
  const search = on(h("button", { type: "button" }, `Search for ${name ?? "the node"}`), "click", () => {
    page.go({ view: "search", file: route.file ?? 0, kind: "name", text: name === undefined ? "" : methodText(name) });
  });
  const anyway = on(h("button", { type: "button" }, "Show it anyway"), "click", showAnyway);
  const element = h("div", { class: "stale" }, alert(new Error(text)), h("div", { class: "tools" }, search, anyway));
  const nothing = (): void => undefined;
  return { title: "Another graph", element, update: () => false, focus: () => search.focus(), close: nothing };
}

function make(page: Page, route: Route): View {
  switch (route.view) {
    case "search":
      return searchView(page, route);
    case "symbol":
      return symbolView(page, route);
    case "paths":
      return pathsView(page, route);
    case "runs":
      return runsView(page, route);
  }
}

/** The session of the link's code, or that of this tab before a reload. The code leaves the address at once. */
async function session(): Promise<Server> {
  const launch = LAUNCH.exec(location.hash);
  if (launch !== null) {
    history.replaceState(null, "", launch[2] === undefined ? "#/search" : `#${launch[2]}`);
    return Server.login(launch[1] ?? "");
  }
  const server = Server.resume();
  if (server === undefined) throw new Refusal("no_token", "This tab has no session.", 401);
  return server;
}

function skipLink(): HTMLElement {
  const link = h("a", { class: "skip", href: "#main" }, "Skip to the content");
  return on(link, "click", (event) => {
    event.preventDefault();
    document.getElementById("main")?.focus();
  });
}

/** The keys of the page, for people who do not guess them. */
function keys(): HTMLElement {
  const rows = Object.entries(KEYS).flatMap(([key, use]) => [
    h("dt", {}, h("kbd", {}, key)),
    h("dd", {}, use),
  ]);
  return h("details", { class: "keys" }, h("summary", {}, "Keys"), h("dl", {}, ...rows));
}

void new Shell().start();
