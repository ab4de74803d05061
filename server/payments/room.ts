// The payments room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { Problem } from "#contract/errors.ts";
import type { Deps } from "#server/process/deps.ts";
import { guardiansOf } from "#server/family/family.ts";
import { type Document, pdf, redirect } from "../http/document.ts";
import { routes } from "../http/serve.ts";
import { siteOrigin } from "../http/site.ts";
import { bookCommands } from "./books-operator.ts";
import { debtCommands } from "./debts.ts";
import { chargePage, finishedPage } from "./page.ts";
import { paymentMethodsOf, providerOf, takeWebhook } from "./payments.ts";
import { receiptPdf } from "./receipt.ts";
import { chargeOf, play } from "./sandbox.ts";
import { toTopUpView } from "./top-up-view.ts";
import { startTopUp, topUpOf, topUpsOf } from "./top-ups.ts";
import type { SandboxOutcome } from "#contract/payments/rows.ts";
import { paymentTasks, paymentRoutines } from "./payments.ts";
import { paymentCommands } from "./payments.ts";
import type { Room } from "#server/process/room.ts";

const handlers = routes("payments", api.payments, {
  startTopUp: async ({ deps, caller, input, key, request }) =>
    await startTopUp(deps, providerOf(deps), {
      caller,
      input,
      key,
      siteOrigin: siteOrigin(deps, request),
    }),
  methods: async ({ deps, caller }) => {
    const methods = await paymentMethodsOf(deps.db, caller.personId);
    const mayKeep = (await guardiansOf(deps.db, caller.personId)).length === 0;
    return { items: methods.map(({ id, label }) => ({ id, label })), mayKeep };
  },
  topUps: async ({ deps, caller, input, request }) => {
    const { latest, owedCents } = await topUpsOf(deps, caller.personId, input.objectID);
    return { items: latest.map((row) => toTopUpView(row, siteOrigin(deps, request))), owedCents };
  },
  topUp: async ({ deps, caller, input, request }) =>
    toTopUpView(await topUpOf(deps, caller.personId, input.id), siteOrigin(deps, request)),
  receipt: async ({ deps, caller, input }) =>
    pdf(
      await receiptPdf(deps, await topUpOf(deps, caller.personId, input.id)),
      "recu-recharge.pdf",
    ),
  sandboxPage: async ({ deps, input }) =>
    chargePage(await chargeOf(requireSandbox(deps).db, input.id)),
  sandboxPay: async ({ deps, input }) => await paySandboxCharge(requireSandbox(deps), input),
  webhook: async ({ deps, input, request }) => await takeWebhook(deps, input.provider, request),
});

/** Plays the pressed button, then sends the browser back; a second click finds the first one's outcome. */
async function paySandboxCharge(
  deps: Deps,
  { id, outcome, keep }: { id: string; outcome: SandboxOutcome; keep?: "1" | undefined },
): Promise<Document> {
  try {
    const charge = await play(deps, id, { outcome, keep: keep === "1" });
    return redirect(outcome === "challenge" ? `/paiement/sandbox/${id}` : charge.returnPath);
  } catch (error) {
    // The caller is a browser, not a program: it gets a page.
    if (!(error instanceof Problem) || error.code !== "payment_finished") throw error;
    return finishedPage(await chargeOf(deps.db, id), 409);
  }
}

function requireSandbox(deps: Deps): Deps {
  if (deps.config.payments !== "sandbox") throw new Problem("not_found");
  return deps;
}

export const payments: Room = {
  name: "payments",
  routes: handlers,
  tasks: paymentTasks,
  routines: paymentRoutines,
  commands: [...paymentCommands, ...debtCommands, ...bookCommands],
};
