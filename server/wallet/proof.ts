// Proves, beside the ledger's own audit, what the database does not check at each transfer: that its rows
// name existing people and wallets, and that the daily outgoing sums of an account equal those of the
// journal.
import { type RawBuilder, sql } from "kysely";
import { plural } from "#contract/french.ts";
import type { Db } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { CommandResult } from "#server/process/room.ts";

/** Run by `operator ledger verify` and each night. */
export async function proveTransfers({ db }: Pick<Deps, "db">): Promise<CommandResult> {
  const found = [
    ...(await wrongIn(db, "une ligne nomme une personne ou une cagnotte inconnue", unknownNames)),
    ...(await wrongIn(db, "les sorties d'un compte diffèrent du journal", wrongDays)),
  ];
  if (found.length > 0) return { ok: false, lines: found };
  return {
    ok: true,
    lines: ["✓ virements : personnes et cagnottes connues, sorties par jour conformes au journal"],
  };
}

async function wrongIn(db: Db, says: string, query: RawBuilder<{ what: string }>) {
  const { rows } = await query.execute(db);
  const [first] = rows;
  return first ? [`✗ virements : ${says}, ${plural(rows.length, "fois")} (${first.what})`] : [];
}

const unknownNames = sql<{ what: string }>`
  select 'virement ' || s.id as what from wallet_transfer s
    where not exists (select from person p where p.id = s.person_id)
      or not exists (select from wallet w where w.id = s.from_wallet)
      or not exists (select from wallet w where w.id = s.to_wallet)
  union all select 'trace ' || a.id from audit a
    where not exists (select from person p where p.id = a.person_id)
  union all select 'notification ' || n.id from notification n
    where not exists (select from person p where p.id = n.person_id)`;

const wrongDays = sql<{ what: string }>`
  with day as (
    select debit_account as id, (at at time zone 'UTC')::date as day, sum(amount) as cents
    from transfer where kind in ('purchase', 'meal', 'transfer') group by 1, 2),
  newest as (select id, max(day) as day from day group by id)
  select 'compte ' || a.id as what from ledger_account a left join newest n using (id)
  left join day d on d.id = a.id and d.day = n.day
  left join day b on b.id = a.id and b.day = n.day - 1
  where (a.outgoing_on, a.outgoing, a.outgoing_before)
    is distinct from (n.day, coalesce(d.cents, 0), coalesce(b.cents, 0))`;
