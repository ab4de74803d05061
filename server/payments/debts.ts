// Debts of holders: payments that were disputed or refunded after their money was spent. Two operators record
// the repayment: by a transfer to the scheme's bank account, or from the purchased money of the wallet.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import {
  formatCardnumber,
  formatDate,
  formatMoney,
  formatTypedMoney,
  parseMoney,
} from "#contract/french.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import {
  commandResult,
  numberArgument,
  type OperatorCommand,
  reasonArgument,
} from "#server/process/room.ts";
import { byTwoAccounts } from "#server/process/second-operator.ts";
import { debtLeftSql, repayDebt, schemeAccount } from "#server/wallet/wallet.ts";

/** Debts: the transfers `d` that took the spent part of a top-up `t` from the account of disputes. */
const debts: RawBuilder<unknown> = sql`transfer d
  join scheme_account s on s.account_id = d.debit_account and s.name = 'disputes'
  join top_up t on d.kind in ('dispute', 'refund') and t.provider = split_part(d.key, ':', 2)
    and t.provider_ref = substring(d.key from '^charge:[^:]+:(.*):(?:disputed|refunded(?:-[0-9]+)?)$')`;

/** The amount still owed for the top-up `t` of the outer query, in cents. */
export const owedSql: RawBuilder<number> = sql<number>`(case
  when t.state <> 'disputed' and t.refunded_cents = 0 then 0
  else (select coalesce(sum(${debtLeftSql}), 0) from transfer d
    join scheme_account s on s.account_id = d.debit_account and s.name = 'disputes'
    where starts_with(d.key, 'charge:' || t.provider || ':' || t.provider_ref || ':')) end)::bigint`;

/** The amount owed for the top-ups `t` whose wallet `w` meets a condition, in cents. */
export async function owedOf(db: Db, isMeant: RawBuilder<unknown>): Promise<number> {
  const { cents } = await query(db).one(sql<{ cents: number }>`
    select coalesce(sum(${owedSql}), 0)::bigint as cents from top_up t join wallet w on w.id = t.wallet_id
    where ${isMeant} and (t.state = 'disputed' or t.refunded_cents > 0)`);
  return cents;
}

interface Debt {
  transferId: number;
  topUpId: string;
  at: Date;
  amountCents: number;
  leftCents: number;
  personId: number;
  name: string;
  cardnumber: number | null;
  walletId: string;
  isFrozen: boolean;
  purchasedAccount: number;
}

async function debtsWhere(db: Db, condition: RawBuilder<boolean>): Promise<Debt[]> {
  const { rows } = await sql<Debt>`
    select * from (
      select d.id as transfer_id, t.id as top_up_id, d.at, d.amount as amount_cents,
        ${debtLeftSql} as left_cents, p.id as person_id, p.name,
        (select number from current_card(p.id)) as cardnumber, w.object_id as wallet_id,
        w.frozen_at is not null as is_frozen, l.account_id as purchased_account
      from ${debts} join wallet w on w.id = t.wallet_id join person p on p.id = w.person_id
      join wallet_lot l on l.wallet_id = w.id and l.kind = 'purchased') debt
    where ${condition} order by transfer_id limit 200`.execute(db);
  return rows;
}

const wordsOf = (debt: Debt): string =>
  [
    `écriture n° ${debt.transferId}`,
    `${formatMoney(debt.leftCents)} dus sur ${formatMoney(debt.amountCents)}`,
    debt.name,
    ...(debt.cardnumber === null ? [] : [formatCardnumber(debt.cardnumber)]),
    `depuis le ${formatDate(debt.at)}`,
    `recharge ${debt.topUpId}`,
    `cagnotte ${debt.walletId}${debt.isFrozen ? ", bloquée" : ""}`,
  ].join("  ");

/** Commands `npm run operator -- debts …`. */
export const debtCommands: readonly OperatorCommand[] = [
  {
    name: "debts list",
    arguments: [],
    says: "montre ce que des porteurs doivent de paiements repris après avoir été dépensés",
    run: async ({ db }) => {
      const owed = await debtsWhere(db, sql`left_cents > 0`);
      return { ok: true, lines: owed.length > 0 ? owed.map(wordsOf) : ["Personne ne doit rien."] };
    },
  },
  {
    name: "debts repay",
    arguments: ["<écriture>", "<virement|cagnotte>", "<euros>", "<motif>"],
    says: "note le règlement d'une dette, reçu par virement ou pris sur la cagnotte, par deux opérateurs",
    run: (deps, [transfer = "", from = "", euros = "", reasonText = ""], operator) =>
      commandResult(async () => {
        const amountCents = parseMoney(euros);
        if (!amountCents) throw new Problem("invalid_input", { what: "montant" });
        if (from !== "virement" && from !== "cagnotte") {
          throw new Problem("invalid_input", { what: "virement ou cagnotte" });
        }
        const reason = reasonArgument(reasonText);
        const [debt] = await debtsWhere(deps.db, sql`transfer_id = ${numberArgument(transfer)}`);
        if (!debt) throw new Problem("not_found");
        const { transferId, personId, purchasedAccount } = debt;
        const debitAccount =
          from === "cagnotte" ? purchasedAccount : await schemeAccount(deps.db, "bank");
        const repayment = { debitAccount, amountCents, personId };
        const repeated = [String(transferId), from, formatTypedMoney(amountCents)];
        const call = { command: "debts repay", arguments: repeated, reason, account: operator };
        const done = await byTwoAccounts(deps, call, async (tx, requestedBy) => {
          const signed = { requestedBy, by: operator, reason };
          await repayDebt(tx, deps, transferId, { ...signed, repayment });
          return { lines: [`${formatMoney(amountCents)} de ${debt.name} réglés, par ${from}.`] };
        });
        return done.lines;
      }),
  },
];
