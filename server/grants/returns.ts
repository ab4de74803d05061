// Returns of granted money: past its last day, from a closed account, by a refund after its day, or taken
// back by the company. It waits on the scheme's account until it is in the company's wallet, or lowers the
// company's debt while the transfer of the grant has not come.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatCardnumber, formatMoney } from "#contract/french.ts";
import { grants as limits } from "#contract/grants/limits.ts";
import type { grants as rows, GrantView } from "#contract/grants/rows.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { eachRow } from "#server/db/each-row.ts";
import { query } from "#server/db/query.ts";
import type { Call } from "#server/http/serve.ts";
import { auditAct } from "#server/identity/identity.ts";
import { lockedBalances, post } from "#server/ledger/ledger.ts";
import type { Deps } from "#server/process/deps.ts";
import { openWallet, type ReturnedAid, schemeAccount } from "#server/wallet/wallet.ts";
import { announceToBearer, announceToCompany } from "./announcements.ts";
import { takeBackUntil } from "./fulfilment.ts";
import { type GrantRow, isOwed, lockGrant, lockGrantOf } from "./grant-rows.ts";
import { grantOf } from "./views.ts";

/** Notes a return of a lot; the next run of the job gives it to the company. */
export async function noteReturn(
  tx: Tx,
  { accountId, amountCents, why, at }: ReturnedAid,
): Promise<void> {
  await sql`insert into company_grant_return (grant_id, person_id, why, amount_cents, at)
    select grant_id, person_id, ${why}, ${amountCents}, ${at} from company_grant_card
    where account_id = ${accountId}`.execute(tx);
}

/**
 * The account of purchased money that receives returns: the wallet that paid while its person is an owner of
 * the company, else the main wallet of the longest-standing owner. Null while there is none.
 */
async function receivingWallet(
  tx: Tx,
  { companyId, walletId }: GrantRow,
  at: Date,
): Promise<{ walletId: number; accountId: number } | null> {
  const owner = await query(tx).maybeOne(sql<{ personId: number }>`
    select m.person_id from company_member m
    join person p on p.id = m.person_id and p.disabled_at is null
    where m.company_id = ${companyId} and 'owner' = any (m.roles)
    order by exists (select from wallet w where w.id = ${walletId} and w.person_id = m.person_id) desc,
      m.since, m.person_id limit 1`);
  if (!owner) return null;
  const { id } = await openWallet(tx, { personId: owner.personId, at });
  const lot = await query(tx).maybeOne(sql<{ accountId: number }>`
    select account_id from wallet_lot
    where wallet_id = ${id} and kind = 'purchased'`);
  return lot ? { walletId: id, accountId: lot.accountId } : null;
}

interface Waiting {
  /** The newest return that waits; null where none does. */
  last: number | null;
  amountCents: number;
}

/**
 * Pays out the waiting returns of a grant: to the company's wallet, or off its debt; returns the amount, 0
 * while a paid grant has no owner to receive it.
 */
async function payWaiting(tx: Tx, row: GrantRow, at: Date): Promise<number> {
  const { last, amountCents } = await query(tx).one(sql<Waiting>`
    select max(id) as last, coalesce(sum(amount_cents), 0)::bigint as amount_cents
    from company_grant_return where grant_id = ${row.id} and paid_at is null`);
  if (last === null) return 0;
  const to = isOwed(row)
    ? { walletId: null, accountId: await schemeAccount(tx, "grant_credits") }
    : await receivingWallet(tx, row, at);
  if (!to) return 0;
  await post(tx, [
    {
      key: `grants:${row.id}:back:${last}`,
      debitAccount: await schemeAccount(tx, "company_grants"),
      creditAccount: to.accountId,
      amountCents,
      kind: "refund",
      memo: { label: `Retour de la dotation n° ${row.number}, ${row.label}` },
      at,
    },
  ]);
  await sql`update company_grant_return set paid_at = ${at}, wallet_id = ${to.walletId}
    where grant_id = ${row.id} and paid_at is null and id <= ${last}`.execute(tx);
  return amountCents;
}

/** Sentence for the company on the amount to transfer once `cents` less are owed. */
const stillOwed = ({ owedCents, reference }: GrantRow, cents: number): string =>
  cents === owedCents
    ? "Plus rien n'est dû."
    : `Il reste ${formatMoney(owedCents - cents)} à virer avec la référence ${reference}.`;

/**
 * Each hour: pays returns to their companies, which are told, once for each grant; `atOnce` grants are read
 * together. A return to a company without an owner waits, and does not delay any other return.
 */
export async function payReturns(deps: Deps, atOnce?: { atOnce: number }): Promise<number> {
  const due = async (after: string | null, limit: number) => {
    const { rows } = await sql<{ id: string }>`
      select distinct grant_id as id from company_grant_return
      where paid_at is null and (${after}::uuid is null or grant_id > ${after}::uuid)
      order by grant_id limit ${limit}`.execute(deps.db);
    return rows;
  };
  let paid = 0;
  const pay = ({ id }: { id: string }) =>
    inTx(deps.db, async (tx) => {
      const row = await lockGrant(tx, id);
      const at = deps.now();
      const cents = await payWaiting(tx, row, at);
      if (cents === 0) return;
      paid += 1;
      await announceToCompany(tx, deps, row, {
        ...(isOwed(row)
          ? {
              title: `${formatMoney(cents)} ne sont plus dus`,
              what: `${formatMoney(cents)} n'ont pas été dépensés à temps et ne sont plus dus. ${stillOwed(row, cents)}`,
            }
          : {
              title: `${formatMoney(cents)} vous reviennent`,
              what: `${formatMoney(cents)} n'ont pas été dépensés à temps. Ils sont dans la cagnotte du responsable.`,
            }),
        at,
      });
    });
  await eachRow(due, pay, atOnce);
  return paid;
}

interface Taken {
  personId: number;
  accountId: number;
  cardnumber: number;
}

/**
 * Takes back what is neither spent nor booked of a grant, of one card or of all; each bearer is told. While
 * its transfer has not come the debt is lowered by as much, and no wallet gets anything. Refuses
 * `grant_final` after `takeBackHours`, `grant_spent` where nothing is left, `not_found`.
 */
export async function takeBack(
  call: Call<typeof rows.takeBack>,
): Promise<{ grant: GrantView; takenCents: number }> {
  const { deps, company, input } = call;
  const takenCents = await inCompanyTx(call, async (tx) => {
    const row = await lockGrantOf(tx, company.companyId, input.grant);
    if (!row.grantedAt) throw new Problem("not_found");
    const at = deps.now();
    if (at.getTime() >= takeBackUntil(row.grantedAt).getTime()) {
      throw new Problem("grant_final", { hours: limits.takeBackHours });
    }
    const cards = await takenCards(tx, row.id, input.cardnumber);
    const taken = await moveBack(tx, row, cards, at);
    const sum = taken.reduce((total, { amountCents }) => total + amountCents, 0);
    if (sum === 0) throw new Problem("grant_spent");
    const backCents = await payWaiting(tx, row, at);
    const details = { number: row.number, cards: taken.length, amountCents: sum };
    await auditAct(tx, call, "grant.take_back", { details, at });
    for (const { personId, amountCents } of taken) {
      await announceToBearer(
        tx,
        deps,
        { personId, groupId: row.groupId },
        {
          title: `${row.company} reprend ${formatMoney(amountCents)}`,
          body: `«\u00a0${row.label}\u00a0» vous avait été accordé par erreur. Ce que vous en avez dépensé reste payé.`,
          at,
        },
      );
    }
    await announceToCompany(tx, deps, row, {
      title: "Dotation reprise",
      what: isOwed(row)
        ? `${formatMoney(sum)} sont repris et ne sont plus dus. ${stillOwed(row, backCents)}`
        : `${formatMoney(sum)} sont revenus dans la cagnotte du responsable.`,
      at,
    });
    return sum;
  });
  return { grant: await grantOf(deps, company, input.grant), takenCents };
}

async function takenCards(
  tx: Tx,
  grantId: string,
  cardnumber: number | undefined,
): Promise<Taken[]> {
  const { rows } = await sql<Taken>`
    select l.person_id, a.id as account_id, card.number as cardnumber
    from company_grant_card l join ledger_account a on a.id = l.account_id
    cross join lateral current_card(l.person_id) card
    where l.grant_id = ${grantId} and (${cardnumber ?? null}::bigint is null
      or exists (select from card k where k.number = ${cardnumber ?? null} and k.person_id = l.person_id))
    order by a.id`.execute(tx);
  if (rows.length === 0) throw new Problem("not_found");
  return rows;
}

/** Moves the spendable part of each lot to the scheme's account, and notes it. */
async function moveBack(
  tx: Tx,
  row: GrantRow,
  cards: readonly Taken[],
  at: Date,
): Promise<{ personId: number; amountCents: number }[]> {
  const balances = await lockedBalances(
    tx,
    cards.map(({ accountId }) => accountId),
  );
  const taken = cards.flatMap((card, place) => {
    const amountCents = Math.max(0, balances[place]?.spendableCents ?? 0);
    return amountCents > 0 ? [{ ...card, amountCents }] : [];
  });
  const account = await schemeAccount(tx, "company_grants");
  await post(
    tx,
    taken.map(({ accountId, cardnumber, amountCents }) => ({
      key: `grants:${row.id}:taken:${accountId}:${at.toISOString()}`,
      debitAccount: accountId,
      creditAccount: account,
      amountCents,
      kind: "correction",
      memo: { label: `Repris par ${row.company}, carte ${formatCardnumber(cardnumber)}` },
      at,
    })),
  );
  for (const { personId, amountCents } of taken) {
    await sql`insert into company_grant_return (grant_id, person_id, why, amount_cents, at)
      values (${row.id}, ${personId}, 'taken_back', ${amountCents}, ${at})`.execute(tx);
  }
  return taken;
}
