// Answers to a child's request for money. Whichever guardian answers first settles it: the transfer and the
// state of the request are one transaction, so neither is there without the other.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import type { moneyRequests } from "#contract/funding/money-requests.ts";
import { paths } from "#contract/paths.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { guardiansOf, lockTieForShare } from "#server/family/family.ts";
import type { AuditedCall } from "#server/http/caller.ts";
import type { Call } from "#server/http/serve.ts";
import { auditAct } from "#server/identity/identity.ts";
import { announce, publishChange } from "#server/notifications/notifications.ts";
import { mainWalletsOf, requireUsableCard, sentTransfer, transfer } from "#server/wallet/wallet.ts";
import {
  quoted,
  receivedRequest,
  requestWords,
  requireOpen,
  type RequestRow,
} from "./money-requests.ts";

type SendCall = Call<typeof moneyRequests.send>;
type Answer = Output<typeof moneyRequests.send>;

/**
 * Sends money to the child who asked, from the caller's main wallet, by the rules of a transfer. The same answer
 * again gives the first outcome; after somebody else's, or another one, it is `money_request_answered`.
 */
export async function sendRequested(call: SendCall): Promise<Answer> {
  const { deps, caller, origin, input } = call;
  const { id, amountCents, ...proof } = input;
  const me = caller.personId;
  const request = await receivedRequest(deps.db, me, { id, at: deps.now() });
  const before = await sameAnswer(deps.db, me, request, amountCents);
  if (before) return before;
  requireSendable(request);
  const wallet = (await mainWalletsOf(deps, [me])).get(me);
  if (!wallet) throw new Problem("not_found");
  const { personId: child, cardnumber: toCardnumber } = request;
  try {
    const sent = await transfer(deps, {
      caller,
      origin,
      // The request is settled once: it protects from a second transfer better than a confirmation.
      input: { fromWallet: wallet.objectID, toCardnumber, amountCents, repeat: true, ...proof },
      key: null,
      settles: {
        lockTies: (tx) => lockTieForShare(tx, { actor: me, owner: child }),
        requireOpen: async (tx) =>
          requireSendable(await receivedRequest(tx, me, { id, at: deps.now(), lock: true })),
        onSent: async (tx, { id: transferId }) => {
          await sql`update money_request set state = 'sent', ended_at = ${deps.now()},
              answered_by = ${me}, sent_cents = ${amountCents}, transfer_id = ${transferId}
            where id = ${id}`.execute(tx);
          await publishChange(
            tx,
            await otherGuardians(tx, request, me),
            "money_requests",
            "wallets",
          );
        },
        notice: () => ({
          title: "Argent reçu",
          body: `${caller.name} vous a envoyé ${formatMoney(amountCents)}, en réponse à votre demande.`,
          path: paths.moneyRequest,
          changed: ["wallets", "limits", "money_requests"],
        }),
      },
    });
    return { transfer: sent.id, amountCents, balanceCents: sent.balanceCents };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "money_request_answered") throw error;
    // Of two presses at once the second finds what the first one did.
    const settled = await receivedRequest(deps.db, me, { id, at: deps.now() });
    const same = await sameAnswer(deps.db, me, settled, amountCents);
    if (same) return same;
    throw error;
  }
}

/** The outcome of the caller's own earlier answer with the same amount, null where there is none. */
async function sameAnswer(
  db: Db,
  me: number,
  { answeredById, transferId, sentCents }: RequestRow,
  amountCents: number,
): Promise<Answer | null> {
  if (transferId === null || answeredById !== me || sentCents !== amountCents) return null;
  const { balanceCents } = await sentTransfer(db, me, transferId);
  return { transfer: transferId, amountCents, balanceCents };
}

function requireSendable(request: RequestRow): void {
  requireOpen(request);
  requireUsableCard(request.cardState);
}

const otherGuardians = async (tx: Tx, request: RequestRow, me: number): Promise<number[]> =>
  (await guardiansOf(tx, request.personId)).filter((id) => id !== me);

/** Refuses a request, with words where there are any; again changes nothing. */
export async function refuseRequest(
  call: AuditedCall<{ id: string; words?: string | undefined }>,
): Promise<{ message: string }> {
  const { deps, caller, input } = call;
  const me = caller.personId;
  const words = requestWords(input.words);
  const at = deps.now();
  const { personId: child } = await receivedRequest(deps.db, me, { id: input.id, at });
  return await inTx(deps.db, async (tx) => {
    await lockTieForShare(tx, { actor: me, owner: child });
    const request = await receivedRequest(tx, me, { id: input.id, at, lock: true });
    const message = `${request.name} est au courant de votre réponse.`;
    if (request.state === "refused" && request.answeredById === me) return { message };
    requireOpen(request);
    await sql`update money_request set state = 'refused', ended_at = ${at}, answered_by = ${me},
        answer_words = ${words} where id = ${input.id}`.execute(tx);
    await auditAct(tx, call, "funding.request_refuse", { details: { name: request.name }, at });
    await publishChange(tx, await otherGuardians(tx, request, me), "money_requests");
    await announce(tx, deps, {
      about: "money_request",
      to: [child],
      title: "Demande refusée",
      body: `${caller.name} a refusé votre demande de ${formatMoney(request.amountCents)}${quoted(words)}`,
      path: paths.moneyRequest,
      at,
      changed: ["money_requests"],
      channels: "outside",
    });
    return { message };
  });
}
