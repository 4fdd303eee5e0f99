// A program whose calls end in every way; it must end by itself once they have. Arguments: the service's address.

import { Hotdata } from "hotdata-wasm";

const hotdata = new Hotdata({
  baseUrl: process.argv[2] ?? "",
  apiKey: "hd_test",
  workspaceId: "ws",
  databaseId: "db",
  maxRetries: 1,
});
const controller = new AbortController();
const { signal } = controller;

const calls = [
  hotdata.query("SELECT 'rows'", { signal }),
  hotdata.query("SELECT 'refused'", { signal }),
  hotdata.query("SELECT 'busy'", { signal }),
  hotdata.query("SELECT 'hang'", { signal, timeoutMs: 50 }),
  hotdata.query("SELECT 'hang'", { signal }),
  hotdata.queryArrow("SELECT 'rows'", { signal }),
];
setTimeout(() => controller.abort(), 200);
await Promise.allSettled(calls);
console.log("done");
