// What every cell finds in the engine.

import process from "node:process";
import { Hotdata } from "hotdata-wasm";

/** Databases that take two pages to list. */
export const PAGED = { prefix: `paged_${process.pid}_`, count: 110 };
/** The catalog of the engine's one attached source, with a table `cities`. */
export const SOURCE = "source";

/** @param {string} engineUrl */
export async function prepare(engineUrl) {
  const hotdata = new Hotdata({ baseUrl: engineUrl, apiKey: "hd_calm", workspaceId: "ws_local" });
  for (let at = 0; at < PAGED.count; at++) {
    await hotdata.createDatabase({ name: `${PAGED.prefix}${at}` });
  }
}
