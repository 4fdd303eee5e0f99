import { join } from "node:path";
import { distDir, rootDir } from "./paths.mjs";
import { serve } from "./static-server.mjs";

/** How the demo starts the engine: some stored queries hold signs that its text search would refuse as operators. */
export const DEMO_ENGINE = ["--seed", "--lenient-search-text"];

/**
 * The demo page with what it loads: `/` is `www/`, `/hotdata-wasm/` the built package, `/papers/` the sample data, and
 * `/config.json` says where the engine is: `{"engine": "http://127.0.0.1:PORT"}`, and `databaseId` where one is given.
 *
 * @param {{ engineUrl: string, databaseId?: string, port?: number, headers?: Record<string, string> }} options
 *   databaseId: what the page searches instead of the database named `papers`; headers: on top of the server's own
 */
export function serveDemo({ engineUrl, databaseId, port = 0, headers = {} }) {
  return serve({
    port,
    headers,
    mounts: {
      "/": join(rootDir, "www"),
      "/hotdata-wasm/": distDir,
      "/papers/": join(rootDir, "tests", "data", "papers"),
    },
    answers: {
      "/config.json": () => ({
        type: "application/json; charset=utf-8",
        body: JSON.stringify({ engine: engineUrl, databaseId }),
      }),
    },
  });
}
