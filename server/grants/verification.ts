// Proves, beside the ledger's own audit, that granted money agrees with it: the balance of the scheme's
// account is the sum of waiting returns, what was granted before its transfer came is owed, and no card has
// spent more than its lot or less than nothing.
import { sql } from "kysely";
import { query } from "#server/db/query.ts";
import { formatCount, formatMoney, plural } from "#contract/french.ts";
import type { Deps } from "#server/process/deps.ts";
import type { CommandResult } from "#server/process/room.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import { owedCents } from "./grant-rows.ts";

/** Run by `operator ledger verify` and each night. Corrections by an operator are reported apart. */
export async function proveGrants({ db }: Pick<Deps, "db">): Promise<CommandResult> {
  const account = await schemeAccount(db, "company_grants");
  const credits = await schemeAccount(db, "grant_credits");
  const { waiting, ledger, owed, lent, wrong, cards } = await query(db).one(sql<
    Record<"waiting" | "ledger" | "owed" | "lent" | "wrong" | "cards", number>
  >`
    select (coalesce((select sum(amount_cents) from company_grant_return where paid_at is null), 0)
        + coalesce((select sum(case when credit_account = ${account} then amount else -amount end)
          from transfer where reverses is not null
            and ${account} in (credit_account, debit_account)), 0))::bigint as waiting,
      (select balance from ledger_account where id = ${account}) as ledger,
      (coalesce((select sum(${owedCents}) from company_grant t where state = 'granted'), 0)
        - coalesce((select sum(case when credit_account = ${credits} then amount else -amount end)
          from transfer where reverses is not null
            and ${credits} in (credit_account, debit_account)), 0))::bigint as owed,
      (select -balance from ledger_account where id = ${credits}) as lent,
      (select count(*)::int from company_grant_card l join ledger_account a on a.id = l.account_id
        where l.amount_cents - a.balance < coalesce((select sum(amount_cents)
          from company_grant_return r
          where r.grant_id = l.grant_id and r.person_id = l.person_id), 0)) as wrong,
      (select count(*)::int from company_grant_card where account_id is not null) as cards`);
  const lines = [
    ...(waiting === ledger
      ? []
      : [
          `✗ dotations : ${formatMoney(waiting)} attendent de revenir, le grand livre dit ${formatMoney(ledger)}`,
        ]),
    ...(owed === lent
      ? []
      : [
          `✗ dotations : ${formatMoney(owed)} sont à recevoir par virement, le grand livre dit ${formatMoney(lent)}`,
        ]),
    ...(wrong === 0
      ? []
      : [`✗ dotations : ${plural(wrong, "carte")} rendent plus que ce qu'il leur reste`]),
  ];
  if (lines.length > 0) return { ok: false, lines };
  return {
    ok: true,
    lines: [
      `✓ ${formatCount(cards)} ${cards > 1 ? "dotations de cartes" : "dotation de carte"} : lots, retours et grand livre disent la même somme`,
    ],
  };
}
