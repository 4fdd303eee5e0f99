// One cell: one call that meets one fault, once or always, with a key of its own.

import process from "node:process";
import { inspect } from "node:util";
import { assert } from "chai";
import { Hotdata } from "hotdata-wasm";
import { expected, MAX_RETRIES } from "./expected.js";
import { SHORT_MS } from "./faults.js";

/** @typedef {import("./faults.js").Fault} Fault */

/**
 * A column of the matrix.
 *
 * @typedef {object} Call
 * @property {string} name
 * @property {import("./expected.js").Kind} kind
 * @property {(method: string, path: string, cell: Cell) => boolean} hits the request that meets the fault
 * @property {(method: string, path: string) => string | undefined} [beside] a fault for other requests
 * @property {(cell: Cell) => Promise<any>} [prepare]
 * @property {(cell: Cell, prepared: any) => Promise<any>} run
 * @property {(value: any, cell: Cell, prepared: any) => unknown} check of what was acknowledged
 * @property {(cell: Cell, prepared: any) => Promise<number>} [landed] how often what it does is there
 * @property {number} [succeeds] the status of a success; 200 unless given, and 204 has no body
 * @property {boolean} [polls] whether the request may be sent again while work goes on
 * @property {boolean} [streams] whether the answer is a stream
 * @property {RegExp} [hint] of an outcome that is not known
 * @property {boolean} [ofRun] whether an error names the query run
 * @property {(fault: Fault, always: boolean) => import("./expected.js").Expected | undefined} [unlike] where it differs
 *   from its kind
 */

/** The longest a cell may take. */
const BOUND_MS = 30_000;

/**
 * The runtime's fetch, with the faults that a function gives by method and path.
 *
 * @param {(method: string, path: string) => string | undefined} faultOf
 * @returns {typeof fetch}
 */
export function fetchWith(faultOf) {
  return async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const fault = faultOf(String(init?.method), pathname + search);
    const headers = { ...init?.headers, ...(fault && { "x-local-fault": fault }) };
    return fetch(input, { ...init, headers });
  };
}

/**
 * Neither an error nor what caused it shows a key.
 *
 * @param {any} error
 * @param {string} key
 */
export function showsNot(error, key) {
  for (let at = error; at !== undefined; at = at.cause) {
    for (const shown of [inspect(at, { depth: 9, showHidden: true }), at.stack, String(at)]) {
      assert.notInclude(shown, key);
    }
  }
}

/**
 * Work that has to end in time.
 *
 * @param {() => Promise<unknown>} work
 */
export async function bounded(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${BOUND_MS} ms`)), BOUND_MS);
  });
  try {
    await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What a cell's call and its checks work with. */
export class Cell {
  /** When the requests that meet the fault were sent. @type {number[]} */
  sentAt = [];
  /** The addresses of parts, in order. @type {Set<string>} */
  paths = new Set();

  /**
   * @param {string} engineUrl
   * @param {Call} call
   * @param {Fault} fault
   * @param {boolean} always
   * @param {number} number tells cells apart
   */
  constructor(engineUrl, call, fault, always, number) {
    this.call = call;
    this.fault = fault;
    this.always = always;
    this.name = `${call.name} / ${fault.name} / ${always ? "always" : "once"}`;
    this.marker = `cell_${process.pid}_${number}`;
    this.key = `hd_secret_of_cell_${number}`;
    this.options = {
      baseUrl: engineUrl,
      apiKey: this.key,
      workspaceId: "ws_local",
      timeoutMs: fault.effect === "late" ? SHORT_MS : 20_000,
      maxRetries: MAX_RETRIES,
    };
    /** Meets no fault. */
    this.calm = new Hotdata({
      ...this.options,
      apiKey: "hd_calm",
      timeoutMs: 20_000,
      maxRetries: 4,
    });
  }

  /**
   * A client that meets the fault.
   *
   * @param {object} [more]
   */
  client(more) {
    let given = 0;
    const apiKey = this.fault.effect === "denied" ? () => `${this.key}_${given++}` : this.key;
    const fetch = fetchWith((method, path) => this.#faultOf(method, path));
    return new Hotdata({ ...this.options, apiKey, ...more, fetch });
  }

  /**
   * @param {string} method
   * @param {string} path
   */
  #faultOf(method, path) {
    if (!this.call.hits(method, path, this)) return this.call.beside?.(method, path);
    this.sentAt.push(performance.now());
    if (!this.always && this.sentAt.length > 1) return undefined;
    const { header } = this.fault;
    return typeof header === "string" ? header : header();
  }

  /** Runs the call and checks what came of it. */
  run() {
    return bounded(() => this.#run());
  }

  async #run() {
    const { call, fault } = this;
    const prepared = await call.prepare?.(this);
    const { error, value } = await call.run(this, prepared).then(
      (value) => ({ value, error: undefined }),
      (error) => ({ value: undefined, error }),
    );
    const wanted = call.unlike?.(fault, this.always) ?? expected(fault, call, this.always);
    if (wanted.error) this.#checkError(error, wanted.error);
    else if (error) throw error;
    assert.isAtLeast(this.sentAt.length, wanted.attempts, "attempts");
    if (!call.polls) assert.lengthOf(this.sentAt, wanted.attempts, "attempts");
    const [first = 0, second] = this.sentAt;
    if (second !== undefined) assert.isAtLeast(second - first, fault.waitMs ?? 0, "wait");
    if (!error) await call.check(value, this, prepared);
    if (call.landed) {
      const there = await call.landed(this, prepared);
      const acknowledged = !error || call.kind === "followed";
      assert.equal(there, acknowledged || fault.applied ? 1 : 0, "how often it is there");
    }
  }

  /**
   * @param {any} error
   * @param {NonNullable<import("./expected.js").Expected["error"]>} wanted
   */
  #checkError(error, wanted) {
    assert.isDefined(error, "it succeeded");
    const { name, code, status, engineMessage, retryable, hint, queryRunId } = error;
    const told = { name, code, status, says: engineMessage, retryable };
    assert.deepEqual(told, { name: "HotdataError", ...wanted }, error.message);
    assert.isNotEmpty(error.message);
    assert.notInclude(error.message, "<html");
    if (code === "outcome_unknown") assert.match(String(hint), this.call.hint ?? /./);
    if (this.call.ofRun) assert.match(String(queryRunId), /^qrun_/);
    showsNot(error, this.key);
  }
}
