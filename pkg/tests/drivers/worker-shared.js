// One client of the module answers every request of this Worker. `?n=N` is the number to select; with `abort` the call
// is aborted while it looks up its workspace.

import { Hotdata } from "./dist/index.workerd.js";
import { engine } from "./engine.js";

const LOOK_UP_MS = 600;

const hotdata = new Hotdata({
  ...engine,
  apiKey: "hd_test",
  async fetch(url, init) {
    if (url.endsWith("/v1/workspaces")) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_UP_MS));
    }
    return fetch(url, init);
  },
});

export default {
  /** @param {Request} request */
  async fetch(request) {
    const { searchParams } = new URL(request.url);
    const controller = new AbortController();
    if (searchParams.has("abort")) setTimeout(() => controller.abort("enough"), LOOK_UP_MS / 2);
    try {
      const sql = `SELECT ${Number(searchParams.get("n"))} AS n`;
      const result = await hotdata.query(sql, { signal: controller.signal });
      return new Response(`rows: ${JSON.stringify(result.rows)}`);
    } catch (error) {
      if (controller.signal.aborted) return new Response(`aborted: ${error}`);
      return new Response(`failed: ${error?.stack ?? error}`, { status: 500 });
    }
  },
};
