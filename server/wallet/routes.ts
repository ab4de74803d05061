// Routes of the wallet room: one line each.
import { api } from "#contract/api.ts";
import { reading } from "../db/replica.ts";
import { csv, pdf } from "../http/document.ts";
import { routes } from "../http/serve.ts";
import { creditOf, readCreditAlong } from "./credit.ts";
import { movementsCsv } from "./export.ts";
import { historyOf } from "./history.ts";
import { movementPage } from "./movements.ts";
import { walletsOf } from "./states.ts";
import { statementPdf } from "./statement.ts";
import { transfer } from "./transfers.ts";
import { walletOf } from "./wallet.ts";

export const walletRoutes = routes(
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
      const wallet = await walletOf(deps, caller.personId, input.objectID);
      return await reading(deps, (db) => movementPage(db, wallet, input));
    },
    history: async ({ deps, caller, input }) => {
      const wallet = await walletOf(deps, caller.personId, input.objectID);
      return await reading(deps, (db) =>
        historyOf(db, wallet, { days: input.days, now: deps.now() }),
      );
    },
    statement: async ({ deps, caller, input }) => {
      const wallet = await walletOf(deps, caller.personId, input.objectID);
      const file = await reading(deps, (db) => statementPdf({ ...deps, db }, wallet, input));
      return pdf(file, `releve-${wallet.slug}.pdf`);
    },
    exportCsv: async ({ deps, caller, input }) => {
      const wallet = await walletOf(deps, caller.personId, input.objectID);
      const file = await reading(deps, (db) => movementsCsv(db, wallet, input));
      return csv(file, `operations-${wallet.slug}.csv`);
    },
    transfer: async ({ deps, caller, origin, key, input }) =>
      await transfer(deps, { caller, origin, key, wanted: input }),
  },
  { info: readCreditAlong },
);
