// A line of the retention register: one table with personal data. Predicates for whose data a row is, and the
// periods and purposes that several lines share.
import { type RawBuilder, sql } from "kysely";

/** SQL condition: the row `t` is about this person. */
export type OwnedBy = (person: number) => RawBuilder<boolean>;

export interface RetentionLine {
  table: string;
  /** French name of the data, for the export and the screen. */
  label: string;
  ownedBy: OwnedBy;
  /** Columns left out of exports: secrets, internal keys, other people's data. */
  hidden?: readonly string[];
  /** When the account closes: keep, delete, or `set` columns to a new SQL value. */
  onClose: "keep" | "delete" | { set: Readonly<Record<string, string>> };
  /** Retention period, French. */
  howLong: string;
  /** Purpose, French. */
  purpose: string;
  /**
   * The nightly job deletes rows older than `days` by `column`; `only`: SQL condition on the row `t` that
   * limits this.
   */
  sweep?: { column: string; days: number; only?: string };
}

/** Rows with the person's id in one of the columns. */
export const ownedByColumn =
  (...columns: string[]): OwnedBy =>
  (person) =>
    sql<boolean>`(${sql.join(
      columns.map((column) => sql`t.${sql.ref(column)} = ${person}`),
      sql` or `,
    )})`;
/** Rows of the person's wallets. */
export const inWallet =
  (column: string): OwnedBy =>
  (person) =>
    sql<boolean>`t.${sql.ref(column)} in (select id from wallet where person_id = ${person})`;
/** Ledger rows of the person's wallets and points. */
export const inAccount: OwnedBy = (person) =>
  sql<boolean>`(exists (select from wallet w join wallet_lot l on l.wallet_id = w.id
      where w.person_id = ${person} and l.account_id in (t.debit_account, t.credit_account))
    or exists (select from point_lot l where l.person_id = ${person}
      and l.account_id in (t.debit_account, t.credit_account)))`;

export const tenYears = "10 ans";
export const accounting = "Obligation comptable";
export const security = "Sécurité du compte";
export const service = "Fonctionnement du service";
