// Every case of the public API, for all runtimes.

import { abortCases } from "./aborts.js";
import { clientCases } from "./client.js";
import { concurrencyCases } from "./concurrency.js";
import { databaseCases } from "./databases.js";
import { hazardCases } from "./hazards.js";
import { requestHazardCases } from "./hazards-requests.js";
import { searchHazardCases } from "./hazards-search.js";
import { hintCases } from "./hints.js";
import { hostileCases } from "./hostile.js";
import { lintCases } from "./lint.js";
import { losslessCases } from "./lossless.js";
import { misuseCases } from "./misuse.js";
import { searchCases } from "./search.js";
import { serviceCases } from "./service.js";
import { sqlCases } from "./sql.js";
import { toolSetCases } from "./tool-sets.js";
import { toolCases } from "./tools.js";
import { toolAggregateCases } from "./tools-aggregate.js";
import { toolWorkspaceCases } from "./tools-workspace.js";
import { transportCases } from "./transport.js";

export const cases = [
  ...sqlCases,
  ...transportCases,
  ...losslessCases,
  ...clientCases,
  ...concurrencyCases,
  ...abortCases,
  ...misuseCases,
  ...hostileCases,
  ...hazardCases,
  ...requestHazardCases,
  ...searchHazardCases,
  ...databaseCases,
  ...serviceCases,
  ...searchCases,
  ...lintCases,
  ...toolCases,
  ...toolAggregateCases,
  ...toolWorkspaceCases,
  ...toolSetCases,
  ...hintCases,
];
