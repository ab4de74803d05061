// The employer's side of enrolments: invited by a card's number, suspended, resumed, ended. An unknown number
// is answered like any other, and is looked up by a job, so that the answer takes the same time.
import { sql } from "kysely";
import { commuting as limits } from "#contract/commuting/limits.ts";
import type { CommutingEnrolment } from "#contract/commuting/rows.ts";
import { enrolmentCan, type EnrolmentState } from "#contract/commuting/states.ts";
import { dayMs } from "#contract/days.ts";
import { isCardnumber } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { query } from "#server/db/query.ts";
import { cleanName } from "#server/cards/cards.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { auditAct, auditOperator, requirePersonRateLimit } from "#server/identity/identity.ts";
import type { Deps } from "#server/process/deps.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { announceToCompany, announceToHolder } from "./announcements.ts";
import { requireOffer } from "./offer.ts";
import { type EnrolmentRow, enrolmentsWhere, toEnrolmentView } from "./enrolment-rows.ts";

interface EnrolmentQuery {
  service: string;
  show?: "running" | "over" | undefined;
  before?: number | undefined;
  limit?: number | undefined;
}

/** Enrolments of the caller's company on an offer, newest first. */
export async function readEnrolments({
  deps,
  company,
  input,
}: CompanyCall<EnrolmentQuery>): Promise<{
  items: CommutingEnrolment[];
  next: number | null;
}> {
  const { service, show, before, limit = 50 } = input;
  await requireOffer(deps.db, service);
  const at = deps.now();
  const runs = sql`(e.state in ('active', 'suspended')
    or (e.state = 'invited' and e.expires_at > ${at}))`;
  const filter = show === undefined ? sql`true` : show === "running" ? runs : sql`not ${runs}`;
  const found = await enrolmentsWhere(
    deps.db,
    at,
    sql`p.company_id = ${company.companyId} and p.service_id = ${service} and ${filter}
      and (${before ?? null}::bigint is null or e.number < ${before ?? null}::bigint)`,
    sql`order by e.number desc limit ${limit + 1}`,
  );
  const { items, next } = pageOf(found, limit, ({ number }) => number);
  return { items: items.map(toEnrolmentView), next };
}

interface NewEnrolment {
  service: string;
  cardnumber: number;
  name: string;
  staffNumber?: string | null | undefined;
}

/**
 * Invites the holder of a card to enrol. The answer is the same for an unknown number. Refuses
 * `commuting_closed` before the share is set, `commuting_number` and `commuting_personal_card` by the digits
 * alone, `commuting_enrolled` for a number that waits or runs already, `commuting_often` for one enrolled too
 * often lately, `commuting_full`.
 */
export function enrol(call: CompanyCall<NewEnrolment>): Promise<CommutingEnrolment> {
  const { deps, caller, company, input } = call;
  const { service, cardnumber } = input;
  const { personId } = caller;
  return inCompanyTx(call, async (tx) => {
    await requireOffer(tx, service);
    if (!isCardnumber(cardnumber)) throw new Problem("commuting_number");
    if (!String(cardnumber).startsWith("1")) throw new Problem("commuting_personal_card");
    const at = deps.now();
    const planId = await lockPlan(tx, { companyId: company.companyId, service });
    await requireRoom(tx, { planId, cardnumber, at });
    await requireSeldom(tx, { companyId: company.companyId, cardnumber, at });
    const id = await insertEnrolment(tx, { ...input, planId, by: personId, at });
    await deps.enqueue(tx, "announce_commuting_invitation", { enrolment: id });
    const details = { name: input.name, card: String(cardnumber).slice(-4) };
    await auditAct(tx, call, "commuting.enrol", { details, at });
    return toEnrolmentView(await readById(tx, id, at));
  });
}

/** Locks the plan: of two calls that enrol one number at once, the second finds it enrolled. */
async function lockPlan(
  tx: Tx,
  { companyId, service }: { companyId: string; service: string },
): Promise<string> {
  const found = await query(tx).maybeOne(sql<{ id: string }>`
    select id from commuting_plan where company_id = ${companyId} and service_id = ${service}
    for no key update`);
  if (!found) throw new Problem("commuting_closed");
  return found.id;
}

async function requireRoom(
  tx: Tx,
  { planId, cardnumber, at }: { planId: string; cardnumber: number; at: Date },
): Promise<void> {
  await sql`update commuting_enrolment set state = 'expired', ended_at = expires_at
    where plan_id = ${planId} and state = 'invited' and expires_at <= ${at}`.execute(tx);
  const { present, count } = await query(tx).one(sql<{ count: number; present: boolean }>`
    select count(*)::int as count, coalesce(bool_or(cardnumber = ${cardnumber}), false) as present
    from commuting_enrolment
    where plan_id = ${planId} and state in ('invited', 'active', 'suspended')`);
  const max = limits.maxEnrolments;
  if (present) throw new Problem("commuting_enrolled");
  if (count >= max) throw new Problem("commuting_full", { max });
}

/** Refuses a number enrolled too often; counted by the typed number, whether it is somebody's or not. */
async function requireSeldom(
  tx: Tx,
  { companyId, cardnumber, at }: { companyId: string; cardnumber: number; at: Date },
): Promise<void> {
  const { maxPerNumber: max, againDays: days } = limits;
  const { count } = await query(tx).one(sql<{ count: number }>`
    select count(*)::int as count from commuting_enrolment e join commuting_plan p on p.id = e.plan_id
    where p.company_id = ${companyId} and e.cardnumber = ${cardnumber}
      and e.invited_at > ${at}::timestamptz - make_interval(days => ${days})`);
  if (count >= max) throw new Problem("commuting_often", { max, days });
}

/** Writes an invitation; returns its id. */
export async function insertEnrolment(
  tx: Tx,
  input: Omit<NewEnrolment, "service"> & { planId: string; by: number; at: Date },
): Promise<string> {
  const { planId, cardnumber, name, staffNumber, by, at } = input;
  const expiresAt = new Date(at.getTime() + limits.answerDays * dayMs);
  const { id } = await query(tx).one(sql<{ id: string }>`
    insert into commuting_enrolment (plan_id, state, name, staff_number, cardnumber, invited_by,
      invited_at, expires_at)
    values (${planId}, 'invited', ${cleanName(name)}, ${staffNumber?.trim() || null},
      ${cardnumber}, ${by}, ${at}, ${expiresAt}) returning id`);
  return id;
}

async function readById(tx: Tx, id: string, at: Date): Promise<EnrolmentRow> {
  const [found] = await enrolmentsWhere(tx, at, sql`e.id = ${id}`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** Job: tells the holder of the number, where there is one, that an employer asks. */
export async function announceInvitation(deps: Deps, enrolment: string): Promise<void> {
  await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const [row] = await enrolmentsWhere(tx, at, sql`e.id = ${enrolment}`);
    if (!row || row.bearerId === null || !enrolmentCan.answer(row)) return;
    const { bearerId: holderId, service } = row;
    // A holder whom this company's invitation reached outside the portal lately is only told in the portal.
    const [earlier] = await enrolmentsWhere(
      tx,
      at,
      sql`p.company_id = ${row.companyId} and h.id = ${holderId} and e.number < ${row.number}
        and e.invited_at > ${at}::timestamptz - make_interval(days => ${limits.againDays})`,
      sql`limit 1`,
    );
    await announceToHolder(
      tx,
      deps,
      { holderId, service, toAnswer: enrolment },
      {
        title: `${row.company} propose de payer une part de vos abonnements`,
        body:
          `${row.company} paierait ${row.employerPercent}\u202f% de vos abonnements de transport. ` +
          "Acceptez ou refusez\u202f: sans réponse, la demande s’efface d’elle-même.",
        at,
        outside: !earlier,
      },
    );
  });
}

type EnrolmentCall = CompanyCall<{ enrolment: string }>;

interface Change {
  can: (row: { state: EnrolmentState }) => boolean;
  action: string;
  set: (at: Date) => ReturnType<typeof sql>;
  /** The notice to the employee; none before they have accepted. */
  title: string;
  body: (row: EnrolmentRow) => string;
}

/** Actions on an enrolment by its company, and by the operator. */
export type EnrolmentAction = "suspend" | "resume" | "end";

const changes: Readonly<Record<EnrolmentAction, Change>> = {
  suspend: {
    can: enrolmentCan.suspend,
    action: "commuting.suspend",
    set: (at) => sql`state = 'suspended', suspended_at = ${at}`,
    title: "La part de votre employeur est suspendue",
    body: ({ company }) =>
      `${company} ne paie plus de part de vos prochains abonnements pour l’instant. Vos titres achetés restent valables.`,
  },
  resume: {
    can: enrolmentCan.resume,
    action: "commuting.resume",
    set: () => sql`state = 'active', suspended_at = null`,
    title: "La part de votre employeur reprend",
    body: ({ company, employerPercent }) =>
      `${company} paie de nouveau ${employerPercent}\u202f% de vos abonnements.`,
  },
  end: {
    can: (row) => enrolmentCan.end(row) || enrolmentCan.withdraw(row),
    action: "commuting.end",
    set: (at) => sql`state = case when state = 'invited' then 'withdrawn' else 'ended' end,
      ended_at = ${at}`,
    title: "Votre employeur ne paie plus vos abonnements",
    body: ({ company }) =>
      `${company} a mis fin à votre inscription. Vos titres achetés restent valables jusqu’à leur dernier jour.`,
  },
};

/** Suspends an enrolment: purchases until it is resumed get no share. Refuses `commuting_state`. */
export const suspendEnrolment = (call: EnrolmentCall): Promise<CommutingEnrolment> =>
  changeOwn(call, changes.suspend);

/**
 * Resumes a suspended enrolment. Refuses `commuting_state`, `too_many_requests` after some times in a day.
 */
export const resumeEnrolment = (call: EnrolmentCall): Promise<CommutingEnrolment> =>
  changeOwn(call, changes.resume, async (tx, { id, holderId }) => {
    if (holderId === null) return;
    const rate = { max: limits.resumesPerDay, seconds: 86_400 };
    const { now } = call.deps;
    await requirePersonRateLimit(
      { db: tx, now },
      { act: `commuting.resume:${id}`, personId: holderId, ...rate },
    );
  });

/** Ends an enrolment, or withdraws one that waits. Refuses `commuting_state` for one that is over. */
export const endEnrolment = (call: EnrolmentCall): Promise<CommutingEnrolment> =>
  changeOwn(call, {
    ...changes.end,
    set: (at) => sql`${changes.end.set(at)}, ended_by = 'company'`,
  });

function changeOwn(
  call: EnrolmentCall,
  change: Change,
  requireMore?: (tx: Tx, row: EnrolmentRow) => Promise<void>,
) {
  const { deps, company, input } = call;
  return inCompanyTx(call, async (tx) => {
    const at = deps.now();
    const own = sql`e.id = ${input.enrolment} and p.company_id = ${company.companyId}`;
    const row = await lockEnrolment(tx, own, at);
    if (!row) throw new Problem("not_found");
    await requireMore?.(tx, row);
    await apply(tx, deps, row, { change, body: change.body(row), at });
    await auditAct(tx, call, change.action, { details: { name: row.name }, at });
    return toEnrolmentView(await readById(tx, row.id, at));
  });
}

/** Changes an enrolment and tells its holder, if they have accepted it. Refuses `commuting_state`. */
async function apply(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  row: EnrolmentRow,
  { change: { can, set, title }, body, at }: { change: Change; body: string; at: Date },
): Promise<void> {
  if (!can(row)) throw new Problem("commuting_state");
  await sql`update commuting_enrolment set ${set(at)} where id = ${row.id}`.execute(tx);
  if (row.holderId === null) return;
  const { holderId, service } = row;
  await announceToHolder(tx, deps, { holderId, service }, { title, body, at, outside: true });
}

const operatorTitles: Readonly<Record<EnrolmentAction, string>> = {
  suspend: "Inscription suspendue par Ma carte",
  resume: "Inscription reprise par Ma carte",
  end: "Inscription terminée par Ma carte",
};

/**
 * The operator changes an enrolment by its number: the holder, where they accepted it, and the owners of the
 * company are told why. Refuses `not_found`, `commuting_state`.
 */
export function operateEnrolment(
  deps: OperatorDeps,
  action: EnrolmentAction,
  { number, why, operator }: { number: number; why: string; operator: string },
): Promise<EnrolmentRow> {
  return inTx(deps.db, async (tx) => {
    const found = await query(tx).maybeOne(sql<{ id: string; invitedBy: number }>`
      select id, invited_by from commuting_enrolment
      where number = ${number}`);
    const at = deps.now();
    const row = found && (await lockEnrolment(tx, sql`e.id = ${found.id}`, at));
    if (!found || !row) throw new Problem("not_found");
    const change = changes[action];
    await apply(tx, deps, row, { change, body: `Ma carte\u202f: ${why}`, at });
    await announceToCompany(tx, deps, row, {
      title: operatorTitles[action],
      body: `${row.name}\u202f: ${why}`,
      at,
    });
    const personId = row.holderId ?? found.invitedBy;
    await auditOperator(tx, operator, change.action, {
      personId,
      details: { name: row.name, why },
      at,
    });
    return await readById(tx, row.id, at);
  });
}

/**
 * The enrolment under a condition, locked and read again. The holder is locked first, as in a purchase: a
 * purchase at the same time either gets the share, or finds the enrolment changed.
 */
export async function lockEnrolment(
  tx: Tx,
  condition: ReturnType<typeof sql>,
  at: Date,
): Promise<EnrolmentRow | undefined> {
  const source = sql`from commuting_enrolment e join commuting_plan p on p.id = e.plan_id
    left join card on card.number = e.cardnumber where ${condition}`;
  await sql`select from person where id = (select e.holder_id ${source})
    for no key update`.execute(tx);
  await sql`select ${source} for update of e`.execute(tx);
  return (await enrolmentsWhere(tx, at, condition))[0];
}
