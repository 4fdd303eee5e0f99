import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rootDir } from "../lib/paths.mjs";
import { output } from "../lib/process.mjs";
import { countChecks } from "./checks.mjs";

/** Crates that would bring an async runtime, or a transport of their own, into the core. */
const RUNTIMES = ["tokio", "async-std", "smol", "reqwest", "hyper"];

/** @type {import("./suites.mjs").Suite} */
export const layering = {
  name: "layering",
  title: "what the core may depend on, and where JavaScript values may appear",
  run: () =>
    countChecks([
      ...["wasm32-unknown-unknown", undefined].map((target) => ({
        name: `no async runtime below hotdata-wasm (${target ?? "native"})`,
        run: () => noRuntime(target),
      })),
      { name: "JsValue stands in src/wasm only", run: jsValueStaysInWasm },
    ]),
};

/** @param {string | undefined} target */
async function noRuntime(target) {
  const args = [
    "tree",
    "-p",
    "hotdata-wasm",
    "-e",
    "normal",
    "--prefix",
    "none",
    "--format",
    "{p}",
  ];
  const tree = await output("cargo", target ? [...args, "--target", target] : args);
  const crates = tree.split("\n").map((line) => line.split(" ")[0] ?? "");
  if (!crates.includes("zmij")) throw new Error(`cargo tree lists no zmij:\n${tree}`);
  const found = crates.filter((name) => RUNTIMES.includes(name));
  if (found.length) throw new Error(`depends on ${found.join(", ")}`);
}

function jsValueStaysInWasm() {
  const sources = readdirSync(join(rootDir, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".rs"))
    .filter((path) => readFileSync(join(rootDir, "src", path), "utf8").includes("JsValue"));
  const outside = sources.filter((path) => !/^wasm(\.rs|[\\/])/.test(path));
  if (outside.length) throw new Error(`JsValue in src/${outside.join(", src/")}`);
  // The glue has to hold some: finding none means that the search looks at the wrong place.
  if (!sources.length) throw new Error("no file names JsValue at all");
}
