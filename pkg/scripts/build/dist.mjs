// pkg/dist: the entries of pkg/entry, the glue, the module, and declarations made from their JSDoc.

import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { bin } from "../lib/dependencies.mjs";
import { PlainError } from "../lib/errors.mjs";
import { distDir, entryDir, pkgDir, rootDir } from "../lib/paths.mjs";
import { output } from "../lib/process.mjs";
import { step } from "../lib/progress.mjs";
import { bundleEntries } from "./bundle.mjs";
import { inlineScript } from "./inline.mjs";
import { hash } from "./wasm.mjs";

/** Stands outside `dist`, so that it is never packed. */
const KEY_FILE = join(pkgDir, "node_modules", ".dist-key");

/**
 * `imports.js`: what the module is instantiated with. A function of ours that needs no conversion is imported straight
 * from its file, so the glue alone does not do.
 *
 * @param {Buffer} wasm
 */
function moduleImports(wasm) {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(new Uint8Array(wasm)));
  const modules = [...new Set(imports.map((one) => one.module))];
  const lines = [
    "// What core_bg.wasm imports.\n",
    ...modules.map((module, n) => `import * as m${n} from ${JSON.stringify(module)};`),
    "\nexport const imports = {",
    ...modules.map((module, n) => `  ${JSON.stringify(module)}: m${n},`),
    "};\n",
  ];
  return lines.join("\n");
}

/** What wasm-bindgen's declarations leave out and the entries call. */
const GLUE_INTERNALS = `
export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
export const CallName: Record<string, number>;
export class HotdataCore {
  constructor(options: unknown);
  call(name: number | undefined, first: unknown, options: unknown): Promise<any>;
}
export class ToolsetCore {
  definitions(): ToolDefinition[];
  notes(): string[];
  call(name: unknown, args: unknown, options: unknown): Promise<ToolResult>;
}
`;

/** What the module exports for the entries alone. */
const INTERNAL = ["CallName", "HotdataCore", "ToolsetCore"];

/** The dialect guide: a text for models, kept as one. */
const SQL_GUIDE = join(rootDir, "src", "tools", "sql_guide.md");

/** By star: besides what `api.js` lists, the crate declares types that are no values. */
const API_DECLARATIONS =
  'export * from "./core_bg.js";\nexport * from "./classes.js";\n' +
  'export type { HotdataErrorCode } from "./errors.js";\n';

/**
 * Writes `pkg/dist`, unless it is what it would become.
 *
 * @param {{ dir: string, key: string }} core what `buildWasm` made
 */
export async function buildDist(core) {
  const scripts = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
  const sources = [
    ...filesBelow(entryDir).map((name) => join(entryDir, name)),
    ...readdirSync(scripts).map((name) => join(scripts, name)),
    // Pins what is bundled.
    join(pkgDir, "package-lock.json"),
    SQL_GUIDE,
  ];
  const key = hash([
    core.key,
    ...sources.flatMap((path) => [path.slice(pkgDir.length), readFileSync(path)]),
  ]);
  const isCurrent =
    existsSync(join(distDir, "index.js")) &&
    existsSync(KEY_FILE) &&
    readFileSync(KEY_FILE, "utf8") === key;
  if (isCurrent) return;

  const stage = join(pkgDir, ".dist-next");
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage);
  cpSync(entryDir, stage, { recursive: true });
  copyFileSync(join(core.dir, "core_bg.wasm"), join(stage, "core_bg.wasm"));
  copyFileSync(join(core.dir, "core_bg.js"), join(stage, "core_bg.js"));
  // `Symbol.dispose` stands in the declarations; a project need not have asked for it.
  const declarations = `/// <reference lib="esnext.disposable" />\n${readFileSync(join(core.dir, "core.d.ts"), "utf8")}`;
  writeFileSync(join(stage, "core_bg.d.ts"), declarations + GLUE_INTERNALS);
  writeFileSync(
    join(stage, "core_inline.js"),
    await inlineScript(readFileSync(join(stage, "core_bg.wasm"))),
  );
  writeFileSync(
    join(stage, "api.js"),
    publicNames(readFileSync(join(core.dir, "core.js"), "utf8")),
  );
  writeFileSync(
    join(stage, "imports.js"),
    moduleImports(readFileSync(join(stage, "core_bg.wasm"))),
  );

  writeFileSync(join(stage, "sql-guide.js"), guideScript(readFileSync(SQL_GUIDE, "utf8")));

  await step("checking the entries and writing their declarations (tsc)", () => declare(stage));
  await withoutComments(stage);
  await bundleEntries(stage);
  // What only the entries' own check needed.
  for (const name of ["assets.d.ts", "core_inline.d.ts"]) rmSync(join(stage, name));
  for (const name of filesBelow(stage)) {
    // Reached by no declaration of an entry.
    if (/^(loading|vendor)[\\/].*\.d\.ts$/.test(name)) rmSync(join(stage, name));
  }
  writeFileSync(join(stage, "core_bg.d.ts"), declarations);
  writeFileSync(join(stage, "api.d.ts"), API_DECLARATIONS);
  rmSync(distDir, { recursive: true, force: true });
  renameSync(stage, distDir);
  writeFileSync(KEY_FILE, key);
}

/** @param {string} guide */
function guideScript(guide) {
  const comment =
    "How to write SQL for this engine, in Markdown: for a system prompt or a resource that a model can read.";
  return `/**\n * ${comment}\n *\n * @type {string}\n */\nexport const SQL_GUIDE = ${JSON.stringify(guide)};\n`;
}

/** @param {string} folder @returns {string[]} its files and those of its folders, relative to it */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/** What npm shows and a licence asks for stands at the root of the checkout, and has to be packed from here. */
export const DOCUMENTS = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/** Brings the copies of the root's documents up to date. */
export function copyDocuments() {
  for (const name of DOCUMENTS) {
    if (existsSync(join(rootDir, name))) copyFileSync(join(rootDir, name), join(pkgDir, name));
  }
}

/**
 * `api.js`: what the crate exports, and the classes of `classes.js` it hands out.
 *
 * @param {string} glue wasm-bindgen's own entry, which ends with the list of public names
 */
function publicNames(glue) {
  const listed = /export \{([^}]*)\} from "\.\/core_bg\.js";/.exec(glue)?.[1];
  const names = listed
    ?.split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  if (!names)
    throw new PlainError("wasm-bindgen's output names no exports: its format has changed");
  return (
    "// Everything the package offers, whichever entry starts the module.\n\n" +
    `export { ${names.filter((name) => !INTERNAL.includes(name)).join(", ")} } from "./core_bg.js";\n` +
    'export * from "./classes.js";\n'
  );
}

/**
 * Takes the comments out of the scripts: the declarations carry what users read, and a third of the glue's download is
 * comments.
 *
 * @param {string} stage
 */
async function withoutComments(stage) {
  const { default: typescript } = await import("typescript");
  const { ESNext } = typescript.ScriptTarget;
  const compilerOptions = {
    target: ESNext,
    module: typescript.ModuleKind.ESNext,
    removeComments: true,
  };
  for (const name of filesBelow(stage)) {
    if (!name.endsWith(".js") || name === "core_inline.js") continue;
    const source = readFileSync(join(stage, name), "utf8");
    writeFileSync(
      join(stage, name),
      typescript.transpileModule(source, { compilerOptions }).outputText,
    );
  }
}

/**
 * Checks the entries strictly and writes a `.d.ts` beside each.
 *
 * @param {string} stage
 */
async function declare(stage) {
  const roots = filesBelow(stage)
    .filter((name) => /\.js$/.test(name) && name !== "core_bg.js" && name !== "core_inline.js")
    .concat("assets.d.ts");
  await output(
    bin("tsc"),
    [
      ...["--allowJs", "--checkJs", "--strict", "--declaration", "--emitDeclarationOnly"],
      ...["--target", "es2022", "--lib", "es2022,esnext.disposable,dom,dom.iterable"],
      ...["--module", "esnext", "--moduleResolution", "bundler", "--outDir", stage],
      // No ambient types: the entries may not lean on Node's.
      ...["--typeRoots", join(stage, "none")],
      ...roots.map((name) => join(stage, name)),
    ],
    { cwd: stage },
  );
}
