// Drafts of grants: cards and amounts written at once, erased again, or deleted after a while.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { dayMs, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { grants as limits } from "#contract/grants/limits.ts";
import type { grants as rows, GrantView } from "#contract/grants/rows.ts";
import { withdrawOrder } from "#server/checkout/checkout.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Call } from "#server/http/serve.ts";
import { orderAwaitsMoneySql } from "#server/payments/payments.ts";
import type { Deps } from "#server/process/deps.ts";
import { printable } from "#server/process/printable.ts";
import { unprintedIn } from "#server/http/printed-letters.ts";
import { announceToCompany } from "./announcements.ts";
import { cardWords, grantableCards, openGroups, requireDraft, requireOpen } from "./fulfilment.ts";
import { lockGrant, lockGrantOf } from "./grant-rows.ts";
import { grantOf } from "./views.ts";

/** Cards and groups that an owner may choose from. */
export async function readChoices({ deps, company: { companyId } }: Call<typeof rows.choices>) {
  const cards = await grantableCards(deps.db, companyId);
  return {
    groups: await openGroups(deps.db),
    cards: cards.map(({ cardnumber, name }) => ({ cardnumber, name })),
  };
}

/**
 * Writes a draft; a change of it is another draft, but one sent again under the id that the screen made (its
 * answer was lost) replaces the first. Refuses `not_found` for an id of somebody else's, `grant_awaiting` and
 * `grant_closed` for one paid since, `grant_card` for a card that is not an active one of the company,
 * `grant_card_twice`, `grant_day`, `grant_group`, `grant_label`.
 */
export async function writeDraft(call: Call<typeof rows.write>): Promise<GrantView> {
  const { deps, caller, company, input } = call;
  const { companyId } = company;
  const { idgroup: groupId, expiresOn, cards } = input;
  const label = input.label.trim().replaceAll(/\s+/g, " ");
  if (label === "" || printable(label) + unprintedIn(label) !== label)
    throw new Problem("grant_label");
  const id = await inCompanyTx(call, async (tx) => {
    const at = deps.now();
    // Two calls with one id wait for one another.
    await sql`select from company where id = ${companyId} for no key update`.execute(tx);
    await requireOpen(tx, { expiresOn, groupId }, at);
    const lines = await linesOf(tx, companyId, cards);
    const totalCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
    const grantId = input.draft ?? randomUUID();
    const insert = async () =>
      await sql`insert into company_grant (id, company_id, person_id, group_id, label, expires_on,
          total_cents, created_at)
        values (${grantId}, ${companyId}, ${caller.personId}, ${groupId}, ${label}, ${expiresOn}, ${totalCents},
          ${at}) on conflict (id) do nothing returning id`.execute(tx);
    while ((await insert()).rows.length === 0) await eraseDraft(tx, companyId, grantId);
    await sql`insert into company_grant_card (grant_id, person_id, amount_cents)
      select ${grantId}::uuid, * from unnest(${lines.map(({ personId }) => personId)}::bigint[],
        ${lines.map(({ amountCents }) => amountCents)}::bigint[])`.execute(tx);
    return grantId;
  });
  return await grantOf(deps, company, id);
}

async function linesOf(
  tx: Tx,
  companyId: string,
  cards: readonly { cardnumber: number; amountCents: number }[],
): Promise<{ personId: number; amountCents: number }[]> {
  const able = new Map(
    (await grantableCards(tx, companyId)).map(({ cardnumber, personId }) => [cardnumber, personId]),
  );
  const seen = new Set<number>();
  return cards.map(({ cardnumber, amountCents }) => {
    const personId = able.get(cardnumber);
    if (personId === undefined) throw new Problem("grant_card", { card: cardWords(cardnumber) });
    if (seen.has(personId)) throw new Problem("grant_card_twice", { card: cardWords(cardnumber) });
    seen.add(personId);
    return { personId, amountCents };
  });
}

/** Erases a draft. Refuses `grant_closed` once it is granted, `grant_awaiting`, `order_payment_pending`. */
export async function discardDraft(call: Call<typeof rows.discard>) {
  const { company, input } = call;
  await inCompanyTx(call, (tx) => eraseDraft(tx, company.companyId, input.grant));
  return {};
}

async function eraseDraft(tx: Tx, companyId: string, id: string): Promise<void> {
  const row = await lockGrantOf(tx, companyId, id);
  requireDraft(row);
  await erase(tx, row.id);
}

async function erase(tx: Tx, id: string): Promise<void> {
  await withdrawOrder(tx, { kind: "grants", id });
  await sql`delete from company_grant where id = ${id}`.execute(tx);
}

/**
 * Erases drafts that nobody paid for a month, and grants whose transfer did not come by their last day, of
 * which the company is told; one whose payment is at the bank is kept.
 */
export async function deleteStaleDrafts(deps: Deps): Promise<void> {
  const before = new Date(deps.now().getTime() - limits.draftDays * dayMs);
  const { rows: stale } = await sql<{ id: string }>`
    select t.id from company_grant t where (t.state = 'draft' and t.created_at < ${before}
        or t.state = 'awaiting' and t.expires_on < ${parisDay(deps.now())}::date)
      and not ${orderAwaitsMoneySql("grants", "t")}
    order by t.created_at limit 500`.execute(deps.db);
  for (const { id } of stale) {
    await inTx(deps.db, async (tx) => {
      const row = await lockGrant(tx, id);
      if (row.state === "granted") return;
      if (row.state === "awaiting") {
        await announceToCompany(tx, deps, row, {
          title: "Dotation abandonnée",
          what: `votre virement de ${formatMoney(row.totalCents)} n'est pas arrivé avant sa date limite. Rien n'a été accordé.`,
          at: deps.now(),
        });
      }
      await erase(tx, id);
    });
  }
}
