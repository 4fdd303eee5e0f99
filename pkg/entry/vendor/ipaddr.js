// Bundled by the build: the package is CommonJS, which a page cannot import.

export { default } from "ipaddr.js";
