// Custody of a child of two guardians. One proposes, the other answers; an agreement is never changed, only
// followed by another one.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { CustodyAgreement, CustodyProposal, CustodyView } from "#contract/family/custody.ts";
import { custodyWords, isRule } from "#contract/family/custody-words.ts";
import { addDays, firstOfMonth, parisDay, startOfWeek } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { family as limits } from "#contract/limits.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { atPlace } from "#contract/places.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditAct } from "#server/identity/identity.ts";
import { holderFor, lockTieForShare } from "./family.ts";
import { type FamilyCall, announceToFamily } from "./members.ts";

interface Guardian {
  id: number;
  name: string;
}

/** A row of custody, and its relation to the caller. */
interface Line extends Omit<CustodyAgreement, "first" | "second" | "proposedAt"> {
  proposedAt: Date;
  state: "proposed" | "agreed";
  firstId: number;
  secondId: number | null;
}

/** Agreements and proposals for a child that is oneself or one's own, else `not_found`. */
export async function custodyView({
  deps: { db, now },
  caller: { personId: me },
  input,
}: FamilyCall<{ cardnumber: number; month?: string | undefined }>): Promise<CustodyView> {
  const { id: child, name } = await holderFor(db, me, input.cardnumber);
  const at = now();
  const today = parisDay(at);
  const [guardians, days, lines] = await Promise.all([
    guardiansNamed(db, child),
    daysOf(db, child, input.month ?? today.slice(0, 7)),
    linesOf(db, { child, me, today }),
  ]);
  const indexOf = (id: number | null) => guardians.findIndex((one) => one.id === id);
  const seen = ({
    id,
    kind,
    firstId,
    secondId,
    fromOn,
    toOn,
    proposedAt,
    proposedByMe,
  }: Line): CustodyAgreement => ({
    id,
    kind,
    first: indexOf(firstId),
    second: secondId === null ? null : indexOf(secondId),
    fromOn,
    toOn,
    proposedAt: proposedAt.toISOString(),
    proposedByMe,
  });
  // An agreement with somebody who is no guardian any more does not count.
  const standing = lines.filter(
    ({ firstId, secondId }) =>
      indexOf(firstId) >= 0 && (secondId === null || indexOf(secondId) >= 0),
  );
  const agreed = standing.filter(({ state }) => state === "agreed");
  // Of two rules for the same days the one agreed last applies: the other one never will.
  const rules = agreed.filter(
    (one, index) =>
      isRule(one.kind) &&
      !agreed.slice(0, index).some(({ kind, fromOn }) => isRule(kind) && fromOn <= one.fromOn),
  );
  const rule = rules.find(({ fromOn }) => fromOn <= today);
  const planned = agreed.filter(
    (one) => !isRule(one.kind) || (rules.includes(one) && one.fromOn > today),
  );
  return {
    child: name,
    guardians: guardians.map(({ id, name: called }) => ({ name: called, own: id === me })),
    days: days.map(({ on, guardian }) => ({
      on,
      guardian: guardian === null ? null : indexOf(guardian),
    })),
    rule: rule ? seen(rule) : null,
    planned: planned.sort((a, b) => (a.fromOn < b.fromOn ? -1 : 1)).map(seen),
    proposals: standing.filter(({ state }) => state === "proposed").map(seen),
    canPropose: guardians.length === 2 && indexOf(me) >= 0,
  };
}

/** In the order of `guardiansOf`. */
async function guardiansNamed(db: Db, child: number): Promise<Guardian[]> {
  const { rows } = await sql<Guardian>`
    select p.id, p.name from current_ties() t join person p on p.id = t.guardian_id
    where t.member_id = ${child} and t.role = 'child' order by t.since, t.guardian_id`.execute(db);
  return rows;
}

/** The days of the weeks that hold a month (YYYY-MM). */
async function daysOf(
  db: Db,
  child: number,
  month: string,
): Promise<{ on: string; guardian: number | null }[]> {
  const first = `${month}-01`;
  const from = startOfWeek(first);
  const last = addDays(startOfWeek(addDays(firstOfMonth(first, 1), -1)), 6);
  const { rows } = await sql<{ on: string; guardian: number | null }>`
    select d::date as "on", custodian_on(${child}, d::date) as guardian
    from generate_series(${from}::date, ${last}::date, interval '1 day') d order by d`.execute(db);
  return rows;
}

/** Open proposals, and agreements that are not over: the latest agreed first. */
async function linesOf(
  db: Db,
  { child, me, today }: { child: number; me: number; today: string },
): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select id, kind, state, first_id, second_id, from_on,
      to_on, proposed_by = ${me} as proposed_by_me,
      proposed_at
    from custody where child_id = ${child} and state in ('proposed', 'agreed')
      and (to_on is null or to_on >= ${today}::date)
    order by answered_at desc nulls first, number desc limit 200`.execute(db);
  return rows;
}

/**
 * Proposes custody to the other of a child's two guardians. Refuses `custody_guardians` when there are not
 * two, `custody_dates`, `custody_waiting` for a proposal that is already open, `custody_full`.
 */
export function proposeCustody({
  deps,
  caller,
  origin,
  input,
}: FamilyCall<CustodyProposal>): Promise<{ id: string }> {
  const me = caller.personId;
  const at = deps.now();
  return inTx(deps.db, async (tx) => {
    const { id: child, name } = await holderFor(tx, me, input.cardnumber);
    if (child === me) throw new Problem("family_minor");
    await lockTieForShare(tx, { actor: me, owner: child });
    await sql`select from person where id = ${child} for no key update`.execute(tx);
    const guardians = await guardiansNamed(tx, child);
    const other = guardians.find(({ id }) => id !== me);
    const own = guardians.find(({ id }) => id === me);
    if (guardians.length !== 2 || !other || !own) throw new Problem("custody_guardians");
    const today = await requireDates(tx, input, at);
    const waiting = (await linesOf(tx, { child, me, today })).filter(
      ({ state }) => state === "proposed",
    );
    if (waiting.length >= limits.openCustody) {
      throw new Problem("custody_full", { max: limits.openCustody });
    }
    const [first, last] = input.first === "me" ? [own, other] : [other, own];
    const second = input.kind === "weeks" || input.kind === "halves" ? last : null;
    const id = randomUUID();
    await sql`insert into custody (id, child_id, kind, first_id, second_id, from_on, to_on,
        proposed_by, proposed_to, proposed_at)
      values (${id}, ${child}, ${input.kind}, ${first.id}, ${second?.id ?? null}, ${input.fromOn},
        ${input.toOn ?? null}, ${me}, ${other.id}, ${at})`.execute(tx);
    await auditAct(tx, { caller, origin }, "custody.propose", { personId: child, at });
    const words = custodyWords({ ...input, toOn: input.toOn ?? null }, first.name, last.name);
    await announceToFamily(tx, deps, [other.id], {
      title: "Garde proposée",
      body: `${caller.name} vous propose, pour ${name} : ${words}. Répondez depuis sa page.`,
      path: atPlace(
        linkTo(paths.familyMember, { cardnumber: input.cardnumber }, { tab: "garde" }),
        "custody",
        id,
      ),
      at,
    });
    return { id };
  });
}

/** Returns today, in Paris. */
async function requireDates(tx: Tx, { kind, fromOn, toOn }: CustodyProposal, at: Date) {
  const { today, fits } = await query(tx).one(sql<{ today: string; fits: boolean }>`
    select today, ${fromOn}::date between today and today + ${limits.custodyAheadDays}::int
      and coalesce(${toOn ?? null}::date - ${fromOn}::date
        between ${kind === "halves" ? 1 : 0}::int and ${limits.custodyLongestDays}::int - 1, true)
      as fits
    from (select paris_day(${at}::timestamptz) as today) t`);
  if (!fits || isRule(kind) !== (toOn === undefined)) {
    const { custodyAheadDays: ahead, custodyLongestDays: longest } = limits;
    throw new Problem("custody_dates", { ahead, longest });
  }
  return today;
}

interface Open {
  number: number;
  childId: number;
  kind: CustodyAgreement["kind"];
  fromOn: string;
  toOn: string | null;
  first: string;
  second: string;
  proposedBy: number;
}

/** Answers a proposal made to oneself, or withdraws one's own: once, else `custody_over`. */
export function closeCustody(
  { deps, caller, origin, input }: FamilyCall<{ id: string }>,
  state: "agreed" | "declined" | "withdrawn",
): Promise<{ message: string }> {
  const me = caller.personId;
  const at = deps.now();
  return inTx(deps.db, async (tx) => {
    const open = await openCustody(tx, { id: input.id, me, own: state === "withdrawn", at });
    await sql`update custody set state = ${state}, answered_at = ${at}
      where number = ${open.number}`.execute(tx);
    const { childId: child } = open;
    await auditAct(tx, { caller, origin }, `custody.${state}`, { personId: child, at });
    if (state === "withdrawn") return { message: "La proposition est retirée." };
    const { name, number } = await query(tx).one(sql<{ name: string; number: number }>`
      select p.name, known.number from person p, current_card(p.id) known
      where p.id = ${child}`);
    const [agreed, path] = [
      state === "agreed",
      linkTo(paths.familyMember, { cardnumber: number }, { tab: "garde" }),
    ];
    const words = `${name} : ${custodyWords(open, open.first, open.second)}`;
    const title = agreed ? "Garde convenue" : "Garde refusée";
    const what = agreed ? "a accepté votre proposition" : "n'a pas accepté votre proposition";
    const notice = { title, body: `${caller.name} ${what}. ${words}.`, path, at };
    await announceToFamily(tx, deps, [open.proposedBy], notice);
    if (agreed)
      await announceToFamily(tx, deps, [child], {
        title,
        body: `${words}.`,
        path: paths.family,
        at,
      });
    return { message: agreed ? "C'est convenu." : "La proposition est refusée." };
  });
}

async function openCustody(
  tx: Tx,
  { id, me, own, at }: { id: string; me: number; own: boolean; at: Date },
): Promise<Open> {
  const found = await query(tx).maybeOne(sql<Open & { open: boolean }>`
    select c.number, c.child_id, c.kind, c.from_on, c.to_on, c.proposed_by,
      one.name as first, coalesce(two.name, '') as second,
      c.state = 'proposed'
        and (c.to_on is null or c.to_on >= paris_day(${at}::timestamptz))
        and (select count(*) from current_ties() t where t.member_id = c.child_id and t.role = 'child'
          and t.guardian_id in (c.proposed_by, c.proposed_to)) = 2 as open
    from custody c join person one on one.id = c.first_id left join person two on two.id = c.second_id
    where c.id = ${id} and ${me} = ${own ? sql`c.proposed_by` : sql`c.proposed_to`}
      and exists (select from current_ties() t where t.guardian_id = ${me} and t.member_id = c.child_id
        and t.role = 'child')
    for no key update of c`);
  if (!found) throw new Problem("not_found");
  if (!found.open) throw new Problem("custody_over");
  return found;
}
