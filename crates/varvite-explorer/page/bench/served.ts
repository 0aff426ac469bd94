// Serves the files of another program, and a few more, to the browser of a measurement.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, extname, join } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".txt": "text/plain",
};

/** Serves a folder without its subfolders, and files under names of their own. */
export async function serve(
  files: Record<string, string>,
  folder: string,
): Promise<{ address: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://localhost").pathname;
    try {
      const body = readFileSync(files[name] ?? join(folder, basename(name)));
      response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "application/octet-stream" });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> => new Promise((done) => server.close(() => done()));
  return { address: `http://127.0.0.1:${port}`, stop };
}
