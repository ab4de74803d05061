// The bank account of a company as settlement and the home page read it: which one is in force at an instant,
// and until when payouts are suspended because it changed (spec.md 25).
import { type RawBuilder, sql } from "kysely";
import { bankChange } from "#contract/companies/limits.ts";
import { companyCan } from "#contract/companies/roles.ts";
import { parisDay } from "#contract/days.ts";
import type { FirstStep } from "#contract/portal/professional-home.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { CompanyHome, CompanyHomePart } from "#server/portal/portal.ts";

/** Where a company is paid. */
export interface BankAccount {
  /** Without spaces, checked by its sum and the length of its country. */
  iban: string;
  bic: string | null;
  holderName: string;
  /** Nothing is paid out before this instant; null when payouts may leave. */
  frozenUntil: Date | null;
}

/** SQL: a change that is neither undone nor left unanswered by its second owner at an instant. */
export const isLiveChange = (at: Date): RawBuilder<boolean> => sql`
  b.requested_at <= ${at} and (b.undone_at is null or b.undone_at > ${at})
  and (b.confirmed_at <= ${at} or b.answer_until is null or b.answer_until > ${at})`;

/** SQL: a change that its second owner confirmed, or that needed none. */
export const isDecided = (at: Date): RawBuilder<boolean> =>
  sql`(b.answer_until is null or b.confirmed_at <= ${at})`;

/**
 * The bank account of a company at an instant; null when it has none. While a change waits for its second
 * owner, the former account stays in force but is frozen; the query may be asked about the past.
 */
export async function bankAccountFor(
  db: Db,
  companyId: string,
  at: Date,
): Promise<BankAccount | null> {
  return await query(db).maybeOne(sql<BankAccount>`
    select b.iban, b.bic, b.holder_name,
      (select max(frozen_until) from company_bank_account b
        where b.company_id = ${companyId} and ${isLiveChange(at)} and b.frozen_until > ${at}) as frozen_until
    from company_bank_account b
    where b.company_id = ${companyId} and ${isLiveChange(at)} and ${isDecided(at)}
    order by b.requested_at desc, b.id limit 1`);
}

export interface NewBankAccount {
  companyId: string;
  iban: string;
  bic: string | null;
  holderName: string;
  /** The owner who asks. */
  by: number;
  /** Whether another owner has to confirm it. */
  second: boolean;
  at: Date;
}

/** Writes the next account of a company, whose payouts are suspended from then on; returns its id. */
export async function writeBankAccount(tx: Tx, account: NewBankAccount): Promise<string> {
  const { companyId, iban, bic, holderName, by, second, at } = account;
  const after = (hours: number) => new Date(at.getTime() + hours * 3_600_000);
  const { id } = await query(tx).one(sql<{ id: string }>`
    insert into company_bank_account
      (company_id, iban, bic, holder_name, requested_by, requested_at, frozen_until, answer_until)
    values (${companyId}, ${iban}, ${bic}, ${holderName}, ${by}, ${at},
      ${after(bankChange.freezeHours)}, ${second ? after(bankChange.answerDays * 24) : null})
    returning id`);
  return id;
}

/** SQL: a change that its delay or its second owner may still stop at an instant. */
export const isOpen = (at: Date): RawBuilder<boolean> => sql`
  (b.undone_at is null and (b.frozen_until > ${at}
    or (b.answer_until > ${at} and b.confirmed_at is null)))`;

/**
 * The account on an owner's home page: the change that waits for a second owner, shown to whoever did not ask
 * for it.
 */
export async function bankHome({
  call,
  db,
  companyId,
  roles,
  at,
}: CompanyHome): Promise<CompanyHomePart> {
  if (!companyCan.decide(roles)) return {};
  const change = await query(db).maybeOne(sql<{ id: string; from: string; until: Date }>`
    select b.id, p.name as "from", coalesce(b.answer_until, b.frozen_until) as until
    from company_bank_account b join person p on p.id = b.requested_by
    where b.company_id = ${companyId} and b.requested_by <> ${call.caller.personId} and b.undone_at is null
      and b.confirmed_at is null and b.answer_until > ${at}
    order by b.requested_at desc, b.id limit 1`);
  if (!change) return {};
  const { id, from, until } = change;
  return { toDos: [{ kind: "bank_change", id, what: from, count: 1, day: parisDay(until) }] };
}

/** The bank account of a company, as one of its first steps. */
export async function bankStep({ db, companyId, at }: CompanyHome): Promise<FirstStep[]> {
  return [{ kind: "bank", done: (await bankAccountFor(db, companyId, at)) !== null, id: null }];
}

/** Whether a change of account of the company is under way. */
export async function hasOpenChange(db: Db, companyId: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    select from company_bank_account b
    where b.company_id = ${companyId} and ${isOpen(at)}`.execute(db);
  return rows.length > 0;
}
