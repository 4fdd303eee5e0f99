// Every case, then the results as one line of JSON: for runtimes that run a script and print. Arguments: the engine's
// address.

import { assert } from "chai";
import * as api from "hotdata-wasm";
import { cases } from "../cases/cases.js";
import { runCases } from "../harness.js";

const engineUrl = process.argv[2];
if (!engineUrl) throw new Error("the engine's address is missing");
console.log(`results ${JSON.stringify(await runCases(cases, { api, assert, engineUrl }))}`);
process.exit(0);
