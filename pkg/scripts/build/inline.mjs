// core_bg.wasm as text inside a script. Base64 spreads three bytes over four characters, so gzip sees only the
// repetitions that fall on the same third, and the download grows by a third. Here a frequent byte is one character and
// a rare one two, which compresses as well as the module itself. All of it is printable ASCII that no bundler has to
// escape and no character set reads otherwise.

/** Quotes and backslashes need escapes, `$` and `<` mean something to templates, `String.replace` and HTML. */
const ALPHABET = Array.from({ length: 95 }, (_, n) => String.fromCharCode(0x20 + n)).filter(
  (character) => !"\"'`\\$<".includes(character),
);
/** Start the codes of two characters. The last of the alphabet, so that one comparison tells. */
const PREFIXES = ALPHABET.slice(-2);
const SINGLES = ALPHABET.slice(0, -PREFIXES.length);
/** Entries of the table for the characters that stand alone, and for those after each prefix. */
const ROW = 128;
const MEMORY_PAGE = 65_536;

/**
 * `core_inline.js`, which `entry/index.js` reads. Its default export is `{ text, unpacker }`, where `unpacker` is a small
 * module that makes bytes of the text: JavaScript takes longer for it, because so early it is not compiled yet.
 *
 * @param {Uint8Array} wasm
 */
export async function inlineScript(wasm) {
  const codes = codesOf(wasm);
  const text = Array.from(wasm, (byte) => codes[byte]).join("");
  const unpacker = await unpackerOf(text.length, tableOf(codes));
  return (
    "// core_bg.wasm as text, and the module that makes bytes of it.\n" +
    `export default {\n  text: "${text}",\n  unpacker: [${unpacker}],\n};\n`
  );
}

/**
 * @param {Uint8Array} wasm
 * @returns {string[]} for each byte its one character, or two for those that are rare in `wasm`
 */
function codesOf(wasm) {
  const counts = new Uint32Array(256);
  for (const byte of wasm) counts[byte] = Number(counts[byte]) + 1;
  const byCount = [...counts.keys()].sort((a, b) => Number(counts[b]) - Number(counts[a]));
  const codes = [...SINGLES, ...PREFIXES.flatMap((prefix) => ALPHABET.map((one) => prefix + one))];
  /** @type {string[]} */
  const result = [];
  for (const [rank, byte] of byCount.entries()) result[byte] = String(codes[rank]);
  return result;
}

/** @param {string[]} codes */
function tableOf(codes) {
  const table = new Uint8Array(ROW * (1 + PREFIXES.length));
  for (const [byte, code] of codes.entries()) {
    const row = 1 + PREFIXES.indexOf(code.slice(0, -1));
    table[ROW * row + code.charCodeAt(code.length - 1)] = byte;
  }
  return table;
}

/**
 * A module whose `memory` takes the text at address 0; `unpack` writes the bytes over it and returns how many they are.
 *
 * @param {number} length of the text, after which the table stands
 * @param {Uint8Array} table
 */
async function unpackerOf(length, table) {
  const pages = Math.ceil((length + table.length) / MEMORY_PAGE);
  const data = Array.from(table, (byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("");
  const prefix = Number(PREFIXES[0]?.charCodeAt(0));
  const { default: binaryen } = await import("binaryen");
  const module = binaryen.parseText(`(module
    (memory (export "memory") ${pages})
    (data (i32.const ${length}) "${data}")
    (func (export "unpack") (result i32)
      (local $read i32) (local $written i32) (local $code i32)
      (loop $next
        (local.set $code (i32.load8_u (local.get $read)))
        (local.set $read (i32.add (local.get $read) (i32.const 1)))
        (if (i32.ge_u (local.get $code) (i32.const ${prefix})) (then
          (local.set $code (i32.add
            (i32.mul (i32.sub (local.get $code) (i32.const ${prefix - 1})) (i32.const ${ROW}))
            (i32.load8_u (local.get $read))))
          (local.set $read (i32.add (local.get $read) (i32.const 1)))))
        (i32.store8 (local.get $written) (i32.load8_u offset=${length} (local.get $code)))
        (local.set $written (i32.add (local.get $written) (i32.const 1)))
        (br_if $next (i32.lt_u (local.get $read) (i32.const ${length}))))
      (local.get $written)))`);
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}
