// The grants room: which function answers which row, its jobs and hooks.
import { api } from "#contract/api.ts";
import { pay, saleHooks } from "#server/checkout/checkout.ts";
import { routes } from "#server/http/serve.ts";
import { siteOrigin } from "#server/http/site.ts";
import { onVerified } from "#server/ledger/ledger.ts";
import { companyHome } from "#server/portal/portal.ts";
import { attach, type Room } from "#server/process/room.ts";
import { onAidReturned } from "#server/wallet/wallet.ts";
import { deleteStaleDrafts, discardDraft, readChoices, writeDraft } from "./drafts.ts";
import { readGrantsFile } from "./file.ts";
import { grantCommands } from "./operator.ts";
import { noteReturn, payReturns, takeBack } from "./returns.ts";
import { grantSale } from "./sale.ts";
import { cancelTransfer, payByTransfer, requestPdf } from "./transfer.ts";
import { proveGrants } from "./verification.ts";
import { grantsByCard, grantsCsv, grantsHome, listGrants, readGrant } from "./views.ts";
import { warnOfEnds } from "./warnings.ts";

const handlers = routes("grants", api.grants, {
  choices: readChoices,
  readFile: readGrantsFile,
  write: writeDraft,
  pay: async ({ deps, caller, origin, request, input }) => {
    const { grant: orderId, ...paymentInput } = input;
    const from = { caller, origin, siteOrigin: siteOrigin(deps, request) };
    const payment = await pay(deps, grantSale, { ...from, orderId, ...paymentInput });
    return { id: orderId, payment };
  },
  payByTransfer,
  cancelTransfer,
  request: requestPdf,
  discard: discardDraft,
  takeBack,
  list: listGrants,
  byCard: grantsByCard,
  exportCsv: grantsCsv,
  read: readGrant,
});

export const grants: Room = {
  name: "grants",
  routes: handlers,
  tasks: (deps) => ({
    pay_grant_returns: () => payReturns(deps),
    warn_grant_ends: () => warnOfEnds(deps),
    delete_stale_grants: () => deleteStaleDrafts(deps),
  }),
  routines: [
    // Lots expire at five past; their returns are paid a little later.
    { task: "pay_grant_returns", cron: "25 * * * *" },
    { task: "warn_grant_ends", cron: "35 * * * *" },
    { task: "delete_stale_grants", cron: "55 3 * * *" },
  ],
  commands: grantCommands,
  hooks: [
    ...saleHooks(grantSale),
    attach({ onAidReturned }, noteReturn),
    attach({ onVerified }, proveGrants),
    attach({ companyHome }, grantsHome),
  ],
};
