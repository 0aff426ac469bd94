// Asks the server. Every failure is a `Refusal`, whose message can be shown to people.

import type { Questions } from "./answers";

/** The server refused a question, or did not answer. `code` is a word of the server, or `gone`. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status = 0,
    /** Lines that point at the fault in a query. */
    readonly pointed = "",
  ) {
    super(message);
  }
}

export interface Answer<A> {
  answer: A;
  milliseconds: number;
  /** The numbers of files that have a newer commit than the one that is shown. */
  behind: number[];
}

/** The place of the token that survives a reload of this tab. Other ports and tabs cannot read it. */
const KEPT = "varvite-token";

export class Server {
  /** Is called with `behind` of each answer. */
  onBehind = (_: number[]): void => undefined;

  private constructor(private readonly token: string) {}

  /** Begins a session with a launch code, which the server takes once. */
  static async login(code: string): Promise<Server> {
    const { token } = await post<{ token: string }>("/api/login", { code }, {});
    sessionStorage.setItem(KEPT, token);
    return new Server(token);
  }

  /** Continues the session of this tab after a reload, if there was one. */
  static resume(): Server | undefined {
    const token = sessionStorage.getItem(KEPT);
    return token === null ? undefined : new Server(token);
  }

  /** Asks a question. When `signal` aborts, the server stops its work. */
  async ask<K extends keyof Questions>(
    question: K,
    fields: Questions[K][0],
    signal: AbortSignal,
  ): Promise<Answer<Questions[K][1]>> {
    const headers = { "X-Varvite-Token": this.token };
    const body = { question, ...fields };
    const answer = await post<Answer<Questions[K][1]>>("/api/query", body, headers, signal);
    this.onBehind(answer.behind);
    return answer;
  }
}

async function post<T>(
  path: string,
  body: unknown,
  headers: Record<string, string>,
  signal: AbortSignal | null = null,
): Promise<T> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
    credentials: "omit",
    cache: "no-store",
    signal,
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new Refusal("gone", "The server does not answer.");
  });
  return read<T>(response);
}

interface Fault {
  error?: { code?: string; message?: string; pointed?: string };
}

async function read<T>(response: Response): Promise<T> {
  const body = (await response.json().catch(() => undefined)) as (T & Fault) | undefined;
  if (response.ok && body !== undefined && body.error === undefined) return body;
  const message = body?.error?.message ?? `The server answered with status ${response.status}.`;
  const code = body?.error?.code ?? (response.status === 429 ? "busy" : String(response.status));
  throw new Refusal(code, message, response.status, body?.error?.pointed);
}
