// Cards and groups that a grant may name, and giving the money once it is paid.
import { sql } from "kysely";
import { cardCan, type CardState } from "#contract/cards/rows.ts";
import { addDays, addMonths, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatCardnumber } from "#contract/french.ts";
import { grants as limits } from "#contract/grants/limits.ts";
import type { GrantableCard } from "#contract/grants/rows.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { audit } from "#server/identity/identity.ts";
import type { Deps } from "#server/process/deps.ts";
import { grant, openWallet } from "#server/wallet/wallet.ts";
import { announceGranted } from "./announcements.ts";
import type { GrantRow } from "./grant-rows.ts";

/** The main wallet, and the groups that a partner of the directory accepts. */
export async function openGroups(
  db: Db,
): Promise<{ idgroup: number; name: string; rule: string }[]> {
  const { rows } = await sql<{ idgroup: number; name: string; rule: string }>`
    select g.id as idgroup, g.name, g.rule from acceptance_group g
    where g.id = 1 or exists (select from partner_group a join partner p on p.id = a.partner_id
      where a.group_id = g.id and p.listed)
    order by g.id <> 1, g.name collate "fr-x-icu", g.id`.execute(db);
  return rows;
}

export interface Bearer extends GrantableCard {
  personId: number;
}

/** The cards of a company that may be granted money, by bearer: active, and carried by somebody. */
export async function grantableCards(db: Db, companyId: string): Promise<Bearer[]> {
  const { rows } = await sql<Bearer & { state: CardState }>`
    select k.person_id, p.name, card.number as cardnumber, card.state
    from pro_card k join person p on p.id = k.person_id and p.disabled_at is null
    cross join lateral current_card(k.person_id) card
    where k.company_id = ${companyId} and k.assigned_at is not null
    order by p.name collate "fr-x-icu", card.number`.execute(db);
  return rows.filter(cardCan.spend).map(({ state: _state, ...one }) => one);
}

/** Refuses `grant_day`, `grant_group`: a draft may be outdated when it is paid. */
export async function requireOpen(
  db: Db,
  { expiresOn, groupId }: Pick<GrantRow, "expiresOn" | "groupId">,
  at: Date,
): Promise<void> {
  const today = parisDay(at);
  const months = limits.monthsAhead;
  if (expiresOn < addDays(today, 1) || expiresOn > addMonths(today, months)) {
    throw new Problem("grant_day", { months });
  }
  const groups = await openGroups(db);
  if (!groups.some(({ idgroup }) => idgroup === groupId)) throw new Problem("grant_group");
}

/** Until when unspent money of a grant can be taken back. */
export const takeBackUntil = (grantedAt: Date): Date =>
  new Date(grantedAt.getTime() + limits.takeBackHours * 3_600_000);

/** How refusals name a card. */
export const cardWords = (cardnumber: number): string => formatCardnumber(cardnumber);

interface Granting {
  buyerId: number;
  walletId: number;
  receipt: readonly string[];
  /** Who noted the transfer, for the audit trail; the buyer by default. */
  actor?: string;
  at: Date;
}

/** Refuses `grant_awaiting`, `grant_closed` for a grant that is no draft. */
export function requireDraft({ state }: Pick<GrantRow, "state">): void {
  if (state === "awaiting") throw new Problem("grant_awaiting");
  if (state !== "draft") throw new Problem("grant_closed");
}

/** Gives the money that was just paid to each card, in a lot of its own; bearers and company are told. */
export async function giveGrant(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  row: GrantRow,
  { buyerId, walletId, receipt, actor = "person", at }: Granting,
): Promise<void> {
  const { id, groupId, expiresOn } = row;
  const { rows: lines } = await sql<{ personId: number; amountCents: number }>`
    select person_id, amount_cents from company_grant_card
    where grant_id = ${id} order by person_id`.execute(tx);
  for (const { personId, amountCents } of lines) {
    const wallet = await openWallet(tx, { personId, groupId, at });
    const { accountId } = await grant(tx, {
      walletId: wallet.id,
      amountCents,
      label: `${row.label} · ${row.company}`,
      expiresOn,
      key: `grants:${id}:${personId}`,
      giver: "company_grants",
      at,
    });
    await sql`update company_grant_card set account_id = ${accountId}
      where grant_id = ${id} and person_id = ${personId}`.execute(tx);
  }
  // Bearers told now, less than so long before the last day, get no second warning.
  const soon = expiresOn <= addDays(parisDay(at), limits.soonDays);
  await sql`update company_grant set state = 'granted', granted_at = ${at}, person_id = ${buyerId},
    wallet_id = ${walletId}, warned_at = ${soon ? at : null}
    where id = ${id}`.execute(tx);
  const line = { personId: buyerId, actor, address: null, at };
  const details = { number: row.number, cards: lines.length, amountCents: row.totalCents };
  await audit(tx, { ...line, action: "grant.give", details });
  await announceGranted(tx, deps, row, { lines, payer: { id: buyerId, receipt }, at });
}
