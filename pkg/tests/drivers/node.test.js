// Every case in this Node process, through the package's own name.

import { test } from "node:test";
import { assert } from "chai";
import * as api from "hotdata-wasm";
import { cases } from "../cases/cases.js";

const engineUrl = process.env.HOTDATA_TEST_ENGINE;
if (!engineUrl) throw new Error("HOTDATA_TEST_ENGINE must name a running engine");

for (const { name, run } of cases) {
  test(name, { timeout: 60_000 }, async () => {
    await run({ api, assert, engineUrl });
  });
}
