import { buildPackage } from "../build/package.mjs";
import { isOver, measureSizes, sizeTable } from "../build/sizes.mjs";

/** @returns {Promise<number>} exit code: 1 when a size is over its budget */
export async function main() {
  await buildPackage();
  const sizes = measureSizes();
  console.log(`\n${sizeTable(sizes)}`);
  const over = sizes.filter(isOver);
  for (const size of over) console.error(`${size.name} is over its budget`);
  return over.length ? 1 : 0;
}
