// The draft of an order, written step by step: each write checks the caller, locks the draft, counts a
// revision and returns the whole desk.
import { type RawBuilder, sql } from "kysely";
import { cardOrders as limits } from "#contract/card-orders/limits.ts";
import type { CardOrderDesk, cardOrders as rows } from "#contract/card-orders/rows.ts";
import { dayMs } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { requireRevision, reviseOrder, withdrawOrder } from "#server/checkout/checkout.ts";
import { inCompanyTx, requireCardsLeft } from "#server/companies/companies.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { holderName, tidyName } from "#server/cards/cards.ts";
import type { Call } from "#server/http/serve.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { mobileOf } from "#server/identity/identity.ts";
import { orderAwaitsMoneySql } from "#server/payments/payments.ts";
import type { Deps } from "#server/process/deps.ts";
import { printable } from "#server/process/printable.ts";
import { unprintedIn } from "#server/http/printed-letters.ts";
import { deskOf } from "./views.ts";
import { type CardOrderRow, draftOf, lockCardOrder } from "./orders.ts";

/**
 * Writes the columns that `change` returns into the company's draft and counts the write. Refuses
 * `card_order_closed` without a draft, `card_order_changed` when the caller has not read its last revision,
 * and as `reviseOrder`.
 */
async function changeDraft(
  call: CompanyCall<{ revision: number }>,
  change: (tx: Tx) => Promise<RawBuilder<unknown>>,
): Promise<CardOrderDesk> {
  const { deps, company, input } = call;
  await inCompanyTx(call, async (tx) => {
    const { id } = await lockDraft(tx, company.companyId, input.revision);
    await writeDraft(tx, call, id, await change(tx));
  });
  return await deskOf(deps.db, company.companyId);
}

async function lockDraft(tx: Tx, companyId: string, revision: number): Promise<CardOrderRow> {
  const found = await draftOf(tx, companyId);
  if (!found) throw new Problem("card_order_closed");
  const row = await lockCardOrder(tx, found.id);
  // Ordered while this call waited for the lock.
  if (row.state !== "draft") throw new Problem("card_order_closed");
  requireRevision(row, revision, "card_order_changed");
  return row;
}

const writeDraft = (
  tx: Tx,
  { deps, caller }: CompanyCall<unknown>,
  id: string,
  set: RawBuilder<unknown>,
): Promise<void> =>
  reviseOrder(
    tx,
    { kind: "pro_cards", table: "card_order", id },
    sql`${set}, changed_at = ${deps.now()}, person_id = ${caller.personId}`,
  );

/** Writes who gets a card; opens the draft where there is none (revision 0). */
export async function writePersons(call: Call<typeof rows.persons>): Promise<CardOrderDesk> {
  const { deps, caller, input } = call;
  const { companyId } = call.company;
  const { revision, blank } = input;
  const persons = input.persons.map(cleanPerson);
  const quantity = persons.length + blank;
  if (quantity > limits.max) throw new Problem("card_order_max", { max: limits.max });
  await inCompanyTx(call, async (tx) => {
    await requireCardsLeft(tx, companyId, quantity);
    const opening = { companyId, revision, me: caller.personId, at: deps.now() };
    const { id } = await openedDraft(tx, opening);
    await writeDraft(tx, call, id, sql`blank = ${blank}`);
    await sql`delete from card_order_person where order_id = ${id}`.execute(tx);
    await sql`insert into card_order_person
      (order_id, place, first_name, last_name, email, phonenumber)
      select ${id}::uuid, place, first_name, last_name, email, phonenumber
      from unnest(${persons.map((one) => one.firstName)}::text[],
        ${persons.map((one) => one.lastName)}::text[], ${persons.map((one) => one.email)}::text[],
        ${persons.map((one) => one.phonenumber)}::text[])
        with ordinality as t (first_name, last_name, email, phonenumber, place)`.execute(tx);
  });
  return await deskOf(deps.db, companyId);
}

/** Opens the draft. Of two screens that begin at once the second is refused: `card_order_changed`. */
async function openedDraft(
  tx: Tx,
  { companyId, revision, me, at }: { companyId: string; revision: number; me: number; at: Date },
): Promise<{ id: string }> {
  if (revision > 0) return await lockDraft(tx, companyId, revision);
  const draft = await query(tx).maybeOne(sql<{ id: string }>`
    insert into card_order (company_id, person_id, state, revision, created_at, changed_at)
    values (${companyId}, ${me}, 'draft', 0, ${at}, ${at})
    on conflict (company_id) where state = 'draft' do nothing returning id`);
  if (!draft) throw new Problem("card_order_changed");
  return draft;
}

type PersonInput = Call<typeof rows.persons>["input"]["persons"][number];

function cleanPerson({ firstName, lastName, email, phonenumber }: PersonInput, place: number) {
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
  return changeDraft(
    call,
    async () => sql`label = ${label}, ink = ${ink}, prints_names = ${printsNames}`,
  );
}

/** Writes where the cards go. Refuses `card_order_incomplete` for an address that is none. */
export function writeDelivery(call: Call<typeof rows.delivery>): Promise<CardOrderDesk> {
  const { to } = call.input;
  const tidy = (text: string) => text.replaceAll(/\s+/g, " ").trim();
  const recipient = tidy(call.input.recipient);
  return changeDraft(call, async (tx) => {
    const seat = await tx
      .selectFrom("company")
      .select(["street", "postcode", "town"])
      .where("id", "=", call.company.companyId)
      .executeTakeFirstOrThrow();
    const own = { postcode: call.input.postcode, street: tidy(call.input.street) };
    const where = to === "company" ? seat : { ...own, town: tidy(call.input.town) };
    const { street, postcode, town } = where;
    if (!recipient || !street || !postcode || !town) {
      throw new Problem("card_order_incomplete", { what: "une partie de l'adresse" });
    }
    return sql`deliver_to = ${to}, recipient = ${recipient}, street = ${street},
      postcode = ${postcode}, town = ${town}`;
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
  await withdrawOrder(tx, { kind: "pro_cards", id });
  await sql`delete from card_order where id = ${id}`.execute(tx);
}

/** Drafts that nobody touched for `draftDays` are erased; one whose payment is at the bank waits. */
export async function deleteStaleDrafts(deps: Deps): Promise<void> {
  const before = new Date(deps.now().getTime() - limits.draftDays * dayMs);
  const { rows: stale } = await sql<{ id: string }>`
    select id from card_order o where state = 'draft' and changed_at < ${before}
      and not ${orderAwaitsMoneySql("pro_cards", "o")}
    limit 500`.execute(deps.db);
  for (const { id } of stale) {
    await inTx(deps.db, async (tx) => {
      const { rows: still } = await sql`select from card_order
        where id = ${id} and state = 'draft' and changed_at < ${before} for update`.execute(tx);
      if (still.length > 0) await eraseDraft(tx, id);
    });
  }
}
