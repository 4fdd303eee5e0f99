// Every case of the demo page.

import { accessCases } from "./access.js";
import { faultCases } from "./faults.js";
import { hostileCases } from "./hostile.js";
import { navigationCases } from "./navigation.js";
import { searchingCases } from "./searching.js";

export const pageCases = [
  ...searchingCases,
  ...navigationCases,
  ...hostileCases,
  ...faultCases,
  ...accessCases,
];
