// The package as npm would publish it, installed in a project of its own.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npm } from "./dependencies.mjs";
import { pkgDir } from "./paths.mjs";

/** @typedef {{ name: string, files: { path: string, size: number }[], filename: string }} PackList */

/**
 * @param {string} destination folder of the tarball
 * @returns {Promise<PackList>}
 */
export async function pack(destination) {
  mkdirSync(destination, { recursive: true });
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", destination];
  const answer = JSON.parse(await npm(args, pkgDir));
  // npm up to 10 lists the packages; npm 11 keys them by name.
  return Array.isArray(answer) ? answer[0] : Object.values(answer)[0];
}

/**
 * Runs work in a new project, in a path with a space and a percent sign, that has the packed package installed.
 *
 * @template T
 * @param {(project: { dir: string, tarball: string, packed: PackList }) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withInstalledPackage(work) {
  const base = mkdtempSync(join(tmpdir(), "hotdata-packed-"));
  try {
    const packed = await pack(base);
    const tarball = join(base, packed.filename);
    const dir = join(base, "a project 100%25");
    mkdirSync(dir);
    writeFileSync(
      join(dir, "package.json"),
      JSON.stringify({ name: "project", private: true, type: "module" }),
    );
    await npm(["install", "--offline", "--no-audit", "--no-fund", tarball], dir);
    return await work({ dir, tarball, packed });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
