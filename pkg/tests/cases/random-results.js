// Random results, always the same ones, and the rule of what their values become, worked out from `BigInt` and from how
// JavaScript itself reads and prints a number.

/** @typedef {{ number: string } | { text: string } | null | boolean | any[] | Map<string, any>} Cell a Map is a struct */
/** @typedef {(below: number) => number} Random */

/**
 * Mulberry32.
 *
 * @param {number} seed
 * @returns {Random}
 */
export function generator(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/**
 * @param {Random} random
 * @param {number} kind 0: what results hold most, 1: integers, 2: numbers, 3: anything
 * @param {number} row
 * @returns {Cell}
 */
export function cell(random, kind, row) {
  if (kind === 0) return { number: [`${row}`, `${Math.sin(row)}`, `${row}.25`][random(3)] ?? "" };
  if (random(6) === 0) return null;
  if (kind === 1) return random(3) ? { number: integer(random) } : [{ number: integer(random) }];
  return kind === 2 ? { number: number(random) } : anything(random, 2);
}

/**
 * @param {Random} random
 * @param {number} depth
 * @returns {Cell}
 */
function anything(random, depth) {
  const items = () => Array.from({ length: random(4) }, () => anything(random, depth - 1));
  switch (random(depth ? 8 : 6)) {
    case 0:
      return [null, true, false][random(3)] ?? null;
    case 1:
      return {
        text: ["9007199254740993", '"1", 1e400]', "\\ 0.1", "é 日 👍", ""][random(5)] ?? "",
      };
    case 6:
      return items();
    case 7:
      return new Map(items().map((item, at) => [["b", "10", "2", "__proto__"][at] ?? "", item]));
    default:
      return { number: random(2) ? integer(random) : number(random) };
  }
}

/**
 * @param {Random} random
 * @param {number} count
 */
function digits(random, count) {
  return Array.from({ length: count }, (_, at) => (at ? random(10) : 1 + random(9))).join("");
}

/** @param {Random} random */
function integer(random) {
  const sign = random(2) ? "-" : "";
  return sign + (random(8) ? digits(random, 1 + random(random(4) ? 15 : 40)) : "0");
}

/** @param {Random} random */
function number(random) {
  const float = (random(2 ** 31) + random(2 ** 31) / 2 ** 31) * 10 ** (random(40) - 28);
  const exponents = ["5", "-7", "+22", "-400", "400", "308"];
  switch (random(6)) {
    case 0:
      return integer(random);
    case 1:
      return `${integer(random)}.${digits(random, 1 + random(12))}`;
    case 2:
      return `0.${"0".repeat(random(12))}${digits(random, 1 + random(18))}`;
    case 3:
      return `${digits(random, 1)}.${digits(random, 1 + random(16))}E${exponents[random(6)]}`;
    case 4:
      return float.toExponential();
    default:
      return String(float);
  }
}

/**
 * @param {Cell | undefined} cell
 * @returns {string}
 */
export function json(cell) {
  if (Array.isArray(cell)) return `[${cell.map(json)}]`;
  if (cell instanceof Map) {
    return `{${[...cell].map(([name, item]) => `${JSON.stringify(name)}:${json(item)}`)}}`;
  }
  if (typeof cell !== "object" || cell === null) return String(cell);
  return "number" in cell ? cell.number : JSON.stringify(cell.text);
}

/**
 * @param {Cell | undefined} cell
 * @returns {string[]}
 */
export function numbersOf(cell) {
  if (Array.isArray(cell)) return cell.flatMap(numbersOf);
  if (cell instanceof Map) return [...cell.values()].flatMap(numbersOf);
  return typeof cell === "object" && cell !== null && "number" in cell ? [cell.number] : [];
}

/**
 * The rule: what the numbers of one column come as.
 *
 * @param {string[]} numbers
 * @param {string | undefined} integers
 */
export function formOf(numbers, integers) {
  if (numbers.every(isKept)) return "number";
  return integers === "bigint" && numbers.every(isInteger) ? "bigint" : "text";
}

/** @param {string} number */
function isInteger(number) {
  return /^-?\d+$/.test(number);
}

/** @param {string} number whether JavaScript prints the number that it reads, digit for digit */
function isKept(number) {
  if (isInteger(number)) return Number.isSafeInteger(Number(number));
  const value = Number(number);
  return Number.isFinite(value) && plain(String(value)) === plain(number);
}

/**
 * One way of writing for each number: the digits without the zeros around them, and where the point stands.
 *
 * @param {string} number
 */
function plain(number) {
  const [mantissa = "", exponent = "0"] = number.replace(/^-/, "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  const significant = all.replace(/^0+/, "");
  const point = whole.length - (all.length - significant.length) + Number(exponent);
  const shown = significant.replace(/0+$/, "");
  return shown && `${shown}e${point}`;
}

/**
 * @param {Cell} cell
 * @param {"number" | "text" | "bigint"} form
 * @returns {unknown}
 */
export function valueIn(cell, form) {
  if (Array.isArray(cell)) return cell.map((item) => valueIn(item, form));
  if (cell instanceof Map) {
    // Whatever its name, a member is one of the object's own.
    return Object.fromEntries([...cell].map(([name, item]) => [name, valueIn(item, form)]));
  }
  if (typeof cell !== "object" || cell === null) return cell;
  if ("text" in cell) return cell.text;
  if (form === "bigint") return BigInt(cell.number);
  return form === "number" ? Number(cell.number) : cell.number;
}
