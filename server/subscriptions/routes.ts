// Routes of the subscriptions room: one line each.
import { api } from "#contract/api.ts";
import { pdf } from "../http/document.ts";
import { routes } from "../http/serve.ts";
import { siteOrigin } from "../http/site.ts";
import { cancel } from "./after.ts";
import { abandon, chooseFormula, chooseOptions, confirmHolder, readFile } from "./files.ts";
import { givePaper, takePaper } from "./papers.ts";
import { pay } from "./pay.ts";
import { receiptPdf } from "./receipt.ts";
import { offerOf, subscriptionsOf } from "./subscriptions.ts";

export const subscriptionRoutes = routes("subscriptions", api.subscriptions, {
  list: subscriptionsOf,
  offer: offerOf,
  choose: chooseFormula,
  read: readFile,
  givePaper,
  takePaper,
  confirmHolder,
  chooseOptions,
  pay: (call) => pay({ ...call, siteOrigin: siteOrigin(call.deps, call.request) }),
  abandon,
  cancel,
  receipt: async ({ deps, caller, input }) =>
    pdf(await receiptPdf(deps, caller, input.id), "recu-abonnement.pdf"),
});
