// The entry of edge runtimes in the manner of Vercel's, which forbid compiling from bytes; their bundlers know the
// `?module` query as "give me the compiled module".

import module from "./core_bg.wasm?module";
import { start } from "./instance.js";

start(module);

export * from "./api.js";
