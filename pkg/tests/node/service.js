// A stand-in for the service within this process: canned answers, and paths that fail.

import { createServer } from "node:http";

const ARROW = "application/vnd.apache.arrow.stream";

/** What it answers is told by the SQL. @type {Record<string, (answer: import("node:http").ServerResponse, arrow: boolean) => void>} */
const ANSWERS = {
  rows: (answer, arrow) => {
    if (arrow) return send(answer, 200, new Uint8Array(70_000), { "content-type": ARROW });
    const rows = Array.from({ length: 50 }, (_, n) => [n, `row ${n}`, n / 7]);
    return send(answer, 200, {
      columns: ["id", "name", "x"],
      nullable: [false, false, false],
      rows,
      row_count: 50,
      preview_row_count: 50,
      total_row_count: 50,
      truncated: false,
      result_id: null,
      query_run_id: "qrun_1",
      execution_time_ms: 1,
      warning: null,
    });
  },
  refused: (answer) => send(answer, 400, { error: { code: "BAD_REQUEST", message: "no" } }),
  busy: (answer) =>
    send(answer, 429, { error: { code: "OVERLOADED", message: "later" } }, { "retry-after": "0" }),
  html: (answer) => send(answer, 200, "<html>log in</html>", { "content-type": "text/html" }),
  hang: () => {},
  broken: (answer) => {
    answer.writeHead(200, { "content-type": "application/json", "content-length": "999" });
    answer.write("{");
    setTimeout(() => answer.destroy(), 1);
  },
};

/**
 * @param {import("node:http").ServerResponse} answer
 * @param {number} status
 * @param {object | string | Uint8Array} body
 * @param {Record<string, string>} [headers]
 */
function send(answer, status, body, headers = {}) {
  const raw = typeof body === "string" || body instanceof Uint8Array;
  answer.writeHead(status, { "content-type": "application/json", ...headers });
  answer.end(raw ? body : JSON.stringify(body));
}

/** Starts it; ends with `stop`. */
export async function startService() {
  const server = createServer((request, answer) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece) => {
      text += piece;
    });
    request.on("end", () => {
      const [, path = ""] = /^\/v1\/(\w+)/.exec(request.url ?? "") ?? [];
      if (path !== "query") return send(answer, 200, { databases: [], has_more: false });
      const kind = /SELECT '(\w+)'/.exec(JSON.parse(text).sql)?.[1] ?? "rows";
      return ANSWERS[kind]?.(answer, request.headers.accept === ARROW);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
