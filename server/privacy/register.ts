// The register of what is kept: each table of the database, whose it is, what an export shows of it,
// what becomes of it when an account closes, and when it goes by itself. A test holds that no table
// is missing, so that whoever adds one decides (docs/decisions/009).
import type { Kept } from "./kept.ts";
import { keptAccount } from "./kept-account.ts";
import { keptFamily } from "./kept-family.ts";
import { keptFunding } from "./kept-funding.ts";
import { keptMoney } from "./kept-money.ts";
import { keptSubscriptions } from "./kept-subscriptions.ts";
import { keptTravel } from "./kept-travel.ts";

/** Tables that hold something about a person. */
export const register: readonly Kept[] = [
  ...keptAccount,
  ...keptMoney,
  ...keptFunding,
  ...keptSubscriptions,
  ...keptTravel,
  ...keptFamily,
];
