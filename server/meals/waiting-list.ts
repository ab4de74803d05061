// The waiting list of a full service: joining, leaving, and the job that passes offers on.
import { sql } from "kysely";
import { type Deadline, deadlineOf } from "#contract/kitchen/deadlines.ts";
import { Problem } from "#contract/errors.ts";
import { firstName, formatDate, formatDayInWords, ofName } from "#contract/french.ts";
import { canteen as limits } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { mayActFor, requireMayActFor } from "#server/family/family.ts";
import type { PersonCall } from "#server/http/caller.ts";
import type { Deps } from "#server/process/deps.ts";
import { announceMeal } from "./announcements.ts";
import { pushMealChange } from "./ordered-meals.ts";
import { readTerms, requireServed } from "./meal-terms.ts";
import { askerMayAct, endWaits, offerSeats } from "./seat-offers.ts";
import { type Service, serviceCalendars } from "#server/kitchen/kitchen.ts";
import { lockService } from "./services.ts";

/** Joins the waiting list of a full service for oneself or a child, on one day. Refuses as its row lists. */
export async function joinWaitingList({
  deps,
  caller,
  input: { registration, day },
}: PersonCall<{ registration: string; day: string }>): Promise<{ message: string }> {
  await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await query(tx).maybeOne(sql<{ canteenId: string; personId: number }>`
      select canteen_id, person_id from canteen_registration r
      where id = ${registration} and ${mayActFor(caller.personId, sql.ref("r.person_id"))}`);
    if (!row) throw new Problem("not_found");
    await sql`select from person where id = ${caller.personId} for no key update`.execute(tx);
    await lockService(tx, { canteenId: row.canteenId, onDay: day });
    await requireMayActFor(tx, { actor: caller.personId, owner: row.personId });
    await requireMayWait(tx, registration, day, at);
    await requireFewWaits(tx, caller.personId);
    await sql`insert into meal_wait (registration_id, on_day, requested_by, requested_at)
      values (${registration}, ${day}, ${caller.personId}, ${at})`.execute(tx);
    await pushMealChange(tx, { ...row, orderedBy: caller.personId });
  });
  return {
    message: "Vous êtes sur la liste d’attente. Nous vous prévenons dès qu’une place se libère.",
  };
}

async function requireMayWait(tx: Tx, registration: string, day: string, at: Date): Promise<void> {
  const book = await readTerms(tx, [registration], { from: day, to: day });
  const rules = book.registrations.get(registration);
  if (!rules) throw new Problem("not_found");
  const terms = book.on(registration, day);
  requireServed(rules, day, terms, { at });
  const max = rules.maxPerWeek;
  if (max !== null && book.orderedInWeek(registration, day) >= max) {
    throw new Problem("meal_week_max", { max });
  }
  if (terms.wait) throw new Problem("meal_wait_twice", { day: formatDate(day) });
  if (terms.seatsLeft > 0) throw new Problem("meal_wait_needless", { day: formatDate(day) });
}

async function requireFewWaits(tx: Tx, personId: number): Promise<void> {
  const { count } = await query(tx).one(sql<{ count: number }>`
    select count(*)::int as count from meal_wait
    where requested_by = ${personId} and state in ('waiting', 'offered')`);
  const max = limits.openWaits;
  if (count >= max) throw new Problem("meal_waits_full", { max });
}

/** Leaves the waiting list; a seat that was offered goes to the next. Refuses `meal_wait_over`. */
export async function leaveWaitingList({
  deps,
  caller,
  input: { id },
}: PersonCall<{ id: string }>): Promise<{ message: string }> {
  await inTx(deps.db, async (tx) => {
    const wait = await query(tx).maybeOne(sql<Service & { owner: number }>`
      select r.canteen_id, to_char(w.on_day, 'YYYY-MM-DD') as on_day,
        r.person_id as owner
      from meal_wait w join canteen_registration r on r.id = w.registration_id
      where w.id = ${id} and ${mayActFor(caller.personId, sql.ref("r.person_id"))}`);
    if (!wait) throw new Problem("not_found");
    await lockService(tx, wait);
    await requireMayActFor(tx, { actor: caller.personId, owner: wait.owner });
    const ended = await endWaits(tx, deps, sql`w.id = ${id}`, { state: "left", at: deps.now() });
    for (const { personId, requestedBy, canteenId } of ended) {
      await pushMealChange(tx, { personId, orderedBy: requestedBy, canteenId });
    }
    if (ended.length === 0) throw new Problem("meal_wait_over");
  });
  return { message: "Vous n’êtes plus sur cette liste d’attente." };
}

interface WaitedService extends Service {
  canteen: string;
  servesFrom: string;
  rule: Deadline;
  /** One of its offers was not used in time. */
  isDue: boolean;
  /** It has a seat that is not offered, and takes orders. */
  isFree: boolean;
  /** Whoever joined its list may no longer act for the person. */
  isForsaken: boolean;
}

/**
 * Each minute: offers that were not used go to the next, and waits end with the last instant at which their
 * meal can be ordered, or once whoever joined is no guardian any more. Several servers may run it.
 */
export async function advanceWaits({ db, now, ...deps }: Deps): Promise<void> {
  const at = now();
  const { rows } = await sql<WaitedService>`
    select c.id as canteen_id, to_char(w.on_day, 'YYYY-MM-DD') as on_day, c.name as canteen,
      to_char(c.serves_from, 'HH24:MI') as serves_from, c.order_deadline as rule,
      bool_or(w.state = 'offered' and w.offered_until <= ${at}) as is_due,
      bool_or(w.state = 'waiting' and d.taken < d.seats and s.frozen_at is null) as is_free,
      bool_or(not ${askerMayAct()}) as is_forsaken
    from meal_wait w join canteen_registration r on r.id = w.registration_id
    join canteen c on c.id = r.canteen_id
    join canteen_provider v on v.id = c.provider_id join partner s on s.id = v.partner_id
    join canteen_day d on d.canteen_id = c.id and d.on_day = w.on_day
    where w.state in ('waiting', 'offered')
    group by c.id, w.on_day order by c.id, w.on_day`.execute(db);
  const first = rows.map(({ onDay }) => onDay).toSorted()[0];
  if (first === undefined) return;
  const ids = [...new Set(rows.map(({ canteenId }) => canteenId))];
  const calendars = await serviceCalendars(db, ids, first);
  for (const { rule, servesFrom, isDue, isFree, isForsaken, ...service } of rows) {
    const closures = calendars.get(service.canteenId)?.closures;
    const until = closures && deadlineOf(rule, { day: service.onDay, servesFrom }, closures);
    const isOver = !until || until < at;
    if (isOver || isDue || isFree || isForsaken) {
      await inTx(db, (tx) => advanceService(tx, deps, { ...service, isOver, at }));
    }
  }
}

async function advanceService(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  service: Service & { canteen: string; isOver: boolean; at: Date },
): Promise<void> {
  const { canteenId, onDay, canteen, isOver, at } = service;
  await lockService(tx, service);
  const ofService = sql`r.canteen_id = ${canteenId} and w.on_day = ${onDay}::date`;
  const orphanedWaits = await endWaits(tx, deps, sql`${ofService} and not ${askerMayAct()}`, {
    state: "left",
    at,
  });
  for (const { personId, person } of orphanedWaits) {
    await announceMeal(tx, deps, [personId], {
      title: "Attente terminée à la cantine",
      body:
        `L’attente pour ${firstName(person)}, ${formatDayInWords(onDay)} (${canteen}) est terminée\u202f: ` +
        "la personne qui l’avait demandée n’agit plus pour cette carte. Vous pouvez la demander de nouveau.",
      path: paths.canteenProviders,
      at,
    });
  }
  const due = isOver ? sql`true` : sql`w.state = 'offered' and w.offered_until <= ${at}`;
  const ended = await endWaits(tx, deps, sql`${ofService} and ${due}`, { state: "expired", at });
  await offerSeats(tx, deps, service, at);
  for (const { personId, person, requestedBy, wasOffered } of ended) {
    const child = firstName(person);
    const which = `${formatDayInWords(onDay)} (${canteen})`;
    await announceMeal(tx, deps, [personId, requestedBy], {
      title: wasOffered ? "La place n’est plus gardée" : "Aucune place ne s’est libérée",
      body: wasOffered
        ? `La place ${ofName(child)}, ${which} n’a pas été commandée à temps. Elle n’est plus gardée.`
        : `L’attente pour ${child}, ${which} est terminée\u202f: le service est resté complet. Rien n’est dépensé.`,
      at,
    });
  }
}
