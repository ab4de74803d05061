// Every campaign, in the order in which `npm run faults` runs them. A new one is a file and a line.
import type { Campaign } from "./campaign.ts";
import { clock } from "./clock.ts";
import { commit } from "./commit.ts";
import { crash } from "./crash.ts";
import { disk } from "./disk.ts";
import { invoices } from "./invoices.ts";
import { ledger } from "./ledger.ts";
import { migrations } from "./migrate.ts";
import { restore } from "./restore.ts";
import { sigterm } from "./sigterm.ts";
import { wallet } from "./wallet.ts";
import { webhooks } from "./webhooks.ts";

export const campaigns: readonly Campaign[] = [
  crash,
  commit,
  wallet,
  webhooks,
  ledger,
  invoices,
  sigterm,
  disk,
  migrations,
  clock,
  restore,
];
