// The wallet room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { reading } from "../db/replica.ts";
import { csv, pdf } from "../http/document.ts";
import { routes } from "../http/serve.ts";
import { creditOf, readCreditAlong } from "./credit.ts";
import { movementsCsv } from "./export.ts";
import { historyOf } from "./history.ts";
import { spendingOf } from "./monthly-spending.ts";
import { movementPage } from "./movements.ts";
import { sentTransfer, transferReceipt } from "./sent-transfers.ts";
import { walletsOf } from "./states.ts";
import { statementPdf } from "./statement.ts";
import { transfer } from "./transfers.ts";
import { walletOf } from "./wallet.ts";
import { walletTasks, walletRoutines } from "./wallet.ts";
import { groupCommands } from "./groups-operator.ts";
import { walletCommands } from "./freezing.ts";
import { reversalCommands } from "./reversals-operator.ts";
import { onVerified } from "#server/ledger/ledger.ts";
import { attach, type Room } from "#server/process/room.ts";
import { proveTransfers } from "./proof.ts";

/** The period of a document in its file name. */
const daysOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }): string =>
  [from && `-du-${from}`, to && `-au-${to}`].filter(Boolean).join("");

const handlers = routes(
  "wallet",
  api.wallet,
  {
    info: async ({ request, input }) => creditOf(request, input.cardnumber),
    list: async ({ deps, caller, input }) => ({
      items: await walletsOf(deps, caller.personId, input.cardnumber),
    }),
    publicServices: async ({ deps, caller, input }) => ({
      data: await walletsOf(deps, caller.personId, input.cardnumber),
    }),
    movements: async ({ deps, caller, input }) => {
      const wallet = { objectID: input.objectID, personId: caller.personId };
      return await reading(deps, (db) => movementPage(db, wallet, input));
    },
    spending: async ({ deps, caller }) =>
      await reading(deps, (db) => spendingOf(db, caller.personId, deps.now())),
    history: async ({ deps, caller, input }) => {
      const wallet = await walletOf(deps, caller.personId, input.objectID);
      return await reading(deps, (db) =>
        historyOf(db, wallet, { days: input.days, now: deps.now() }),
      );
    },
    statement: async ({ deps, caller, input }) => {
      const wallet = await walletOf(deps, caller.personId, input.objectID);
      const file = await reading(deps, (db) => statementPdf({ ...deps, db }, wallet, input));
      return pdf(file, `releve-${wallet.slug}${daysOf(input)}.pdf`);
    },
    exportCsv: async ({ deps, caller, input }) => {
      const wallet = await walletOf(deps, caller.personId, input.objectID);
      const file = movementsCsv(deps, wallet, input);
      return csv(file, `operations-${wallet.slug}${daysOf(input)}.csv`);
    },
    transfer: async ({ deps, caller, origin, key, input }) =>
      await transfer(deps, { caller, origin, key, input }),
    sent: async ({ deps, caller, input }) => await sentTransfer(deps.db, caller.personId, input.id),
    sentReceipt: async ({ deps, caller, input }) =>
      pdf(await transferReceipt(deps, caller, input.id), "recu-virement.pdf"),
  },
  { info: readCreditAlong },
);

export const wallet: Room = {
  name: "wallet",
  routes: handlers,
  tasks: walletTasks,
  routines: walletRoutines,
  commands: [...groupCommands, ...walletCommands, ...reversalCommands],
  hooks: [attach({ onVerified }, proveTransfers)],
};
