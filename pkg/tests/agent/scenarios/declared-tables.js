// Tables that are declared and were never loaded, beside those with rows and names that are no table's.

import { assert } from "chai";
import { again, call, told, wrong } from "../model.js";
import { PAPERS } from "../world.js";

const EMPTY = "default.public.empty_declared";

/** @type {import("../model.js").Scenario[]} */
export const scenarios = [
  {
    title: "an empty table is told apart from a missing one, in the overview and by itself",
    set: "words",
    turns: [
      [
        "asks what there is",
        call("hotdata_describe_tables"),
        told(({ tables }) => {
          const loaded = new Map(
            tables.map((/** @type {any} */ one) => [one.table, one.loaded ?? true]),
          );
          assert.isTrue(loaded.get(PAPERS));
          assert.isFalse(loaded.get(EMPTY));
        }),
      ],
      [
        "describes the empty one",
        call("hotdata_describe_tables", { table: EMPTY }),
        told((answer) => {
          assert.equal(answer.row_count, 0);
          assert.match(answer.note, /never loaded/);
        }),
      ],
      [
        "describes a missing one",
        call("hotdata_describe_tables", { table: "default.public.authors" }),
        wrong({ code: "bad_request", message: /'default\.public\.authors' not found/ }),
      ],
      [
        "describes one that it was told of",
        again((said) => ({ table: said.take(/(default\.public\.papers)/) })),
        told(({ row_count }) => assert.equal(row_count, 314)),
      ],
    ],
  },
];
