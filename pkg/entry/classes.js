// The hand-written classes that are public. A query's result is public by its interface only.

export { HotdataError } from "./errors.js";
export { Hotdata } from "./hotdata.js";
export { Toolset } from "./toolset.js";
