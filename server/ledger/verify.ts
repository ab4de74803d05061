// Audit of the ledger: checks from the journal alone that every balance is the sum of its entries. It
// repairs nothing; each fault is reported with an example.
import { sql } from "kysely";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";

export interface Check {
  name: string;
  /** French, for the operator. */
  says: string;
  ok: boolean;
  /** How many rows are wrong, and one of them. */
  wrong: number;
  example: string | null;
}

export interface Verification {
  ok: boolean;
  accounts: number;
  transfers: number;
  holds: number;
  checks: Check[];
}

/** Each query answers the wrong rows in one column, `what`; no row means no fault. */
const checks: readonly { name: string; says: string; wrong: string }[] = [
  {
    name: "sums",
    says: "la somme de chaque actif est nulle",
    wrong: `select asset || ' : ' || sum(balance) as what
      from ledger_account group by asset having sum(balance) <> 0`,
  },
  {
    name: "balances",
    says: "chaque solde est la somme de ses écritures",
    wrong: `select 'compte ' || a.id || ' : ' || a.balance || ' au lieu de ' || coalesce(e.total, 0)
        as what
      from ledger_account a left join (
        select account, sum(delta) as total from entry group by account) e on e.account = a.id
      where a.balance <> coalesce(e.total, 0)`,
  },
  {
    name: "versions",
    says: "les versions de chaque compte se suivent sans trou",
    wrong: `select 'compte ' || a.id || ' : ' || coalesce(e.entries, 0) || ' écritures, version '
        || a.version as what
      from ledger_account a left join (
        select account, count(*) as entries, count(distinct version) as versions,
          min(version) as lowest, max(version) as highest
        from entry group by account) e on e.account = a.id
      where (a.version, a.version, a.version) <>
        (coalesce(e.entries, 0), coalesce(e.versions, 0), coalesce(e.highest, 0))
        or e.lowest <> 1`,
  },
  {
    name: "chain",
    says: "chaque écriture part du solde laissé par la précédente, dans l'ordre",
    wrong: `select 'écriture ' || id || ' du compte ' || account as what from (
        select id, account, balance,
          lag(balance, 1, 0::bigint) over w + delta as expected,
          lag(id, 1, 0::bigint) over w as previous
        from entry window w as (partition by account order by version)) e
      where balance <> expected or id <= previous`,
  },
  {
    name: "holds",
    says: "l'argent réservé est la somme des réservations en cours",
    wrong: `select 'compte ' || a.id || ' : ' || a.held || ' au lieu de ' || coalesce(h.total, 0)
        as what
      from ledger_account a left join (
        select debit_account, sum(amount) as total from hold where state = 'pending' group by debit_account) h
        on h.debit_account = a.id
      where a.held <> coalesce(h.total, 0)`,
  },
  {
    name: "posted_holds",
    says: "chaque réservation réglée a son écriture",
    wrong: `select 'réservation ' || h.id as what from hold h
      left join transfer t on t.key = h.posted_key and t.part = 1
        and t.debit_account = h.debit_account and t.amount = h.posted_amount
      where h.state = 'posted' and t.id is null`,
  },
  {
    name: "floors",
    says: "aucun compte n'est sous son plancher",
    wrong: `select 'compte ' || id || ' : ' || balance - held || ' < ' || floor as what
      from ledger_account where balance - held < floor`,
  },
  {
    name: "accounts",
    says: "chaque écriture relie deux comptes existants du même actif",
    wrong: `select 'écriture ' || t.id as what from transfer t
      left join ledger_account d on d.id = t.debit_account left join ledger_account c on c.id = t.credit_account
      where d.asset is distinct from c.asset or d.id is null`,
  },
  {
    name: "groups",
    says: "chaque groupe lié est entier",
    wrong: `select 'clé ' || key as what from transfer group by key
      having min(part) <> 1 or max(part) <> count(*)`,
  },
  {
    name: "reversals",
    says: "chaque annulation est le miroir de son écriture",
    wrong: `select 'écriture ' || r.id as what from transfer r
      left join transfer t on t.id = r.reverses and t.debit_account = r.credit_account and t.credit_account = r.debit_account
        and t.amount = r.amount and t.id < r.id
      where r.reverses is not null and t.id is null`,
  },
];

const entries = `with entry as (
  select debit_account as account, id, -amount as delta, debit_balance as balance, debit_version as version
  from transfer
  union all
  select credit_account, id, amount, credit_balance, credit_version from transfer)`;

/**
 * Audits the whole ledger in one snapshot, beside running traffic. Answers every check with how many
 * rows are wrong; `ok` when none is. Run after tests, nightly, and by `operator ledger verify`.
 */
export async function verify(db: Db): Promise<Verification> {
  return await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(auditWithin);
}

/** The same audit on the rows that one transaction sees. */
export async function auditWithin(tx: Tx): Promise<Verification> {
  await sql`set local statement_timeout = 0`.execute(tx);
  const done: Check[] = [];
  for (const { name, says, wrong } of checks) {
    const statement = `${entries}
      select count(*)::int as wrong, min(what) as example from (${wrong}) w`;
    const found = await query(tx).one(sql.raw<Pick<Check, "wrong" | "example">>(statement));
    done.push({ name, says, ok: found.wrong === 0, ...found });
  }
  const counts = await query(tx).one(sql<Pick<Verification, "accounts" | "transfers" | "holds">>`
    select (select count(*)::int from ledger_account) as accounts,
      (select count(*)::int from transfer) as transfers,
      (select count(*)::int from hold) as holds`);
  return { ok: done.every((check) => check.ok), ...counts, checks: done };
}

export interface Total {
  kind: string;
  asset: string;
  accounts: number;
  balanceCents: number;
  heldCents: number;
}

/** Balances and holds summed by kind of account, in cents or points. */
export async function totalsOf(db: Db): Promise<Total[]> {
  const { rows } = await sql<Total>`
    select kind, asset, count(*)::int as accounts, sum(balance)::bigint as balance_cents,
      sum(held)::bigint as held_cents
    from ledger_account group by kind, asset order by asset, kind`.execute(db);
  return rows;
}
