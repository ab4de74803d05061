// The retention register: each table with personal data, whose rows they are, what an export shows, what
// closing an account does to them and when the nightly job deletes them. A test requires every table to be
// here or in non-personal-tables.ts (docs/decisions/009).
import type { RetentionLine } from "./retention.ts";
import { accountRetention } from "./retention-account.ts";
import { canteenRetention } from "./retention-canteen.ts";
import { familyRetention } from "./retention-family.ts";
import { fundingRetention } from "./retention-funding.ts";
import { moneyRetention } from "./retention-money.ts";
import { purchasesRetention } from "./retention-purchases.ts";

/** Tables with personal data. */
export const register: readonly RetentionLine[] = [
  ...accountRetention,
  ...moneyRetention,
  ...fundingRetention,
  ...purchasesRetention,
  ...canteenRetention,
  ...familyRetention,
];
