// Dates and times, from a Date or the text of one, to the integers Parquet stores. All in UTC.

import { Problem } from "./problem.js";

const DAY_MS = 86_400_000;
const DATE = /^(\d{4}-\d{2}-\d{2})$/;
const TIME = /^(\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?$/;
const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})?$/i;

/**
 * @param {unknown} value
 * @returns {number | undefined} milliseconds since 1970; nothing for anything but a Date, of any realm
 */
export function millisecondsOf(value) {
  if (Object.prototype.toString.call(value) !== "[object Date]") return undefined;
  let milliseconds = Number.NaN;
  try {
    milliseconds = Date.prototype.getTime.call(value);
  } catch {
    // Only called so.
  }
  if (Number.isNaN(milliseconds)) throw new Problem("is an invalid Date");
  return milliseconds;
}

/**
 * @param {unknown} value
 * @returns {number | undefined} days since 1970; nothing for what is no date
 */
export function daysOf(value) {
  const milliseconds = millisecondsOf(value);
  if (milliseconds !== undefined) {
    if (milliseconds % DAY_MS !== 0) {
      throw new Problem("has a time of day, which a DATE would lose", {
        hint: 'pass the date as text, "2026-01-31": which day a Date falls on depends on the time zone',
      });
    }
    return milliseconds / DAY_MS;
  }
  const [, text] = (typeof value === "string" && DATE.exec(value)) || [];
  return text === undefined ? undefined : dayStart(text) / DAY_MS;
}

/**
 * @param {unknown} value
 * @returns {bigint | undefined} microseconds since midnight
 */
export function timeOfDay(value) {
  const [, clock, fraction] = (typeof value === "string" && TIME.exec(value)) || [];
  return clock === undefined ? undefined : clockTime(clock) + microseconds(fraction);
}

/**
 * @param {unknown} value a Date, or ISO text
 * @param {boolean} zoned whether text has to name its offset from UTC, or may leave it out
 * @returns {bigint | undefined} microseconds since 1970
 */
export function microsecondsOf(value, zoned) {
  const milliseconds = millisecondsOf(value);
  if (milliseconds !== undefined) return BigInt(milliseconds) * 1000n;
  const [, date, clock, fraction, zone] =
    (typeof value === "string" && TIMESTAMP.exec(value)) || [];
  if (date === undefined || clock === undefined) return undefined;
  if (zoned && zone === undefined) {
    throw new Problem('must name its offset from UTC, like "2026-01-31T12:00:00Z"');
  }
  const local = BigInt(dayStart(date)) * 1000n + clockTime(clock) + microseconds(fraction);
  return local - offset(zone);
}

/** @param {string} text `YYYY-MM-DD` */
function dayStart(text) {
  const milliseconds = Date.parse(`${text}T00:00:00Z`);
  // Of a day that does not exist, like February 30, engines make the next one.
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, 10) !== text) {
    throw new Problem(`names a day that does not exist, ${text}`);
  }
  return milliseconds;
}

/** @param {string} text `HH:MM` or `HH:MM:SS` */
function clockTime(text) {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(":").map(Number);
  if (hours > 23 || minutes > 59 || seconds > 59) {
    throw new Problem(`names a time that does not exist, ${text}`);
  }
  return BigInt((hours * 60 + minutes) * 60 + seconds) * 1_000_000n;
}

/** @param {string | undefined} fraction digits of a second */
function microseconds(fraction = "") {
  if (/[1-9]/.test(fraction.slice(6))) {
    throw new Problem("has more than six digits of a second, which microseconds would lose");
  }
  return BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}

/** @param {string | undefined} zone `Z` or `±HH:MM` */
function offset(zone = "Z") {
  if (/z/i.test(zone)) return 0n;
  const distance = clockTime(zone.slice(1));
  return zone.startsWith("-") ? -distance : distance;
}
