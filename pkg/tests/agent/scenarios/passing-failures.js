// Failures that pass: the same call is made again, and the statement is left as it is.

import { assert } from "chai";
import { after, right, sameAgain, sql, wrong } from "../model.js";
import { REVIEWS } from "../world.js";

/** @type {[what: string, fault: object, code: string][]} */
const FAILURES = [
  ["too many requests", { fault: "error", status: 429, retry_after: "2" }, "rate_limited"],
  ["a service that is starting", { fault: "error", status: 503 }, "unavailable"],
  ["a gateway's page", { fault: "html", status: 502 }, "unavailable"],
  ["a broken connection", { fault: "reset" }, "network"],
];

/** @type {import("../model.js").Scenario[]} */
export const scenarios = FAILURES.map(([what, fault, code]) => ({
  title: `the same statement runs after ${what}`,
  set: "flaky",
  turns: [
    [
      "counts rows",
      after((world) => world.fail(fault), sql(`SELECT COUNT(id) AS n FROM ${REVIEWS}`)),
      wrong({ code, hint: /again.*unchanged/ }),
    ],
    [
      "waits and counts again",
      sameAgain(),
      right(({ rows }) => assert.deepEqual(rows, [{ n: 1500 }])),
    ],
  ],
}));
