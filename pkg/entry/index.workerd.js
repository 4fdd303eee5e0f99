// The entry of Cloudflare's workerd, which forbids compiling from bytes and hands over a compiled module instead.

import module from "./core_bg.wasm";
import { start } from "./instance.js";

start(module);

export * from "./api.js";
