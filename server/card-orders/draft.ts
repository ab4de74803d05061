// The draft of an order, written step by step: guarded, locked, counted, then the whole desk again.
import { sql } from "kysely";
import { cardOrders as limits } from "#contract/card-orders/limits.ts";
import type { CardOrderDesk, cardOrders as rows } from "#contract/card-orders/rows.ts";
import { dayMs } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { inCompanyTx, requireCardsLeft } from "#server/companies/companies.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { holderName, tidyName } from "#server/enrolment/enrolment.ts";
import type { Call } from "#server/http/serve.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { mobileOf } from "#server/identity/identity.ts";
import { freeAside, requireNotAtBank } from "#server/payments/payments.ts";
import type { Deps } from "#server/process/deps.ts";
import { printable } from "#server/process/printable.ts";
import { unprintedIn } from "#server/http/printed-letters.ts";
import { deskOf } from "./views.ts";
import { type CardOrderRow, draftOf, lockCardOrder } from "./orders.ts";

/**
 * Runs `change` on the company's draft, then counts the write. Refuses `card_order_closed` without a
 * draft, `card_order_changed` when the caller has not read its last revision.
 */
async function changeDraft(
  call: CompanyCall<{ revision: number }>,
  change: (tx: Tx, row: CardOrderRow) => Promise<void>,
): Promise<CardOrderDesk> {
  const { deps, caller, company, input } = call;
  await inCompanyTx(call, async (tx) => {
    const row = await lockDraft(tx, company.companyId, input.revision);
    await requireNotAtBank(tx, { kind: "pro_cards", id: row.id });
    await change(tx, row);
    await countWrite(tx, row.id, caller.personId, deps.now());
  });
  return await deskOf(deps.db, company.companyId);
}

async function lockDraft(tx: Tx, companyId: string, revision: number): Promise<CardOrderRow> {
  const found = await draftOf(tx, companyId);
  if (!found) throw new Problem("card_order_closed");
  const row = await lockCardOrder(tx, found.id);
  // Ordered while this call waited for the lock.
  if (row.state !== "draft") throw new Problem("card_order_closed");
  if (row.revision !== revision) throw new Problem("card_order_changed");
  return row;
}

/** A payment that was begun for the former content gives way; at the bank, the content stays. */
async function countWrite(tx: Tx, id: string, personId: number, at: Date): Promise<void> {
  await sql`update card_order set revision = revision + 1, changed_at = ${at}, top_up_id = null,
    payment_failed = null, person_id = ${personId} where id = ${id}`.execute(tx);
}

/** Writes who gets a card; opens the draft where there is none (revision 0). */
export async function writePersons(call: Call<typeof rows.persons>): Promise<CardOrderDesk> {
  const { deps, caller, input } = call;
  const { companyId } = call.company;
  const { revision, blank } = input;
  const persons = input.persons.map(cleanPerson);
  const quantity = persons.length + blank;
  if (quantity > limits.most) throw new Problem("card_order_most", { most: limits.most });
  const me = caller.personId;
  await inCompanyTx(call, async (tx) => {
    await requireCardsLeft(tx, companyId, quantity);
    const at = deps.now();
    const { id } = await openedDraft(tx, { companyId, revision, me, at });
    await requireNotAtBank(tx, { kind: "pro_cards", id });
    await sql`delete from card_order_person where order_id = ${id}`.execute(tx);
    await sql`insert into card_order_person
      (order_id, place, first_name, last_name, email, phonenumber)
      select ${id}::uuid, place, first_name, last_name, email, phonenumber
      from unnest(${persons.map((one) => one.firstName)}::text[],
        ${persons.map((one) => one.lastName)}::text[], ${persons.map((one) => one.email)}::text[],
        ${persons.map((one) => one.phonenumber)}::text[])
        with ordinality as t (first_name, last_name, email, phonenumber, place)`.execute(tx);
    await sql`update card_order set blank = ${blank} where id = ${id}`.execute(tx);
    await countWrite(tx, id, me, at);
  });
  return await deskOf(deps.db, companyId);
}

/** Of two screens that begin at once the second is refused: `card_order_changed`. */
async function openedDraft(
  tx: Tx,
  { companyId, revision, me, at }: { companyId: string; revision: number; me: number; at: Date },
): Promise<{ id: string }> {
  if (revision > 0) return await lockDraft(tx, companyId, revision);
  const opened = await query(tx).maybeOne(sql<{ id: string }>`
    insert into card_order (company_id, person_id, state, revision, created_at, changed_at)
    values (${companyId}, ${me}, 'draft', 0, ${at}, ${at})
    on conflict (company_id) where state = 'draft' do nothing returning id`);
  if (!opened) throw new Problem("card_order_changed");
  return opened;
}

type Given = Call<typeof rows.persons>["input"]["persons"][number];

function cleanPerson({ firstName, lastName, email, phonenumber }: Given, place: number) {
  const wrong: string[] = [];
  holderName(firstName, lastName, wrong);
  if (wrong.length > 0) throw new Problem("card_order_name", { place: place + 1 });
  return {
    firstName: tidyName(firstName),
    lastName: tidyName(lastName),
    email,
    phonenumber: phonenumber === null ? null : mobileOf(phonenumber),
  };
}

/** Writes what is printed on the cards. Refuses `card_order_label`. */
export function writeDesign(call: Call<typeof rows.design>): Promise<CardOrderDesk> {
  const { ink, printsNames } = call.input;
  const label = call.input.label.replaceAll(/\s+/g, " ").trim();
  if (label === "" || printable(label) + unprintedIn(label) !== label)
    throw new Problem("card_order_label");
  return changeDraft(call, async (tx, { id }) => {
    await sql`update card_order set label = ${label}, ink = ${ink}, prints_names = ${printsNames}
      where id = ${id}`.execute(tx);
  });
}

/** Writes where the cards go. Refuses `card_order_incomplete` for an address that is none. */
export function writeDelivery(call: Call<typeof rows.delivery>): Promise<CardOrderDesk> {
  const { to } = call.input;
  const tidy = (text: string) => text.replaceAll(/\s+/g, " ").trim();
  const recipient = tidy(call.input.recipient);
  return changeDraft(call, async (tx, { id, companyId }) => {
    const seat = await tx
      .selectFrom("company")
      .select(["street", "postcode", "town"])
      .where("id", "=", companyId)
      .executeTakeFirstOrThrow();
    const own = { postcode: call.input.postcode, street: tidy(call.input.street) };
    const where = to === "company" ? seat : { ...own, town: tidy(call.input.town) };
    const { street, postcode, town } = where;
    if (!recipient || !street || !postcode || !town) {
      throw new Problem("card_order_incomplete", { what: "une partie de l'adresse" });
    }
    await sql`update card_order set deliver_to = ${to}, recipient = ${recipient},
      street = ${street}, postcode = ${postcode}, town = ${town} where id = ${id}`.execute(tx);
  });
}

/** Erases the draft with its persons. Refuses `order_payment_pending` while the bank examines a payment. */
export async function discardDraft(call: Call<typeof rows.discard>): Promise<CardOrderDesk> {
  const { deps, company, input } = call;
  await inCompanyTx(call, async (tx) => {
    const { id } = await lockDraft(tx, company.companyId, input.revision);
    await eraseDraft(tx, id);
  });
  return await deskOf(deps.db, company.companyId);
}

async function eraseDraft(tx: Tx, id: string): Promise<void> {
  const order = { kind: "pro_cards" as const, id };
  await requireNotAtBank(tx, order);
  await freeAside(tx, order);
  await sql`delete from card_order where id = ${id}`.execute(tx);
}

/** Drafts that nobody touched for `draftDays` are erased. */
export async function deleteStaleDrafts(deps: Deps): Promise<void> {
  const before = new Date(deps.now().getTime() - limits.draftDays * dayMs);
  const { rows: stale } = await sql<{ id: string }>`
    select id from card_order where state = 'draft' and changed_at < ${before}
    limit 500`.execute(deps.db);
  for (const { id } of stale) {
    await inTx(deps.db, async (tx) => {
      const { rows: still } = await sql`select from card_order
        where id = ${id} and state = 'draft' and changed_at < ${before} for update`.execute(tx);
      if (still.length > 0) await eraseDraft(tx, id);
    });
  }
}
