import { installDependencies } from "../lib/dependencies.mjs";
import { buildDist, copyDocuments } from "./dist.mjs";
import { buildWasm } from "./wasm.mjs";

/** @type {Promise<void> | undefined} */
let built;

/** Brings `pkg/dist` up to date, once a process; steps whose inputs have not changed are skipped. */
export function buildPackage() {
  built ??= installDependencies().then(buildWasm).then(buildDist).then(copyDocuments);
  return built;
}
