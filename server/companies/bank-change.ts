// Changes of the bank account of a company: requested by an owner with a step-up, announced to all owners,
// frozen for 48 hours, confirmed by a second owner where there is one, undone while still open.
import { isSEPACountry } from "ibantools";
import { sql } from "kysely";
import {
  type BankAccountView,
  type BankChange,
  type BankChangeState,
  type companyBank as rows,
} from "#contract/companies/bank.ts";
import { maskIban } from "#contract/companies/iban.ts";
import { bankChange } from "#contract/companies/limits.ts";
import { companyCan } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import { formatDateTime } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { cleanName, tidyName } from "#server/cards/cards.ts";
import type { Call } from "#server/http/serve.ts";
import { auditAct, proofOf, requireCode } from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { bicOf, ibanOf, requireBankName } from "./account-parts.ts";
import { bankAccountFor, hasOpenChange, isOpen, writeBankAccount } from "./bank-accounts.ts";
import { inCompanyTx, type Membership } from "./companies.ts";
import { ownersOf } from "./people.ts";

const hourMs = 3_600_000;
const path = paths.company;

interface ChangeRow {
  id: string;
  iban: string;
  bic: string | null;
  holderName: string;
  requestedById: number;
  requestedBy: string;
  confirmedBy: string | null;
  undoneBy: string | null;
  requestedAt: Date;
  frozenUntil: Date;
  answerUntil: Date | null;
  confirmedAt: Date | null;
  undoneAt: Date | null;
  open: boolean;
}

const pastShown = 20;

async function changesOf(db: Db, companyId: string, at: Date): Promise<ChangeRow[]> {
  const { rows: found } = await sql<ChangeRow>`
    select b.id, b.iban, b.bic, b.holder_name, b.requested_by as requested_by_id,
      asker.name as requested_by, second.name as confirmed_by, undoer.name as undone_by,
      b.requested_at, b.frozen_until, b.answer_until,
      b.confirmed_at, b.undone_at, ${isOpen(at)} as open
    from company_bank_account b join person asker on asker.id = b.requested_by
    left join person second on second.id = b.confirmed_by
    left join person undoer on undoer.id = b.undone_by
    where b.company_id = ${companyId}
    order by b.requested_at desc, b.id limit ${pastShown + 1}`.execute(db);
  return found;
}

function stateOf(row: ChangeRow, at: Date): BankChangeState {
  if (row.undoneAt) return "undone";
  if (row.answerUntil && !row.confirmedAt) return row.answerUntil > at ? "waiting" : "lapsed";
  return row.frozenUntil > at ? "frozen" : "standing";
}

/** The account of the caller's company and its changes. */
export async function readBankAccount({
  deps,
  caller,
  company,
}: Call<typeof rows.bankAccount>): Promise<BankAccountView> {
  return await viewOf(deps.db, company, caller.personId, deps.now());
}

async function viewOf(
  db: Db,
  { companyId, roles }: Membership,
  me: number,
  at: Date,
): Promise<BankAccountView> {
  const account = await bankAccountFor(db, companyId, at);
  const changes = await changesOf(db, companyId, at);
  const canEdit = companyCan.decide(roles);
  const open = changes.find((row) => row.open);
  // Which of them is in force: the row has the date.
  const standing = changes.find(({ iban, undoneAt }) => iban === account?.iban && !undoneAt);
  return {
    canEdit,
    account: account && {
      iban: maskIban(account.iban),
      bic: account.bic,
      holderName: account.holderName,
      requestedAt: (standing?.requestedAt ?? at).toISOString(),
    },
    frozenUntil: frozenUntilOf(account?.frozenUntil, open, at)?.toISOString() ?? null,
    open: open
      ? {
          ...toChange(open, at),
          ...(canEdit && { iban: open.iban }),
          answerUntil: open.confirmedAt ? null : (open.answerUntil?.toISOString() ?? null),
          canConfirm: canEdit && open.requestedById !== me && stateOf(open, at) === "waiting",
          canUndo: canEdit,
        }
      : null,
    past: changes.filter((row) => row !== open).map((row) => toChange(row, at)),
  };
}

/** Before the first account is in force, its change says until when nothing is paid. */
const frozenUntilOf = (frozen: Date | null | undefined, open: ChangeRow | undefined, at: Date) =>
  frozen ?? (open && open.frozenUntil > at ? open.frozenUntil : null);

const toChange = (row: ChangeRow, at: Date): BankChange => ({
  id: row.id,
  iban: maskIban(row.iban),
  bic: row.bic,
  holderName: row.holderName,
  requestedAt: row.requestedAt.toISOString(),
  state: stateOf(row, at),
  requestedBy: row.requestedBy,
  confirmedBy: row.confirmedBy,
  undoneBy: row.undoneBy,
});

/** The typed account in the form that is stored. Refuses what its parts refuse, and `bank_iban_country`. */
function accountIn(input: { iban: string; bic: string | null; holderName: string }) {
  const iban = ibanOf(input.iban);
  if (!isSEPACountry(iban.slice(0, 2))) throw new Problem("bank_iban_country");
  const bic = bicOf(input.bic, iban);
  return { iban, bic, holderName: cleanName(requireBankName(tidyName(input.holderName))) };
}

/** Refuses what must wait: another change, an owner who just lost the role; and `bank_same`. */
async function requireChangeable(
  db: Db,
  companyId: string,
  next: { iban: string; bic: string | null; holderName: string },
  at: Date,
): Promise<void> {
  if (await hasOpenChange(db, companyId, at)) throw new Problem("bank_change_open");
  const account = await bankAccountFor(db, companyId, at);
  const parts = ["iban", "bic", "holderName"] as const;
  if (account && parts.every((part) => account[part] === next[part])) {
    throw new Problem("bank_same");
  }
  const { at: left } = await query(db).one(sql<{ at: Date | null }>`
    select owner_left_at as at from company where id = ${companyId}`);
  const from = left && new Date(left.getTime() + bankChange.ownerStandsHours * hourMs);
  if (from && from > at) throw new Problem("bank_owner_left", { from: formatDateTime(from) });
}

/** Owners who have been owners for long enough to count as a second one. */
async function standingOwners(db: Db, companyId: string, at: Date): Promise<number[]> {
  const since = new Date(at.getTime() - bankChange.ownerStandsHours * hourMs);
  const { rows: found } = await sql<{ id: number }>`
    select person_id as id from company_member m join person p on p.id = m.person_id
    where m.company_id = ${companyId} and 'owner' = any (m.roles) and m.since <= ${since}
      and p.disabled_at is null`.execute(db);
  return found.map(({ id }) => id);
}

/**
 * Requests, with a step-up, that the caller's company be paid on another account. Every owner is told,
 * payouts are suspended for 48 hours; where another owner has been one for 72 hours, one of them confirms it.
 */
export async function changeBankAccount(
  call: Call<typeof rows.changeBankAccount>,
): Promise<BankAccountView> {
  const { deps, caller, company: own, input } = call;
  const me = caller.personId;
  const { companyId } = own;
  const next = accountIn(input);
  await requireChangeable(deps.db, companyId, next, deps.now());
  const used = await requireCode(deps, caller, {
    ...proofOf(input),
    purpose: "company_bank",
    binding: [companyId, next.iban, next.bic, next.holderName],
    what: `changer le compte bancaire de ${own.name} pour ${maskIban(next.iban)}`,
    withPassword: true,
  });
  return await inCompanyTx(call, async (tx) => {
    await used(tx);
    await sql`select from company where id = ${companyId} for no key update`.execute(tx);
    const at = deps.now();
    await requireChangeable(tx, companyId, next, at);
    const second = (await standingOwners(tx, companyId, at)).some((id) => id !== me);
    await writeBankAccount(tx, { ...next, companyId, by: me, second, at });
    const until = formatDateTime(new Date(at.getTime() + bankChange.freezeHours * hourMs));
    await record(tx, call, { action: "company.bank_ask", iban: next.iban, at });
    await notifyOwners(tx, deps, own, {
      title: "Changement de compte bancaire demandé",
      body:
        `${caller.name} demande que ${own.name} soit payée sur le compte ${maskIban(next.iban)}. ` +
        `Aucun paiement ne part avant le ${until}. ` +
        (second ? "Un autre responsable doit confirmer ce changement. " : "") +
        "Si ce n’était pas prévu, annulez-le avant cette date.",
      at,
    });
    return await viewOf(tx, own, me, at);
  });
}

/** The change that a call names, its row locked. Refuses `not_found`, and `bank_change_over`. */
async function lockOpen(tx: Tx, companyId: string, id: string, at: Date): Promise<ChangeRow> {
  await sql`select from company_bank_account where id = ${id} and company_id = ${companyId}
    for update`.execute(tx);
  return await openChange(tx, companyId, id, at);
}

async function openChange(db: Db, companyId: string, id: string, at: Date): Promise<ChangeRow> {
  const row = (await changesOf(db, companyId, at)).find((one) => one.id === id);
  if (!row) throw new Problem("not_found");
  if (!row.open) throw new Problem("bank_change_over");
  return row;
}

/** Refuses whoever may not confirm this change, and one that waits for nobody. */
async function requireSecond(
  db: Db,
  row: ChangeRow,
  context: { companyId: string; me: number; at: Date },
): Promise<void> {
  if (stateOf(row, context.at) !== "waiting") throw new Problem("bank_change_over");
  if (row.requestedById === context.me) throw new Problem("bank_confirm_own");
  const standing = await standingOwners(db, context.companyId, context.at);
  if (!standing.includes(context.me)) {
    throw new Problem("bank_owner_new", { hours: bankChange.ownerStandsHours });
  }
}

/** Confirms, with a step-up, a change that another owner asked for; the freeze goes on to its end. */
export async function confirmBankAccount(
  call: Call<typeof rows.confirmBankAccount>,
): Promise<BankAccountView> {
  const { deps, caller, company: own, input } = call;
  const me = caller.personId;
  const { companyId } = own;
  const change = await openChange(deps.db, companyId, input.id, deps.now());
  await requireSecond(deps.db, change, { companyId, me, at: deps.now() });
  const used = await requireCode(deps, caller, {
    ...proofOf(input),
    purpose: "company_bank",
    binding: [companyId, input.id],
    what: `confirmer le compte bancaire ${maskIban(change.iban)} de ${own.name}`,
    withPassword: true,
  });
  return await inCompanyTx(call, async (tx) => {
    await used(tx);
    const at = deps.now();
    const row = await lockOpen(tx, companyId, input.id, at);
    await requireSecond(tx, row, { companyId, me, at });
    await sql`update company_bank_account set confirmed_by = ${me}, confirmed_at = ${at}
      where id = ${input.id}`.execute(tx);
    await record(tx, call, { action: "company.bank_confirm", iban: row.iban, at });
    await notifyOwners(tx, deps, own, {
      title: "Changement de compte bancaire confirmé",
      body:
        `${caller.name} a confirmé le compte ${maskIban(row.iban)} de ${own.name}. ` +
        (row.frozenUntil > at
          ? `Les paiements y partent à partir du ${formatDateTime(row.frozenUntil)}.`
          : "Les paiements y partent maintenant."),
      at,
    });
    return await viewOf(tx, own, me, at);
  });
}

/** Undoes a change while it is frozen or waits, by any owner: the former account is in force at once. */
export async function undoBankAccount(
  call: Call<typeof rows.undoBankAccount>,
): Promise<BankAccountView> {
  const { deps, caller, company: own, input } = call;
  const me = caller.personId;
  return await inCompanyTx(call, async (tx) => {
    const at = deps.now();
    const row = await lockOpen(tx, own.companyId, input.id, at);
    await sql`update company_bank_account set undone_by = ${me}, undone_at = ${at}
      where id = ${input.id}`.execute(tx);
    await record(tx, call, { action: "company.bank_undo", iban: row.iban, at });
    const former = await bankAccountFor(tx, own.companyId, at);
    await notifyOwners(tx, deps, own, {
      title: "Changement de compte bancaire annulé",
      body:
        `${caller.name} a annulé le changement de compte de ${own.name}. ` +
        (former
          ? `Les paiements partent sur le compte ${maskIban(former.iban)}.`
          : "Aucun compte n’est enregistré."),
      at,
    });
    return await viewOf(tx, own, me, at);
  });
}

function record(
  tx: Tx,
  { caller, origin }: Pick<Call<typeof rows.undoBankAccount>, "caller" | "origin">,
  { action, iban, at }: { action: string; iban: string; at: Date },
): Promise<void> {
  return auditAct(tx, { caller, origin }, action, { details: { name: maskIban(iban) }, at });
}

/** Tells every owner, by e-mail or SMS too, whatever notices they chose. */
async function notifyOwners(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { companyId }: Membership,
  news: { title: string; body: string; at: Date },
): Promise<void> {
  await announce(tx, deps, {
    ...news,
    about: "security",
    to: await ownersOf(tx, companyId),
    path,
    changed: ["bank_account"],
    channels: "outside",
  });
}
