// What is public and written by hand. A query's result is public by its interface only.

export { HotdataError } from "./errors.js";
export { Hotdata } from "./hotdata.js";
export { SQL_GUIDE } from "./sql-guide.js";
export { Toolset } from "./toolset.js";
