import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { runtimesDir } from "../lib/dependencies.mjs";
import { distDir } from "../lib/paths.mjs";
import { output } from "../lib/process.mjs";
import { medians } from "./measure.mjs";

const ROUNDS = 11;

// Each prints the microseconds of CPU its whole process has used.
const REPORT = "const { user, system } = process.cpuUsage(); console.log(user + system);";

/**
 * Import and first SQL in a fresh process, in CPU milliseconds over an empty process.
 *
 * @returns {Promise<import("./benchmarks.mjs").Comparison[]>}
 */
export async function coldStart() {
  const ours = pathToFileURL(join(distDir, "index.js")).href;
  const parser = pathToFileURL(
    join(runtimesDir, "node_modules", "@guanmingchiu", "sqlparser-ts", "dist", "index.mjs"),
  ).href;
  const programs = {
    empty: REPORT,
    ours: `import { bm25SearchSql } from "${ours}";
      bm25SearchSql({ table: "default.public.papers", column: "content", query: "quiet garden" });
      ${REPORT}`,
    parser: `import * as parser from "${parser}";
      await parser.init();
      parser.parse("SELECT id, title FROM papers WHERE id = 1", "postgresql");
      ${REPORT}`,
  };
  const cpu = (/** @type {string} */ program) => async () => {
    const args = ["--input-type=module", "--eval", program];
    return Number(await output(process.execPath, args)) / 1000;
  };
  const cost = await medians(
    { empty: cpu(programs.empty), ours: cpu(programs.ours), parser: cpu(programs.parser) },
    { rounds: ROUNDS, warmUp: 1 },
  );
  return [
    {
      name: "import and first SQL, CPU over an empty process",
      unit: "ms",
      ours: cost.ours - cost.empty,
      other: cost.parser - cost.empty,
      against: "@guanmingchiu/sqlparser-ts",
      budget: 0.3,
    },
  ];
}
