// The late fee of a pass asked after the deadline, and how one is let off it: asked with a few words,
// answered by the operator; what was paid already comes back to the wallet that paid it.
import { sql } from "kysely";
import type { Parsed } from "#contract/endpoint.ts";
import type { passes, PassOrder } from "#contract/passes.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { attachDocuments, documentsOf } from "#server/documents/documents.ts";
import type { Caller } from "#server/http/caller.ts";
import { audit } from "#server/identity/identity.ts";
import { postedUnder, reverseGroup } from "#server/ledger/ledger.ts";
import { parisDay } from "#server/wallet/wallet.ts";
import { productOf } from "./catalogue.ts";
import { anyLockedOrder, lockedOrder, orderOf, orderSeen, quoteNow } from "./orders.ts";
import { lateFeeKey } from "./settle.ts";
import { pleaOf } from "./papers.ts";
import { tell } from "./tell.ts";

/**
 * Asks to be let off the late fee, before or after paying. Refuses `exemption_none` where there is no
 * fee, `exemption_asked` a second time, `pass_order_state` for a purchase given up.
 */
export function askExemption(
  deps: Deps,
  caller: Caller,
  { order: id, words, documents = [] }: Parsed<typeof passes.exempt>,
): Promise<PassOrder> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const order = await lockedOrder(tx, caller.personId, id);
    if (order.state === "cancelled") throw new Problem("pass_order_state");
    if (order.exemption !== "none") throw new Problem("exemption_asked");
    const product = await productOf(tx, order.productId);
    const { price } = await quoteNow(tx, order, product, parisDay(at));
    if (price.lateFeeCents === 0) throw new Problem("exemption_none");
    await sql`update pass_order set exemption = 'asked', exemption_words = ${words},
      exemption_asked_at = ${at} where id = ${order.id}`.execute(tx);
    const papers = { personId: caller.personId, ids: documents, to: pleaOf(order.id), at };
    await attachDocuments(tx, papers);
    return await orderSeen(deps, tx, await orderOf(tx, caller.personId, id));
  });
}

export interface WaitingExemption {
  number: number;
  product: string;
  holder: string;
  words: string;
  askedAt: Date;
  paid: boolean;
  /** Ids for `documents save`. */
  papers: string[];
}

/** Exemptions that wait for the operator, the oldest first, at most 200. */
export async function waitingExemptions(db: Db): Promise<WaitingExemption[]> {
  const { rows } = await sql<Omit<WaitingExemption, "papers"> & { id: string }>`
    select o.id, o.number, f.name as product, h.name as holder, o.exemption_words as words,
      o.exemption_asked_at as "askedAt", o.state = 'paid' as paid
    from pass_order o join fare_product f on f.id = o.product_id join person h on h.id = o.holder_id
    where o.exemption = 'asked' order by o.number limit 200`.execute(db);
  const sent = await documentsOf(
    db,
    rows.map(({ id }) => pleaOf(id)),
  );
  return rows.map(({ id, ...one }) => ({
    ...one,
    papers: sent.filter((paper) => paper.of === id).map((paper) => paper.id),
  }));
}

type Desk = Pick<Deps, "db" | "now" | "send" | "config">;

/**
 * Answers an exemption by the number of its purchase. Accepted: the fee is no longer asked, and what
 * was paid of it comes back the way it came. Refused: the buyer reads why. Gives the cents given back.
 */
export function answerExemption(
  desk: Desk,
  { number, refusal, operator }: { number: number; refusal: string | null; operator: string },
): Promise<{ holder: string; backCents: number }> {
  return inTx(desk.db, async (tx) => {
    const at = desk.now();
    const order = await waiting(tx, number);
    const product = await productOf(tx, order.productId);
    const state = refusal === null ? "accepted" : "refused";
    await sql`update pass_order set exemption = ${state}, exemption_answer = ${refusal},
      revision = revision + 1 where id = ${order.id}`.execute(tx);
    const backCents = refusal === null ? await giveBack(tx, order.id, at) : 0;
    await audit(tx, {
      personId: order.buyerId,
      action: `pass.exemption_${state}`,
      actor: `operator:${operator}`,
      address: null,
      details: { name: product.name },
      at,
    });
    const back = backCents > 0 ? ` ${formatMoney(backCents)} reviennent sur votre cagnotte.` : "";
    await tell(tx, desk, {
      holderId: order.holderId,
      buyerId: order.buyerId,
      name: product.name,
      groupId: product.groupId,
      title: refusal === null ? "Frais de retard annulés" : "Frais de retard maintenus",
      what:
        refusal === null
          ? `n’a plus de frais de retard.${back}`
          : `garde ses frais de retard : ${refusal}`,
      at,
      outside: true,
    });
    return { holder: order.holder, backCents };
  });
}

async function waiting(tx: Tx, number: number) {
  const { rows } = await sql<{ id: string }>`
    select id from pass_order where number = ${number}`.execute(tx);
  if (!rows[0]) throw new Problem("not_found");
  const order = await anyLockedOrder(tx, rows[0].id);
  if (order.exemption !== "asked") throw new Problem("exemption_none");
  return order;
}

async function giveBack(tx: Tx, orderId: string, at: Date): Promise<number> {
  const paid = await postedUnder(tx, lateFeeKey(orderId));
  if (paid.length === 0) return 0;
  const undo = {
    key: `${lateFeeKey(orderId)}:back`,
    kind: "refund",
    reason: "Frais de retard annulés",
  };
  await reverseGroup(tx, lateFeeKey(orderId), { ...undo, at });
  return paid.reduce((sum, one) => sum + one.amountCents, 0);
}
