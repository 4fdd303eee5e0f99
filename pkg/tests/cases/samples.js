// The seeded engine as cases meet it.

export const PAPERS = "default.public.papers";

/**
 * A client of the engine; `options` go to the constructor.
 *
 * @param {import("../harness.js").CaseEnvironment} environment
 * @param {object} [options]
 */
export function client({ api, engineUrl }, options = {}) {
  return new api.Hotdata({
    baseUrl: engineUrl,
    apiKey: "hd_test",
    workspaceId: "ws_local",
    ...options,
  });
}

/**
 * A client in the scope of the sample papers.
 *
 * @param {import("../harness.js").CaseEnvironment} environment
 */
export async function papers(environment) {
  const hotdata = client(environment);
  const databases = await hotdata.listDatabases();
  const found = databases.find((/** @type {any} */ database) => database.name === "papers");
  if (!found) throw new Error("the engine holds no database `papers`: start it with --seed");
  return client(environment, { databaseId: found.id });
}

/**
 * What a call throws or rejects with.
 *
 * @param {() => unknown} call
 * @returns {Promise<any>}
 */
export async function failure(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("the call did not fail");
}

/**
 * The stored vector of a paper, as the engine gives it back.
 *
 * @param {any} hotdata
 * @param {number} id
 * @returns {Promise<number[]>}
 */
export async function vectorOf(hotdata, id) {
  const result = await hotdata.query(`SELECT embedding FROM ${PAPERS} WHERE id = ${id}`);
  return result.rows[0][0];
}

/**
 * A client whose requests are answered by a function instead of the network.
 *
 * @param {import("../harness.js").CaseEnvironment} environment
 * @param {(url: string, init: any) => Response | Promise<Response>} answer
 * @param {object} [options]
 */
export function answering(environment, answer, options = {}) {
  /** @type {{ url: string, init: any }[]} */
  const requests = [];
  const fetch = async (/** @type {string} */ url, /** @type {any} */ init) => {
    requests.push({ url, init });
    return answer(url, init);
  };
  const hotdata = client(environment, {
    baseUrl: "https://api.example",
    databaseId: "db_test",
    fetch,
    ...options,
  });
  return { hotdata, requests };
}

/**
 * The service's answer to a query, as JSON text, so that digits stay as written.
 *
 * @param {string[]} columns
 * @param {string} rows JSON
 * @param {object} [more]
 */
export function queryAnswer(columns, rows, more = {}) {
  const head = {
    columns,
    nullable: columns.map(() => true),
    preview_row_count: 1,
    row_count: 1,
    total_row_count: 1,
    truncated: false,
    result_id: null,
    query_run_id: "qr_test",
    execution_time_ms: 3,
    warning: null,
    ...more,
  };
  const text = `${JSON.stringify(head).slice(0, -1)},"rows":${rows}}`;
  return new Response(text, { headers: { "content-type": "application/json" } });
}
