// Every case of the public API, for all runtimes.

import { clientCases } from "./client.js";
import { databaseCases } from "./databases.js";
import { losslessCases } from "./lossless.js";
import { misuseCases } from "./misuse.js";
import { searchCases } from "./search.js";
import { sqlCases } from "./sql.js";
import { toolCases } from "./tools.js";
import { transportCases } from "./transport.js";

export const cases = [
  ...sqlCases,
  ...transportCases,
  ...losslessCases,
  ...clientCases,
  ...misuseCases,
  ...databaseCases,
  ...searchCases,
  ...toolCases,
];
