// The matrix: every call meets every fault that can happen to it, once and always.

import { Cell } from "./cell.js";
import { changingCalls } from "./changing.js";
import { faults } from "./faults.js";
import { loadingCalls, multipartUpload } from "./loading.js";
import { readingCalls } from "./reading.js";

/** @typedef {import("./cell.js").Call} Call */

/** What a part of 8 MiB meets. */
const FOR_PARTS = [
  "503, Retry-After",
  "HTML under 502",
  "reset before it was handled",
  "no answer",
];

/** @param {string} engineUrl */
export function matrix(engineUrl) {
  let number = 0;
  const cells = [];
  for (const call of [...readingCalls, ...loadingCalls, ...changingCalls, multipartUpload]) {
    for (const fault of faults) {
      if (!canHappen(fault, call)) continue;
      for (const always of [false, true]) {
        cells.push(new Cell(engineUrl, call, fault, always, number++));
      }
    }
  }
  return cells;
}

/**
 * @param {import("./faults.js").Fault} fault
 * @param {Call} call
 */
function canHappen(fault, call) {
  if (call === multipartUpload) return FOR_PARTS.includes(fault.name);
  const reads = call.kind === "query" || call.kind === "read" || call.kind === "followed";
  if (fault.meets === "writes" && reads) return false;
  // Storage knows no key.
  if (fault.effect === "denied" && call.name === "uploadFile: the bytes") return false;
  // Of an Arrow stream cut short by a gateway that says nothing of it only its reader can tell.
  if (fault.name === "JSON cut short" && call.streams) return false;
  return !(fault.damages === "body" && call.succeeds === 204);
}
