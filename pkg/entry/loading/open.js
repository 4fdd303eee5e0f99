// From what a load was given to the source that reads it.

import { loaded } from "../sources.js";
import { throwIfAborted } from "./abort.js";
import { openData } from "./data.js";
import { named, refused } from "./failure.js";

/** @typedef {import("../sources.js").ByteSource} ByteSource */
/** @typedef {import("../sources.js").LoadFormat} LoadFormat */
/** @typedef {import("../sources.js").SourceHost} SourceHost */
/** @typedef {import("../sources.js").SourceOptions} SourceOptions */

/** The options that belong to each source. */
const BELONGS = /** @type {const} */ ({
  rows: ["columns"],
  data: ["format"],
  url: ["format", "maxBytes", "allowPrivateHosts"],
});
const SOURCES = /** @type {(keyof typeof BELONGS)[]} */ (Object.keys(BELONGS));

/**
 * @param {SourceOptions} given
 * @param {SourceHost} host
 * @returns {Promise<ByteSource>}
 */
export async function open(given, host) {
  throwIfAborted(host.signal);
  const sources = SOURCES.filter((source) => given[source] !== undefined);
  const [source] = sources;
  if (sources.length !== 1 || !source) {
    throw refused("rows", "or `data` or `url` must be given, exactly one of them");
  }
  for (const option of new Set(Object.values(BELONGS).flat())) {
    if (given[option] === undefined || BELONGS[source].some((own) => own === option)) continue;
    const owners = SOURCES.filter((other) => BELONGS[other].some((own) => own === option));
    throw refused(option, `goes with ${owners.map((name) => `\`${name}\``).join(" or ")} only`);
  }
  if (source === "rows") {
    // By itself: the Parquet writer is most of what loading weighs.
    const { openRows } = await loaded(import("./rows.js"));
    return openRows(given.rows, given.columns, host.signal);
  }
  const format = formatOf(given.format);
  if (source === "data") return openData(given.data, format, host.signal);
  const { openRemote } = await loaded(import("./remote.js"));
  return openRemote(given, format, host);
}

/**
 * @param {unknown} format
 * @returns {LoadFormat | undefined}
 */
function formatOf(format) {
  if (format === undefined || format === "csv" || format === "json" || format === "parquet") {
    return format;
  }
  const found = typeof format === "string" ? JSON.stringify(format.slice(0, 40)) : named(format);
  throw refused("format", `must be "csv", "json" or "parquet", not ${found}`);
}
