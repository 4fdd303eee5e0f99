// The door itself.

import { test } from "node:test";
import { assert } from "chai";
import { loaded } from "../../dist/sources.js";
import { failure } from "./support.js";

test("a part of the package that cannot be fetched is told as a failure of the network", async () => {
  const cause = new TypeError("Failed to fetch dynamically imported module");
  const error = await failure(loaded(Promise.reject(cause)));
  assert.equal(error.name, "HotdataError");
  assert.equal(error.code, "network");
  assert.isTrue(error.retryable);
  assert.equal(error.cause, cause);
});
