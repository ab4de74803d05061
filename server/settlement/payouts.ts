// Payouts: the amount owed to each company leaves in one batch for the bank, and comes back to its account
// when the bank refuses it. Between the two it is in transit.
import { sql } from "kysely";
import { isValidIBAN } from "ibantools";
import { needsBic } from "#contract/companies/iban.ts";
import { isBankName } from "#contract/companies/sepa-text.ts";
import { Problem } from "#contract/errors.ts";
import {
  payoutCan,
  type PayoutHold,
  payoutReference,
  type PayoutState,
} from "#contract/settlement/states.ts";
import { type BankAccount, bankAccountFor } from "#server/companies/companies.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { lockedBalances, post } from "#server/ledger/ledger.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import { announcePayout } from "./announcements.ts";
import { type CloseDeps, lastSettledMonth } from "./close.ts";
import { pain001, type PaymentParty } from "./pain-001.ts";
import { type BankAnswer, readAnswer, type Verdict } from "./pain-002.ts";

/** Why a company is not paid now, null when it would be. */
export function holdOf(account: BankAccount | null, at: Date): PayoutHold | null {
  if (account === null) return "no_account";
  if (account.frozenUntil && account.frozenUntil > at) return "frozen";
  if (!isValidIBAN(account.iban)) return "bad_iban";
  const isComplete = account.bic !== null || !needsBic(account.iban);
  return isComplete && isBankName(account.holderName) ? null : "incomplete_account";
}

export interface Payout {
  companyId: string;
  company: string;
  amountCents: number;
}

export interface HeldPayout extends Payout {
  hold: PayoutHold;
  until: Date | null;
}

export interface Batch {
  /** Null when there was nothing to pay. */
  number: number | null;
  executeOn: string;
  paid: Payout[];
  /** Left for the next batch. */
  held: HeldPayout[];
}

/**
 * Makes a batch of all amounts owed that may be paid; the money is in transit from then on. Refuses
 * `payout_identity` without the account that pays.
 */
export async function makePayouts(
  deps: CloseDeps,
  { executeOn, operator }: { executeOn: string; operator: string },
): Promise<Batch> {
  const debtor = debtorOf(deps);
  return await inTx(deps.db, async (tx) => {
    // Concurrent batches wait for each other here: the second finds the accounts empty.
    await sql`lock table payout_batch in share row exclusive mode`.execute(tx);
    const at = deps.now();
    const batch: Batch = { number: null, executeOn, paid: [], held: [] };
    for (const due of await dueCompanies(tx, at)) {
      const { companyId, company, amountCents, hold, account } = due;
      const payout = { companyId, company, amountCents };
      if (hold !== null || account === null) {
        batch.held.push(heldOf(due));
        continue;
      }
      batch.number ??= await openBatch(tx, { debtor, executeOn, operator, at });
      const place = batch.paid.push(payout);
      const { name: _legal, ...address } = due.party;
      const creditor = {
        ...address,
        name: account.holderName,
        iban: account.iban,
        bic: account.bic,
      };
      await sendPayout(tx, { ...due, ...payout, batch: batch.number, place, creditor, at });
    }
    return batch;
  });
}

/** Previews a batch: payouts and held ones; nothing is written. Refuses `payout_identity`. */
export async function duePayouts(deps: CloseDeps): Promise<Pick<Batch, "paid" | "held">> {
  debtorOf(deps);
  const due = await inTx(deps.db, (tx) => dueCompanies(tx, deps.now()));
  const isPaid = ({ hold, account }: DuePayout) => hold === null && account !== null;
  return { paid: due.filter(isPaid), held: due.filter((one) => !isPaid(one)).map(heldOf) };
}

interface DuePayout extends OwedCompany {
  amountCents: number;
  account: Awaited<ReturnType<typeof bankAccountFor>>;
  hold: ReturnType<typeof holdOf>;
}

/** Each company that is owed money, with the reason why it is held if any; its account is locked. */
async function dueCompanies(tx: Tx, at: Date): Promise<DuePayout[]> {
  const due: DuePayout[] = [];
  for (const owed of await owedCompanies(tx)) {
    const account = await bankAccountFor(tx, owed.companyId, at);
    const [balance] = await lockedBalances(tx, [owed.accountId]);
    const amountCents = balance?.balanceCents ?? 0;
    if (amountCents > 0) due.push({ ...owed, amountCents, account, hold: holdOf(account, at) });
  }
  return due;
}

const heldOf = ({ companyId, company, amountCents, hold, account }: DuePayout): HeldPayout => ({
  companyId,
  company,
  amountCents,
  hold: hold ?? "no_account",
  until: account?.frozenUntil ?? null,
});

function debtorOf({ config }: CloseDeps): PaymentParty {
  const { issuer } = config;
  if (!issuer) throw new Problem("payout_identity", { what: "ISSUER_FILE" });
  const { name, street, postcode, town, iban, bic } = issuer;
  return { name, street, postcode, town, iban, bic };
}

interface OwedCompany {
  companyId: string;
  company: string;
  accountId: number;
  party: Pick<PaymentParty, "name" | "street" | "postcode" | "town">;
}

async function owedCompanies(tx: Tx): Promise<OwedCompany[]> {
  const { rows } = await sql<OwedCompany>`
    select c.id as company_id, c.name as company, s.account_id,
      json_build_object('name', c.name, 'street', c.street, 'postcode', c.postcode, 'town', c.town)
        as party
    from settlement_account s join ledger_account a on a.id = s.account_id
    join company c on c.id = s.company_id where a.balance > 0
    order by c.name collate "fr-x-icu", c.id`.execute(tx);
  return rows;
}

interface NewBatch {
  debtor: PaymentParty;
  executeOn: string;
  operator: string;
  at: Date;
}

async function openBatch(tx: Tx, { debtor, executeOn, operator, at }: NewBatch): Promise<number> {
  const { number } = await query(tx).one(sql<{ number: number }>`
    insert into payout_batch (number, made_at, made_by, execute_on, debtor)
    select coalesce(max(number), 0) + 1, ${at}, ${operator}, ${executeOn}::date,
      ${JSON.stringify(debtor)}::jsonb
    from payout_batch returning number`);
  return number;
}

interface Sending extends OwedCompany {
  amountCents: number;
  batch: number;
  place: number;
  creditor: PaymentParty;
  at: Date;
}

async function sendPayout(
  tx: Tx,
  { companyId, accountId, amountCents, batch, place, creditor, at }: Sending,
): Promise<void> {
  const month = await lastSettledMonth(tx, companyId);
  const { id } = await query(tx).one(sql<{ id: string }>`
    insert into payout (batch, place, company_id, month, amount_cents, creditor)
    values (${batch}, ${place}, ${companyId}, ${month}, ${amountCents},
      ${JSON.stringify(creditor)}::jsonb) returning id`);
  const memo = { reference: payoutReference({ batch, place }) };
  await post(tx, [
    {
      key: `payout:${id}`,
      debitAccount: accountId,
      creditAccount: await schemeAccount(tx, "payouts"),
      amountCents,
      kind: "payout",
      memo,
      at,
    },
  ]);
}

/** The reference of a batch in its message. */
export const messageIdOf = (batch: number): string => `MC-LOT-${String(batch).padStart(6, "0")}`;

interface BatchRow {
  madeAt: Date;
  executeOn: string;
  debtor: PaymentParty;
}

/** The message of a batch, always the same; `not_found` for an unknown batch. */
export async function batchFile(db: Db, batch: number): Promise<{ name: string; text: string }> {
  const made = await query(db).maybeOne(sql<BatchRow>`
    select made_at, to_char(execute_on, 'YYYY-MM-DD') as execute_on, debtor
    from payout_batch where number = ${batch}`);
  if (!made) throw new Problem("not_found");
  const { rows: payouts } = await sql<{
    place: number;
    amountCents: number;
    creditor: PaymentParty;
    month: string;
  }>`
    select place, amount_cents, creditor, month from payout
    where batch = ${batch} order by place`.execute(db);
  const messageId = messageIdOf(batch);
  const transfers = payouts.map(({ place, amountCents, creditor, month }) => {
    const endToEndId = payoutReference({ batch, place });
    return {
      endToEndId,
      amountCents,
      creditor,
      remittance: `Ma carte reglement ${month} ${endToEndId}`,
    };
  });
  return { name: `${messageId}.xml`, text: pain001({ ...made, messageId, transfers }) };
}

export interface AcknowledgedBatch {
  batch: number;
  accepted: number;
  rejected: number;
  /** Transfers that the bank has not decided on, or that are not in its answer. */
  open: number;
  /** Transfers rejected by this answer, whose amount is owed again. */
  refusals: { reference: string; company: string; amountCents: number; reason: string }[];
}

interface PayoutRow {
  id: string;
  place: number;
  companyId: string;
  company: string;
  amountCents: number;
  state: PayoutState;
  accountId: number;
}

/**
 * Applies the bank's answer to a batch; the same answer again changes nothing. Refuses `payout_file` and
 * `payout_unknown` as a whole: an answer that names a transfer of another batch is not applied at all.
 */
export async function acknowledge(deps: CloseDeps, text: string): Promise<AcknowledgedBatch> {
  const answer = readAnswer(text);
  const batch = Number(/^MC-LOT-(\d{6,9})$/.exec(answer.messageId)?.[1] ?? 0);
  return await inTx(deps.db, async (tx) => {
    const { rows } = await sql<PayoutRow>`
      select p.id, p.place, p.company_id, c.name as company,
        p.amount_cents, p.state, s.account_id
      from payout p join company c on c.id = p.company_id
      join settlement_account s on s.company_id = p.company_id
      where p.batch = ${batch} order by p.place for update of p`.execute(tx);
    if (rows.length === 0) throw new Problem("payout_unknown", { what: answer.messageId });
    const answers = answersBy(answer, batch, rows);
    const done: AcknowledgedBatch = { batch, accepted: 0, rejected: 0, open: 0, refusals: [] };
    for (const row of rows) {
      const one = answers.get(row.place);
      const verdict = one?.verdict ?? answer.verdict ?? "pending";
      const reason = one?.reason ?? answer.reason ?? "sans motif";
      await applyVerdict(tx, deps, row, { batch, verdict, reason, done });
    }
    return done;
  });
}

function answersBy(answer: BankAnswer, batch: number, rows: readonly PayoutRow[]) {
  const placeOf = new Map(
    rows.map(({ place }) => [payoutReference({ batch, place }), place] as const),
  );
  return new Map(
    answer.transfers.map((one) => {
      const place = placeOf.get(one.endToEndId);
      if (place === undefined) throw new Problem("payout_unknown", { what: one.endToEndId });
      return [place, one] as const;
    }),
  );
}

interface VerdictInput {
  batch: number;
  verdict: Verdict;
  reason: string;
  done: AcknowledgedBatch;
}

async function applyVerdict(
  tx: Tx,
  deps: CloseDeps,
  row: PayoutRow,
  { batch, verdict, reason, done }: VerdictInput,
): Promise<void> {
  const at = deps.now();
  const { companyId, company, amountCents, id, place } = row;
  const announcement = { companyId, amountCents, at };
  const reference = payoutReference({ batch, place });
  if (verdict === "accepted" && payoutCan.accept(row)) {
    await movePayout(tx, row, { to: "bank", reference, at });
    const found = await query(tx).one(sql<{ month: string }>`
      update payout set state = 'accepted', answered_at = ${at} where id = ${id}
      returning month`);
    await announcePayout(tx, deps, { ...announcement, month: found.month, refusal: null });
  }
  if (verdict === "rejected" && payoutCan.reject(row)) {
    const month = (await lastSettledMonth(tx, companyId)) ?? "";
    await movePayout(tx, row, { to: "company", reference, at });
    await sql`update payout set state = 'rejected', reason = ${reason.slice(0, 200)},
      answered_at = ${at}, returned_month = ${month} where id = ${id}`.execute(tx);
    await announcePayout(tx, deps, { ...announcement, month, refusal: reason });
    done.refusals.push({ reference, company, amountCents, reason });
  }
  // A refusal is final: a later answer changes nothing.
  const end = row.state === "rejected" || verdict === "pending" ? row.state : verdict;
  if (end === "accepted") done.accepted++;
  else if (end === "rejected") done.rejected++;
  else done.open++;
}

/** Moves the money out of transit: to the bank, or back to the company. */
async function movePayout(
  tx: Tx,
  { id, state, amountCents, accountId }: PayoutRow,
  { to, reference, at }: { to: "bank" | "company"; reference: string; at: Date },
): Promise<void> {
  const bank = await schemeAccount(tx, "bank");
  const transit = await schemeAccount(tx, "payouts");
  await post(tx, [
    {
      key: `payout-${to === "bank" ? "accepted" : "rejected"}:${id}`,
      debitAccount: state === "accepted" ? bank : transit,
      creditAccount: to === "bank" ? bank : accountId,
      amountCents,
      kind: "payout",
      memo: { reference },
      at,
    },
  ]);
}
