// Every case in a Cloudflare Worker, unbundled. `?engine=URL` says where the engine is.

import { assert } from "./chai/index.js";
import * as api from "./dist/index.workerd.js";
import { cases } from "./tests/cases/cases.js";
import { runCases } from "./tests/harness.js";

export default {
  /** @param {Request} request */
  async fetch(request) {
    const engineUrl = new URL(request.url).searchParams.get("engine") ?? "";
    return Response.json(await runCases(cases, { api, assert, engineUrl }));
  },
};
