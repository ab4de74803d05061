// The sandbox: a payment provider with its own records, which moves no real money. Like any provider it knows
// the portal only as a merchant: it receives charges, and announces outcomes by signed webhooks.
import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import * as z from "zod/mini";
import { Problem } from "#contract/errors.ts";
import { payments } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import type { SandboxOutcome } from "#contract/payments/rows.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { type Charge, type EventType, eventTypes, type Provider } from "./provider.ts";
import { checkSignature, sign, signatureHeader } from "./signature.ts";

export interface SandboxCharge {
  id: string;
  reference: string;
  amountCents: number;
  /** Label of the purchase; null for a plain top-up. */
  label: string | null;
  /** Whether the payer is asked to let the payment method be saved, and agreed. */
  keep: "requested" | "accepted" | null;
  returnPath: string;
  refundedCents: number;
  state: Exclude<Charge["state"], "refunded" | "expired">;
  /** The outcome chosen on its page, null before. */
  outcome: SandboxOutcome | null;
}

/** The job that sends an event again until it is received. */
export const deliverTask = "sandbox_deliver";
const deliveryTimeoutMs = 3_000;
const safetyNetMs = 5_000;

const eventBody = z.object({
  id: z.uuid(),
  type: z.enum(eventTypes),
  charge: z.object({
    ref: z.string().check(z.maxLength(100)),
    reference: z.string().check(z.maxLength(100)),
    amountCents: z.int(),
    state: z.enum(["open", "pending", "succeeded", "declined", "disputed", "refunded"]),
    takenCents: z.optional(z.int()),
  }),
});

/** The sandbox as a provider. */
export function sandbox(deps: Pick<Deps, "db" | "now">): Provider {
  const { db, now } = deps;
  return {
    name: "sandbox",
    async start({ reference, amountCents, label, keep, returnPath }) {
      const at = now();
      await db
        .insertInto("sandboxCharge")
        .values({
          id: randomUUID(),
          reference,
          amountCents,
          returnUrl: returnPath,
          label,
          keep: keep ? "requested" : null,
          state: "open",
          outcome: null,
          createdAt: at,
          updatedAt: at,
        })
        .onConflict((conflict) => conflict.column("reference").doNothing())
        .execute();
      const charge = await chargeBy(db, "reference", reference);
      if (!charge) throw new Problem("payment_provider_down");
      return { ref: charge.id, path: `/paiement/sandbox/${charge.id}` };
    },
    async ask({ reference }) {
      const charge = await chargeBy(db, "reference", reference);
      return charge && toCharge(charge);
    },
    async savedMethod(ref) {
      const charge = await chargeBy(db, "id", ref);
      if (charge?.keep !== "accepted" || charge.state !== "succeeded") return null;
      return { ref, customer: null, label: "Carte fictive •••• 4242" };
    },
    async charge({ reference, amountCents, paymentMethod }) {
      const original = await chargeBy(db, "id", paymentMethod.ref);
      const at = now();
      await db
        .insertInto("sandboxCharge")
        .values({
          id: randomUUID(),
          reference,
          amountCents,
          returnUrl: paths.dashboard,
          state: original && original.outcome !== "refuse_later" ? "succeeded" : "declined",
          outcome: null,
          createdAt: at,
          updatedAt: at,
        })
        .onConflict((conflict) => conflict.column("reference").doNothing())
        .execute();
      const charge = await chargeBy(db, "reference", reference);
      if (!charge) throw new Problem("payment_provider_down");
      return toCharge(charge);
    },
    async refund(ref, amountCents) {
      await db
        .updateTable("sandboxCharge")
        .set({ refundedCents: amountCents ?? sql.ref("amount_cents"), updatedAt: now() })
        .where("id", "=", ref)
        .where("state", "=", "succeeded")
        .where("refundedCents", "=", 0)
        .execute();
    },
    async verify(rawBody, headers) {
      const secret = await secretOf(db);
      const header = headers[signatureHeader];
      const body = checkSignature(secret, { body: rawBody, header, now: now() });
      const parsed = z.safeParse(eventBody, JSON.parse(body.toString("utf8")));
      if (!parsed.success) throw new Problem("webhook_signature");
      return parsed.data;
    },
  };
}

/** A charge by its id, or `not_found`: the page's address is its only key, and cannot be guessed. */
export async function chargeOf(db: Db, id: string): Promise<SandboxCharge> {
  const charge = await chargeBy(db, "id", id);
  if (!charge) throw new Problem("not_found");
  return charge;
}

async function chargeBy(db: Db, key: "id" | "reference", value: string) {
  const row = await db
    .selectFrom("sandboxCharge")
    .select(["id", "reference", "amountCents", "returnUrl as returnPath"])
    .select(["state", "outcome", "label", "keep", "refundedCents"])
    .where(key, "=", value)
    .executeTakeFirst();
  return row
    ? ({ ...row, outcome: row.outcome as SandboxOutcome | null } satisfies SandboxCharge)
    : null;
}

const toCharge = ({ id, reference, amountCents, state, refundedCents }: SandboxCharge): Charge => ({
  ref: id,
  reference,
  amountCents,
  ...(refundedCents > 0 ? { state: "refunded", takenCents: refundedCents } : { state }),
});

/** A dispute is about the part that was not refunded already. */
const toEventCharge = (type: EventType, charge: SandboxCharge): Charge =>
  type === "charge.disputed"
    ? {
        ...toCharge(charge),
        state: charge.state,
        takenCents: charge.amountCents - charge.refundedCents,
      }
    : toCharge(charge);

/** The effect of each button: the new state at once, the events and their delay in seconds. */
const scripts: Readonly<
  Record<
    SandboxOutcome,
    {
      state: SandboxCharge["state"];
      events: readonly { type: SandboxEvent; afterSeconds: number; copies?: number }[];
    }
  >
> = {
  success: { state: "succeeded", events: [{ type: "charge.succeeded", afterSeconds: 0 }] },
  declined: { state: "declined", events: [{ type: "charge.declined", afterSeconds: 0 }] },
  // The bank asks for more: the page shows its second step, no event is sent yet.
  challenge: { state: "open", events: [] },
  pending: {
    state: "pending",
    events: [
      { type: "charge.authorized", afterSeconds: 0 },
      { type: "charge.succeeded", afterSeconds: payments.lateDelaySeconds },
    ],
  },
  // Paid at the provider, but the event is late.
  late: {
    state: "succeeded",
    events: [{ type: "charge.succeeded", afterSeconds: payments.lateDelaySeconds }],
  },
  duplicate: {
    state: "succeeded",
    events: [{ type: "charge.succeeded", afterSeconds: 0, copies: 3 }],
  },
  dispute: {
    state: "succeeded",
    events: [
      { type: "charge.succeeded", afterSeconds: 0 },
      { type: "charge.disputed", afterSeconds: payments.lateDelaySeconds },
    ],
  },
  // The saved payment method refuses every off-session charge.
  refuse_later: { state: "succeeded", events: [{ type: "charge.succeeded", afterSeconds: 0 }] },
};

/**
 * Plays an outcome on an open charge, and sends the events without delay. The same outcome again changes
 * nothing; another one on a finished charge is refused with `payment_finished`.
 */
export async function play(
  deps: Deps,
  id: string,
  { outcome, keep }: { outcome: SandboxOutcome; keep: boolean },
): Promise<SandboxCharge> {
  const at = deps.now();
  const script = scripts[outcome];
  const due: string[] = [];
  const charge = await inTx(deps.db, async (tx) => {
    due.length = 0;
    const updated = await tx
      .updateTable("sandboxCharge")
      .set({ state: script.state, outcome, updatedAt: at })
      .$if(keep, (query) =>
        query.set({ keep: sql`case when keep is not null then 'accepted' end` }),
      )
      .where("id", "=", id)
      .where("state", "=", "open")
      .executeTakeFirst();
    const current = await chargeOf(tx, id);
    if (updated.numUpdatedRows === 0n) {
      if (current.outcome === outcome) return current;
      throw new Problem("payment_finished");
    }
    for (const event of script.events) {
      const dueAt = new Date(at.getTime() + event.afterSeconds * 1000);
      const atOnce = event.afterSeconds === 0;
      // Events without delay are sent below; their job is only a safety net.
      const jobAt = atOnce ? new Date(at.getTime() + safetyNetMs) : dueAt;
      const eventId = await addEvent(deps, tx, id, { ...event, dueAt, jobAt });
      if (atOnce) due.push(eventId);
    }
    return current;
  });
  for (const eventId of due) {
    // The job behind it sends it again if this fails.
    await deliver(deps, eventId).catch((error: unknown) => {
      deps.log.warn(
        { err: error, event: eventId },
        "sandbox webhook not heard, will be sent again",
      );
    });
  }
  return charge;
}

/** A page of the sandbox never expires: its charges are answered or wait. */
type SandboxEvent = Exclude<EventType, "charge.expired">;

async function addEvent(
  { enqueue }: Deps,
  tx: Tx,
  chargeId: string,
  event: { type: SandboxEvent; dueAt: Date; jobAt: Date; copies?: number },
): Promise<string> {
  const id = randomUUID();
  const { type, dueAt, jobAt, copies = 1 } = event;
  await tx
    .insertInto("sandboxEvent")
    .values({ id, chargeId, type, copies, dueAt, deliveredAt: null })
    .execute();
  await enqueue(tx, deliverTask, { event: id }, { runAt: jobAt, key: `sandbox:${id}` });
  return id;
}

/** Sends an event that was not received yet, as often as its script says; throws when it fails. */
export async function deliver(deps: Deps, eventId: string): Promise<void> {
  const { db, now } = deps;
  const event = await db
    .selectFrom("sandboxEvent")
    .select(["type", "chargeId", "copies"])
    .where("id", "=", eventId)
    .where("deliveredAt", "is", null)
    .executeTakeFirst();
  if (!event) return;
  const charge = await settle(deps, event.chargeId, event.type);
  const body = JSON.stringify({
    id: eventId,
    type: event.type,
    charge: toEventCharge(event.type, charge),
  });
  const secret = await secretOf(db);
  await Promise.all(Array.from({ length: event.copies }, () => post(deps, secret, body)));
  await db
    .updateTable("sandboxEvent")
    .set({ deliveredAt: now() })
    .where("id", "=", eventId)
    .execute();
}

/** The charge follows the event: a pending charge succeeds, a paid one is disputed. */
async function settle({ db, now }: Deps, chargeId: string, type: EventType) {
  const next = { "charge.succeeded": "succeeded", "charge.disputed": "disputed" } as const;
  if (type === "charge.succeeded" || type === "charge.disputed") {
    await db
      .updateTable("sandboxCharge")
      .set({ state: next[type], updatedAt: now() })
      .where("id", "=", chargeId)
      .where("state", "=", type === "charge.succeeded" ? "pending" : "succeeded")
      .execute();
  }
  return await chargeOf(db, chargeId);
}

async function post({ config, now }: Deps, secret: Buffer, body: string): Promise<void> {
  const answer = await fetch(`${config.publicUrl}/api/payments/sandbox/webhooks`, {
    method: "POST",
    headers: { "content-type": "application/json", [signatureHeader]: sign(secret, body, now()) },
    body,
    redirect: "error",
    signal: AbortSignal.timeout(deliveryTimeoutMs),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the webhook was answered ${answer.status}`);
}

const secretName = "sandbox_webhook";

/** The secret shared by the sandbox and the portal, created once even when two servers start together. */
export async function secretOf(db: Db): Promise<Buffer> {
  const read = () =>
    db.selectFrom("secret").select("value").where("name", "=", secretName).executeTakeFirst();
  const known = await read();
  if (known) return known.value;
  await db
    .insertInto("secret")
    .values({ name: secretName, value: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return ((await read()) as { value: Buffer }).value;
}
