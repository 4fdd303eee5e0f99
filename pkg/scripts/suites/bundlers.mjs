import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { buildPackage } from "../build/package.mjs";
import { withPage } from "../lib/browser.mjs";
import { installDependencies, matrixDir, runtimesDir } from "../lib/dependencies.mjs";
import { withInstalledPackage } from "../lib/packed.mjs";
import { output } from "../lib/process.mjs";
import { serve } from "../lib/static-server.mjs";
import { countChecks } from "./checks.mjs";
import { askWorker } from "./workerd.mjs";

/** One import of one function: what tree shaking must leave working. */
const PROGRAM = `import { bm25SearchSql } from "hotdata-wasm";
globalThis.bundled = bm25SearchSql({ table: "default.public.papers", column: "content", query: "it's" });
if (typeof document === "undefined" && typeof process !== "undefined") console.log(globalThis.bundled);
`;

const WORKER = `import { bm25SearchSql } from "hotdata-wasm";
export default {
  fetch: () => Response.json(bm25SearchSql({ table: "default.public.papers", column: "content", query: "it's" })),
};
`;

const EXPECTED = /^SELECT .*bm25_search\('default\.public\.papers', 'content', 'it''s', 5\)/;

/** @type {import("./suites.mjs").Suite} */
export const bundlers = {
  name: "bundlers",
  title:
    "production builds by esbuild, Vite and webpack, for pages, Node, workers and edge, that import one function",
  matrix: true,
  async run() {
    await buildPackage();
    await installDependencies(runtimesDir);
    await installDependencies(matrixDir);
    return withInstalledPackage(({ dir }) => {
      writeFileSync(join(dir, "main.js"), PROGRAM);
      writeFileSync(join(dir, "worker.js"), WORKER);
      return countChecks([
        { name: "esbuild, browser module", run: () => inBrowser(dir, esbuildFor(dir, "esm")) },
        { name: "esbuild, browser script", run: () => inBrowser(dir, esbuildFor(dir, "iife")) },
        { name: "esbuild, node", run: () => esbuildNode(dir) },
        { name: "esbuild, workerd", run: () => esbuildWorkerd(dir) },
        { name: "esbuild, edge-light", run: () => esbuildEdge(dir) },
        { name: "Vite", run: () => inBrowser(dir, vite(dir)) },
        { name: "webpack", run: () => inBrowser(dir, webpack(dir)) },
      ]);
    });
  },
};

/** @param {string} name a package of the matrix */
async function matrixModule(name) {
  const entry = createRequire(join(matrixDir, "package.json")).resolve(name);
  const module = await import(pathToFileURL(entry).href);
  return module.default?.build || typeof module.default === "function" ? module.default : module;
}

/**
 * @param {string} dir
 * @param {"esm" | "iife"} format
 * @returns {Promise<{ folder: string, script: string, type: string }>}
 */
async function esbuildFor(dir, format) {
  const esbuild = await matrixModule("esbuild");
  const folder = join(dir, `esbuild-${format}`);
  await esbuild.build({
    absWorkingDir: dir,
    entryPoints: ["main.js"],
    bundle: true,
    minify: true,
    format,
    platform: "browser",
    target: ["chrome95", "firefox102", "safari16.4"],
    outfile: join(folder, "main.js"),
    logLevel: "error",
  });
  return { folder, script: "main.js", type: format === "esm" ? "module" : "text/javascript" };
}

/** @param {string} dir */
async function esbuildNode(dir) {
  const esbuild = await matrixModule("esbuild");
  const outfile = join(dir, "esbuild-node", "main.mjs");
  await esbuild.build({
    absWorkingDir: dir,
    entryPoints: ["main.js"],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    outfile,
    logLevel: "error",
  });
  expectSql(await output(process.execPath, [outfile]));
}

/** @param {string} dir */
async function esbuildWorkerd(dir) {
  const esbuild = await matrixModule("esbuild");
  const folder = join(dir, "esbuild-workerd");
  await esbuild.build({
    absWorkingDir: dir,
    entryPoints: ["worker.js"],
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    target: "es2022",
    outdir: folder,
    // As wrangler does: modules stay files beside the script.
    external: ["*.wasm"],
    logLevel: "error",
  });
  cpSync(installedModule(dir), join(folder, "core_bg.wasm"));
  expectSql(await askWorker(folder, "worker.js", ""));
}

/**
 * As Vercel's builds do: the import with `?module` becomes a compiled module, and compiling from bytes is refused.
 *
 * @param {string} dir
 */
async function esbuildEdge(dir) {
  const esbuild = await matrixModule("esbuild");
  const { EdgeRuntime } = await matrixModule("edge-runtime");
  const compiledModule = {
    name: "compiled-module",
    setup(/** @type {any} */ build) {
      build.onResolve({ filter: /\.wasm\?module$/ }, (/** @type {any} */ found) => ({
        path: join(found.resolveDir, found.path.replace(/\?module$/, "")),
        namespace: "compiled-module",
      }));
      build.onLoad({ filter: /./, namespace: "compiled-module" }, (/** @type {any} */ found) => ({
        contents: `export default globalThis.modules[${JSON.stringify(basename(found.path))}];`,
      }));
    },
  };
  const built = await esbuild.build({
    absWorkingDir: dir,
    entryPoints: ["main.js"],
    bundle: true,
    format: "iife",
    conditions: ["edge-light"],
    plugins: [compiledModule],
    write: false,
    logLevel: "error",
  });
  const module = await WebAssembly.compile(readFileSync(installedModule(dir)));
  const runtime = new EdgeRuntime({
    codeGeneration: { strings: false, wasm: false },
    extend: (/** @type {any} */ context) =>
      Object.assign(context, { modules: { "core_bg.wasm": module } }),
  });
  runtime.evaluate(built.outputFiles[0].text);
  expectSql(runtime.evaluate("globalThis.bundled"));
}

/** @param {string} dir a project with the package installed */
function installedModule(dir) {
  return join(dir, "node_modules", "hotdata-wasm", "dist", "core_bg.wasm");
}

/** @param {string} dir */
async function vite(dir) {
  const { build } = await matrixModule("vite");
  const root = join(dir, "vite");
  mkdirSync(root);
  writeFileSync(join(root, "main.js"), PROGRAM);
  writeFileSync(
    join(root, "index.html"),
    '<!doctype html><link rel="icon" href="data:," /><script type="module" src="./main.js"></script>',
  );
  await build({ root, configFile: false, logLevel: "error" });
  const folder = join(root, "dist");
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const script = /src="\/([^"]+)"/.exec(html)?.[1];
  if (!script) throw new Error(`Vite's page names no script:\n${html}`);
  return { folder, script, type: "module" };
}

/** @param {string} dir */
async function webpack(dir) {
  const compile = await matrixModule("webpack");
  const folder = join(dir, "webpack");
  await new Promise((resolve, reject) => {
    compile(
      {
        mode: "production",
        context: dir,
        entry: "./main.js",
        target: "web",
        output: { path: folder, filename: "main.js" },
        performance: { hints: false },
      },
      (/** @type {Error | null} */ error, /** @type {any} */ stats) => {
        if (error) reject(error);
        else if (stats.hasErrors() || stats.hasWarnings())
          reject(new Error(stats.toString("minimal")));
        else resolve(undefined);
      },
    );
  });
  return { folder, script: "main.js", type: "text/javascript" };
}

/**
 * Runs a build in a page under the strict policy and checks what the program made.
 *
 * @param {string} dir
 * @param {Promise<{ folder: string, script: string, type: string }>} building
 */
async function inBrowser(dir, building) {
  const { folder, script, type } = await building;
  const html = `<!doctype html><link rel="icon" href="data:," /><script type="${type}" src="/${script}"></script>`;
  const site = await serve({
    mounts: { "/": folder },
    answers: { "/page.html": () => ({ type: "text/html; charset=utf-8", body: html }) },
  });
  try {
    const bundled = await withPage("chrome", async (page, faults) => {
      await page.goto(`${site.url}/page.html`);
      await page.waitForFunction("globalThis.bundled", { timeout: 20_000 }).catch(() => {
        throw new Error(`${dir}: no result\n${faults.join("\n")}`);
      });
      return page.evaluate("globalThis.bundled");
    });
    expectSql(bundled);
  } finally {
    await site.close();
  }
}

/** @param {unknown} sql */
function expectSql(sql) {
  if (!EXPECTED.test(String(sql))) throw new Error(`unexpected: ${sql}`);
}
