// The package, and the database of the sample papers on the local engine.

import { PageProblem } from "./problems.js";

const PACKAGE = "/hotdata-wasm/index.js";
const DATABASE_NAME = "papers";

/** The local engine takes any key. */
const API_KEY = "hd_local_demo";

/**
 * @typedef {typeof import("/hotdata-wasm/index.js")} Package
 * @typedef {{
 *   api: Package,
 *   hotdata: InstanceType<Package["Hotdata"]>,
 *   databaseId: string,
 * }} Connection
 * @typedef {{ engine: string, databaseId?: string }} Config engine: its base URL; databaseId: unless given, the
 *   newest database named `papers`
 */

/**
 * @param {Config} config
 * @returns {Promise<Connection>}
 * @throws {PageProblem} when the package does not load or the engine lacks the papers
 * @throws {import("/hotdata-wasm/index.js").HotdataError} when the engine does not answer
 */
export async function connect(config) {
  const api = await loadPackage();
  const hotdata = new api.Hotdata({ baseUrl: config.engine, apiKey: API_KEY });
  const databaseId = config.databaseId ?? (await findDatabase(hotdata));
  return { api, hotdata, databaseId };
}

/**
 * Where the engine is.
 *
 * @returns {Promise<Config>}
 * @throws {PageProblem}
 */
export async function loadConfig() {
  const response = await fetch("/config.json").catch((cause) => {
    throw new PageProblem(
      "The server of this page does not answer.",
      "Start it again with “npm --prefix pkg run demo” and reload this page.",
      cause,
    );
  });
  if (!response.ok) {
    throw new PageProblem(
      `This page's server has no /config.json (HTTP ${response.status}).`,
      "Serve the page with “npm --prefix pkg run demo”, which says there where the engine is.",
    );
  }
  return response.json();
}

/** @returns {Promise<Package>} */
async function loadPackage() {
  try {
    // At run time, so that a page where WebAssembly may not run can say so.
    return await import(PACKAGE);
  } catch (cause) {
    // Only a module that did not arrive is a TypeError; one that did arrive compiles WebAssembly as it loads.
    if (cause instanceof TypeError) {
      throw new PageProblem(
        `The package could not be loaded from ${PACKAGE}.`,
        "Build it with “npm --prefix pkg run build” and reload this page.",
        cause,
      );
    }
    throw new PageProblem(
      "WebAssembly may not run in this page.",
      "A Content-Security-Policy needs 'wasm-unsafe-eval' in its script-src; some browsers and lockdown modes turn " +
        `WebAssembly off altogether. (${cause instanceof Error ? cause.message : cause})`,
      cause,
    );
  }
}

/** @param {InstanceType<Package["Hotdata"]>} hotdata */
async function findDatabase(hotdata) {
  const databases = await hotdata.listDatabases();
  const found = databases
    .filter(({ name }) => name === DATABASE_NAME)
    .sort((a, b) => (b.createdAt ?? "").localeCompare(a.createdAt ?? ""));
  if (!found[0]) {
    throw new PageProblem(
      `The engine has no database “${DATABASE_NAME}”.`,
      "Start the engine with --seed, as “npm --prefix pkg run demo” does.",
    );
  }
  return found[0].id;
}
