// Closing an account: requested with a code, fourteen days to cancel, then the money is set aside for
// repayment, the cards end, and the holder is pseudonymised. The ledger stays.
import { type RawBuilder, sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney, ofName } from "#contract/french.ts";
import { privacy as limits } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import type { ClosureObstacle, PrivacyView, privacy } from "#contract/privacy/rows.ts";
import { endCards } from "#server/cards/cards.ts";
import { ibanOf, requireBankName } from "#server/companies/companies.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { sqlAtPlace, sqlLink } from "#server/db/link.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import {
  childrenOnlyOf,
  holderFor,
  lockTieForShare,
  lockTiesOf,
  requireNotMinor,
  withGuardians,
} from "#server/family/family.ts";
import type { HolderHome } from "#server/portal/portal.ts";
import type { Call } from "#server/http/serve.ts";
import {
  audit,
  auditAct,
  endSessions,
  proofOf,
  requireCode,
  sealFor,
} from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import { owedOf } from "#server/payments/payments.ts";
import { emptyWallets, closingBalanceOf, schemeAccount } from "#server/wallet/wallet.ts";
import { register } from "./register.ts";

type Closure = NonNullable<PrivacyView["closure"]>;

interface Row {
  id: string;
  requestedAt: Date;
  closesOn: string;
  beneficiary: string | null;
  ibanEnd: string | null;
}

const toClosureView = (row: Row): Closure => ({
  id: row.id,
  requestedAt: row.requestedAt.toISOString(),
  closesOn: row.closesOn,
  beneficiary: row.beneficiary,
  ibanEnd: row.ibanEnd,
});

/** The pending closure of a person, null when there is none. */
export async function closureOf(db: Db, personId: number): Promise<Closure | null> {
  const found = await query(db).maybeOne(sql<Row>`
    select id, requested_at, closes_on, beneficiary, iban_end from closure
    where person_id = ${personId} and state = 'requested'`);
  return found ? toClosureView(found) : null;
}

const closingPath = sqlAtPlace(sqlLink(paths.ownData, {}), "closing", sql.ref("c.id"));

/**
 * SQL: the pending closure of a card's holder, with its day, for those who may cancel it: not for a holder
 * with a guardian, whose closure is the guardian's decision.
 */
export const closingToDos = ({ me, holder }: HolderHome): RawBuilder<unknown> => sql`
  select 'closing' as kind, c.id::text as id, c.person_id, null as "from",
    to_char(c.closes_on, 'YYYY-MM-DD') as what,
    c.closes_on::timestamp at time zone 'Europe/Paris' as until, ${closingPath} as path
  from closure c
  where c.person_id = ${holder} and c.state = 'requested'
    and not exists (select from current_ties() t where t.member_id = ${me} and t.role = 'child')`;

/**
 * The reasons that prevent a person's account from closing today, with the names of children who would have
 * no guardian left.
 */
export async function obstaclesOf(
  db: Db,
  person: { id: number; type: 1 | 2 },
): Promise<{
  obstacles: ClosureObstacle[];
  names: string[];
  refundCents: number;
  forfeitedCents: number;
}> {
  const leaving = await closingBalanceOf(db, person.id);
  const names = await childrenOnlyOf(db, person.id);
  const obstacles: ClosureObstacle[] = [];
  if (person.type === 2) obstacles.push("closure_professional");
  if (names.length > 0) obstacles.push("closure_last_guardian");
  if (leaving.heldCents > 0) obstacles.push("closure_bookings");
  if (leaving.paying) obstacles.push("closure_payment_under_way");
  if ((await owedOf(db, sql`w.person_id = ${person.id}`)) > 0) obstacles.push("closure_debt");
  if (leaving.frozen) obstacles.push("wallet_frozen");
  const { refundCents, forfeitedCents } = leaving;
  return { obstacles, names, refundCents, forfeitedCents };
}

/**
 * Requests that a card's account be closed in fourteen days; purchased money then goes to `iban`. For a
 * child's account only a guardian may (`family_minor`). Refuses what `obstaclesOf` finds, `closure_requested`,
 * `closure_iban_missing`, `iban_invalid`, `bank_holder_letters`.
 */
export async function askClosure(
  call: Call<typeof privacy.close>,
): Promise<Output<typeof privacy.close>> {
  const { deps, caller, input } = call;
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  const parties = { actor: caller.personId, owner: holder.id };
  await requireNotMinor(deps.db, parties);
  const { obstacles, names, refundCents } = await obstaclesOf(deps.db, holder);
  if (obstacles[0]) throw obstacleProblem(obstacles[0], names);
  if (await closureOf(deps.db, holder.id)) throw new Problem("closure_requested");
  const to = beneficiaryOf(input, refundCents);
  const used = await requireCode(deps, caller, {
    purpose: "closure",
    binding: [holder.id, to?.iban ?? null],
    what: `fermer le compte ${ofName(holder.name)}`,
    withPassword: true,
    ...proofOf(input),
  });
  const sealed = to && (await sealFor(deps.db, "iban", holder.id, to.iban));
  return await inTx(deps.db, async (tx) => {
    await lockTieForShare(tx, parties);
    await used(tx);
    const at = deps.now();
    const row = await query(tx).one(sql<Row>`
      insert into closure (person_id, requested_by, requested_at, closes_on, beneficiary, iban_sealed, iban_end)
      values (${holder.id}, ${caller.personId}, ${at},
        paris_day(${at}::timestamptz) + ${limits.closureDays}::int,
        ${to?.beneficiary ?? null}, ${sealed ?? null}, ${to?.iban.slice(-4) ?? null})
      returning id, requested_at, closes_on, beneficiary, iban_end`);
    await auditAct(tx, call, "privacy.close", { personId: holder.id, at });
    const body =
      `Le compte ${ofName(holder.name)} sera fermé le ${formatDate(row.closesOn)}. ` +
      "D'ici là vous pouvez y renoncer depuis «\u00a0Mes données\u00a0».";
    await announceClosing(tx, deps, holder.id, { title: "Fermeture du compte demandée", body, at });
    return toClosureView(row);
  });
}

function beneficiaryOf(
  { iban, beneficiary }: { iban?: string | undefined; beneficiary?: string | undefined },
  refundCents: number,
): BankAccount | null {
  const account = iban === undefined ? null : accountOf({ iban, beneficiary: beneficiary ?? "" });
  if (account && account.beneficiary !== "") return account;
  if (refundCents > 0) throw ibanMissing(refundCents);
  return null;
}

const obstacleProblem = (obstacle: ClosureObstacle, names: readonly string[]): Problem =>
  new Problem(obstacle, { ofNames: names.map(ofName).join(", ") });

const ibanMissing = (refundCents: number): Problem =>
  new Problem("closure_iban_missing", { amount: formatMoney(refundCents) });

/**
 * Sets the IBAN of a pending closure: money may have come in after the request. Refuses `closure_none`,
 * `family_minor`, `iban_invalid`, `bank_holder_letters`.
 */
export async function setClosureIban(
  call: Call<typeof privacy.setClosureIban>,
): Promise<Output<typeof privacy.setClosureIban>> {
  const { deps, caller, input } = call;
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  const parties = { actor: caller.personId, owner: holder.id };
  await requireNotMinor(deps.db, parties);
  if (!(await closureOf(deps.db, holder.id))) throw new Problem("closure_none");
  const to = accountOf(input);
  if (to.beneficiary === "") {
    throw new Problem("invalid_input", { field: "beneficiary", what: "le titulaire du compte" });
  }
  const used = await requireCode(deps, caller, {
    purpose: "closure",
    binding: [holder.id, to.iban],
    what: `virer l’argent du compte ${ofName(holder.name)}`,
    withPassword: true,
    ...proofOf(input),
  });
  const sealed = await sealFor(deps.db, "iban", holder.id, to.iban);
  return await inTx(deps.db, async (tx) => {
    await lockTieForShare(tx, parties);
    await used(tx);
    const at = deps.now();
    const row = await query(tx).maybeOne(sql<Row>`
      update closure set beneficiary = ${to.beneficiary}, iban_sealed = ${sealed},
        iban_end = ${to.iban.slice(-4)}
      where person_id = ${holder.id} and state = 'requested'
      returning id, requested_at, closes_on, beneficiary, iban_end`);
    if (!row) throw new Problem("closure_none");
    await auditAct(tx, call, "privacy.iban", { personId: holder.id, at });
    const body = `L'argent du compte ${ofName(holder.name)} ira au compte bancaire terminant par ${row.ibanEnd}.`;
    await announceClosing(tx, deps, holder.id, { title: "IBAN de la fermeture", body, at });
    return toClosureView(row);
  });
}

interface BankAccount {
  iban: string;
  beneficiary: string;
}

function accountOf({ iban, beneficiary }: BankAccount): BankAccount {
  const name = beneficiary.trim();
  return { iban: ibanOf(iban), beneficiary: name && requireBankName(name) };
}

/** Cancels the closure. Refuses `closure_none` once the account is closed, or none was requested. */
export async function cancelClosure(
  call: Call<typeof privacy.keepOpen>,
): Promise<Output<typeof privacy.keepOpen>> {
  const { deps, caller, input } = call;
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  const parties = { actor: caller.personId, owner: holder.id };
  await requireNotMinor(deps.db, parties);
  await inTx(deps.db, async (tx) => {
    await lockTieForShare(tx, parties);
    const at = deps.now();
    const { numAffectedRows } = await sql`update closure set state = 'cancelled',
      answered_at = ${at}, iban_sealed = null, iban_end = null
      where person_id = ${holder.id} and state = 'requested'`.execute(tx);
    if (numAffectedRows === 0n) throw new Problem("closure_none");
    await auditAct(tx, call, "privacy.keep", { personId: holder.id, at });
    const body = `Le compte ${ofName(holder.name)} reste ouvert.`;
    await announceClosing(tx, deps, holder.id, { title: "Fermeture annulée", body, at });
  });
  return { message: "Le compte reste ouvert." };
}

/** The daily job: closes the accounts whose day has come, each in its own transaction. */
export async function closeDue(deps: Deps): Promise<number> {
  const { rows } = await sql<DueClosure>`
    select id, person_id from closure where state = 'requested'
    and closes_on <= paris_day(${deps.now()}::timestamptz)
    order by number limit 200`.execute(deps.db);
  let closed = 0;
  for (const due of rows) if (await closeOne(deps, due)) closed += 1;
  return closed;
}

interface DueClosure {
  id: string;
  personId: number;
}

async function closeOne(deps: Deps, { id, personId }: DueClosure): Promise<boolean> {
  const at = deps.now();
  try {
    return await inTx(deps.db, async (tx) => {
      // The ties end with the account: locked, so that a guardian's concurrent change is finished before.
      await lockTiesOf(tx, personId);
      const due = await query(tx).maybeOne(sql<{ type: 1 | 2; iban: boolean }>`
        select p.type, c.iban_sealed is not null as iban
        from closure c join person p on p.id = c.person_id
        where c.id = ${id} and c.state = 'requested' for update of c, p`);
      if (!due) return false;
      const { obstacles, names } = await obstaclesOf(tx, { id: personId, type: due.type });
      if (obstacles[0]) throw obstacleProblem(obstacles[0], names);
      // Orders and registrations in the name of the cards end first: that refunds money to the wallet.
      await endCards(tx, deps, personId, at);
      const { refundCents } = await emptyWallets(tx, {
        personId,
        to: await schemeAccount(tx, "closures"),
        grants: await schemeAccount(tx, "grants"),
        key: `closure:${id}`,
        at,
      });
      if (refundCents > 0 && !due.iban) throw ibanMissing(refundCents);
      await announceClosing(tx, deps, personId, {
        title: "Compte fermé",
        body:
          refundCents > 0
            ? `Le compte est fermé. ${formatMoney(refundCents)} partent vers votre banque.`
            : "Le compte est fermé.",
        at,
      });
      await sql`update closure set state = 'closed', answered_at = ${at},
        refund_cents = ${refundCents} where id = ${id}`.execute(tx);
      await audit(tx, { personId, action: "privacy.closed", actor: "system", address: null, at });
      await forgetPerson(tx, personId, at);
      return true;
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await postpone(deps, id, error);
    return false;
  }
}

/** Announces the reasons that prevent the closing once a week, and postpones the day. */
async function postpone(deps: Deps, id: string, why: Problem): Promise<void> {
  await inTx(deps.db, async (tx) => {
    const found = await query(tx).maybeOne(sql<{ personId: number }>`
      update closure set closes_on = closes_on + 7
      where id = ${id} and state = 'requested' returning person_id`);
    const personId = found?.personId;
    if (personId === undefined) return;
    const body = `${why.message} La fermeture est reportée d'une semaine.`;
    await announceClosing(tx, deps, personId, {
      title: "Fermeture reportée",
      body,
      at: deps.now(),
    });
  });
}

/** Ends the sessions and applies the retention register to each table. */
async function forgetPerson(tx: Tx, personId: number, at: Date): Promise<void> {
  await endSessions(tx, personId, { why: "closed", at });
  for (const { table, ownedBy, onClose } of register) {
    if (onClose === "keep") continue;
    const rows = sql`${sql.table(table)} t`;
    if (onClose === "delete") await sql`delete from ${rows} where ${ownedBy(personId)}`.execute(tx);
    else {
      const changes = Object.entries(onClose.set).map(
        ([column, value]) => sql`${sql.ref(column)} = ${sql.raw(value)}`,
      );
      await sql`update ${rows} set ${sql.join(changes)} where ${ownedBy(personId)}`.execute(tx);
    }
  }
  await sql`update person set disabled_at = coalesce(disabled_at, ${at}) where id = ${personId}`.execute(
    tx,
  );
}

async function announceClosing(
  tx: Tx,
  deps: Deps,
  personId: number,
  news: { title: string; body: string; at: Date },
): Promise<void> {
  await announce(tx, deps, {
    ...news,
    about: "privacy",
    to: await withGuardians(tx, [personId]),
    path: paths.ownData,
    changed: ["privacy"],
    channels: "outside",
    // Not linked to the person in the outbox: the person may be deleted before it leaves.
    message: { unowned: true },
  });
}
