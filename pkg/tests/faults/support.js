// What cells of their own work with.

import process from "node:process";
import { assert } from "chai";
import { Hotdata } from "hotdata-wasm";
import { fetchWith, showsNot } from "./cell.js";

/** @typedef {{ name: string, run: (engine: Engine) => Promise<unknown> }} OwnCell */
/** @typedef {(method: string, path: string) => string | undefined} FaultOf */

export const WHY = "failed on request";
export const TABLE = "default.public.t";

/** What one of these cells works with. */
export class Engine {
  /** Method and path of each request of the clients that meet faults. @type {string[]} */
  requests = [];

  /** @param {string} url @param {number} number */
  constructor(url, number) {
    this.name = `following_${process.pid}_${number}`;
    this.key = `hd_secret_of_${this.name}`;
    this.options = { baseUrl: url, workspaceId: "ws_local", maxRetries: 1, timeoutMs: 20_000 };
    this.calm = new Hotdata({ ...this.options, apiKey: "hd_calm", maxRetries: 4 });
  }

  /** @param {FaultOf} faultOf @param {object} [more] */
  client(faultOf, more) {
    const fetch = fetchWith((method, path) => {
      this.requests.push(`${method} ${path}`);
      return faultOf(method, path);
    });
    return new Hotdata({ ...this.options, apiKey: this.key, ...more, fetch });
  }

  /** A database with a table of one row. */
  async database() {
    const { id: databaseId } = await this.calm.createDatabase({ name: this.name });
    await this.calm.loadTable({
      databaseId,
      table: "t",
      mode: "append",
      csv: "id,text\n0,before\n",
    });
    return { databaseId };
  }

  /** How many rows the table has. @param {{ databaseId: string }} database */
  async rows(database) {
    return (await this.calm.query(`SELECT COUNT(id) FROM ${TABLE}`, database)).rows[0]?.[0];
  }

  /** How often a path was asked for. @param {string} part */
  asked(part) {
    return this.requests.filter((line) => line.includes(part)).length;
  }
}

export const isQuery = (/** @type {string} */ method, /** @type {string} */ path) =>
  method === "POST" && path === "/v1/query";
export const isLoad = (/** @type {string} */ method, /** @type {string} */ path) =>
  method === "POST" && path.endsWith("/loads");
export const isBuild = (/** @type {string} */ method, /** @type {string} */ path) =>
  method === "POST" && path.endsWith("/indexes");
export const isListing = (/** @type {string} */ method, /** @type {string} */ path) =>
  method === "GET" && path.endsWith("/indexes");
export const isResult = (/** @type {string} */ _, /** @type {string} */ path) =>
  path.startsWith("/v1/results/");
export const isJob = (/** @type {string} */ _, /** @type {string} */ path) =>
  path.startsWith("/v1/jobs/");

/**
 * One fault where a request is of a kind.
 *
 * @param {(method: string, path: string) => boolean} is
 * @param {string} fault
 * @returns {FaultOf}
 */
export const where = (is, fault) => (method, path) => (is(method, path) ? fault : undefined);

/**
 * Faults by turns, then none, or the last for ever.
 *
 * @param {(method: string, path: string) => boolean} is
 * @param {string[]} turns
 * @param {boolean} [lasting]
 * @returns {FaultOf}
 */
export function byTurns(is, turns, lasting = false) {
  let at = 0;
  return (method, path) => {
    if (!is(method, path)) return undefined;
    const turn = turns[at++];
    return turn ?? (lasting ? turns.at(-1) : undefined);
  };
}

/**
 * The first that gives a fault.
 *
 * @param {FaultOf[]} all
 * @returns {FaultOf}
 */
export const together =
  (...all) =>
  (method, path) => {
    for (const one of all) {
      const fault = one(method, path);
      if (fault) return fault;
    }
    return undefined;
  };

/**
 * What a call rejects with, after it was looked through for the key.
 *
 * @param {Engine} engine
 * @param {Promise<unknown>} call
 * @param {Record<string, unknown>} wanted
 */
export async function fails(engine, call, wanted) {
  const error = await call.then(
    () => assert.fail("it succeeded"),
    (/** @type {any} */ error) => error,
  );
  const told = Object.fromEntries(Object.keys(wanted).map((name) => [name, error[name]]));
  assert.deepEqual(told, wanted, error.message);
  showsNot(error, engine.key);
  return error;
}
