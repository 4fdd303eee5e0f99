import { runInPages } from "./browser-pages.mjs";

/** @type {import("./suites.mjs").Suite} */
export const chromium = {
  name: "chromium",
  title: "JavaScript in a Chromium page, without a bundler",
  run: ({ engine }) => runInPages("chrome", engine),
};
