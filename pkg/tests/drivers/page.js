// Every case in a browser page, without a bundler. `?engine=URL` says where the engine is.

import { assert } from "/chai/index.js";
import * as api from "/dist/index.js";
import { cases } from "../cases/cases.js";
import { runCases } from "../harness.js";

const engineUrl = new URLSearchParams(location.search).get("engine") ?? "";
globalThis.caseResults = await runCases(cases, { api, assert, engineUrl });
