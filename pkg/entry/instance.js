// The one WebAssembly instance of the page or process, whichever entry started it.

import * as bg from "./core_bg.js";
import { HotdataError } from "./errors.js";
import { imports } from "./imports.js";

/** Stands in for the module's exports until there is an instance, so that an early call gets a reason. */
const notStarted = /** @type {WebAssembly.Exports} */ (
  new Proxy(
    {},
    {
      get() {
        throw new HotdataError({
          code: "not_initialized",
          message:
            'hotdata-wasm is not initialised: await init() from "hotdata-wasm/wasm" first. An import from ' +
            '"hotdata-wasm" needs no such call, except on the main thread of Chromium before 115',
          retryable: false,
        });
      },
    },
  )
);

let started = false;
bg.__wbg_set_wasm(notStarted);

/** Whether there is an instance. */
export function isStarted() {
  return started;
}

/**
 * Makes the instance, unless there is one.
 *
 * @param {WebAssembly.Module} module
 * @throws {WebAssembly.LinkError} when the module is not this package's; another call may bring the right one
 */
export function start(module) {
  if (started) return;
  const instance = new WebAssembly.Instance(
    module,
    /** @type {WebAssembly.Imports} */ (/** @type {unknown} */ (imports)),
  );
  bg.__wbg_set_wasm(instance.exports);
  try {
    /** @type {() => void} */ (instance.exports.__wbindgen_start)();
  } catch (error) {
    bg.__wbg_set_wasm(notStarted);
    throw error;
  }
  started = true;
}
