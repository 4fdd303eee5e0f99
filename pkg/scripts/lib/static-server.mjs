// A static file server on loopback, for the demo page and the browser tests.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

/** @type {Record<string, string>} */
const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".f32": "application/octet-stream",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

const HEADERS = {
  // WebAssembly needs 'wasm-unsafe-eval'; nothing here may need 'unsafe-eval' or an inline script.
  "content-security-policy":
    "script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // The files change under a developer's hands.
  "cache-control": "no-cache",
};

/**
 * @typedef {{
 *   mounts: Record<string, string>,
 *   answers?: Record<string, () => { type: string, body: string }>,
 *   headers?: Record<string, string>,
 *   port?: number,
 * }} StaticServerOptions
 *   mounts: URL prefix (starting and ending with `/`) to folder, the longest prefix wins;
 *   answers: exact path to a generated answer; headers: on top of the default ones; port: 0 or none picks one
 */

/**
 * @param {StaticServerOptions} options
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 * @throws when the port is taken
 */
export async function serve({ mounts, answers = {}, headers = {}, port = 0 }) {
  const prefixes = Object.keys(mounts).sort((a, b) => b.length - a.length);
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries({ ...HEADERS, ...headers })) {
      response.setHeader(name, value);
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return end(response, 405, "only GET and HEAD");
    }
    const path = pathOf(request.url ?? "/");
    if (path === undefined) return end(response, 400, "malformed path");
    const answer = answers[path]?.();
    if (answer) {
      response.setHeader("content-type", answer.type);
      return end(response, 200, answer.body);
    }
    const prefix = prefixes.find((candidate) => path.startsWith(candidate));
    const file = prefix && fileAt(mounts[prefix] ?? "", path.slice(prefix.length));
    if (!file) return end(response, 404, "not found");
    response.setHeader("content-type", TYPES[extname(file.path)] ?? "application/octet-stream");
    response.setHeader("content-length", file.size);
    if (request.method === "HEAD") return response.end();
    const stream = createReadStream(file.path);
    stream.on("error", () => response.destroy());
    stream.pipe(response);
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(undefined));
  });
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve(undefined));
      }),
  };
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {string} body
 */
function end(response, status, body) {
  response.statusCode = status;
  if (!response.hasHeader("content-type"))
    response.setHeader("content-type", "text/plain; charset=utf-8");
  response.end(body);
}

/**
 * @param {string} url a request's target
 * @returns {string | undefined} the decoded path; nothing when it is malformed
 */
function pathOf(url) {
  try {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
    return path.includes("\0") ? undefined : path;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} folder
 * @param {string} path below it
 * @returns {{ path: string, size: number } | undefined} a regular file inside the folder
 */
function fileAt(folder, path) {
  const below = normalize(`/${path.endsWith("/") || path === "" ? `${path}index.html` : path}`);
  const full = join(folder, below);
  if (!full.startsWith(normalize(folder + sep))) return undefined;
  const found = statSync(full, { throwIfNoEntry: false });
  return found?.isFile() ? { path: full, size: found.size } : undefined;
}
