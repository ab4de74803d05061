// Requests for a first card: a guardian asks for a child under 18, the operator approves or refuses. Refused:
// adults, the same child twice, whoever has a guardian.
import { sql } from "kysely";
import type { CardRequest, enrolment } from "#contract/cards/first-card-requests.ts";
import { ofName } from "#contract/french.ts";
import { Problem } from "#contract/errors.ts";
import { family as limits } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { atPlace } from "#contract/places.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { guardiansOf } from "#server/family/family.ts";
import type { Call } from "#server/http/serve.ts";
import { auditAct, auditOperator } from "#server/identity/identity.ts";
import { asSentence, announce } from "#server/notifications/notifications.ts";
import { fullName, makeFirstSecret, openHolder } from "./holders.ts";

/** Requests of a guardian that wait, or were refused within 30 days; the oldest first. */
export async function requestsOf(db: Db, guardian: number, now: Date): Promise<CardRequest[]> {
  const { rows } = await sql<Omit<CardRequest, "requestedAt"> & { at: Date }>`
    select id, name, born_on, state, reason, requested_at as at from first_card_request
    where guardian_id = ${guardian} and (state = 'open' or (state = 'refused'
      and answered_at > ${now}::timestamptz - interval '30 days'))
    order by number`.execute(db);
  return rows.map(({ at, ...one }) => ({ ...one, requestedAt: at.toISOString() }));
}

/**
 * Asks for the first card of a child under 18. Refuses `first_card_age`, `first_card_requested` for the
 * same child again, `first_card_full`, `family_minor`.
 */
export function askFirstCard({
  deps,
  caller,
  origin,
  input,
}: Call<typeof enrolment.ask>): Promise<CardRequest> {
  const me = caller.personId;
  const at = deps.now();
  const name = fullName(input.firstName, input.lastName);
  return inTx(deps.db, async (tx) => {
    await sql`select from person where id = ${me} for no key update`.execute(tx);
    if ((await guardiansOf(tx, me)).length > 0) throw new Problem("family_minor");
    await requireChildAge(tx, input.bornOn, at);
    const open = (await requestsOf(tx, me, at)).filter(({ state }) => state === "open");
    if (open.length >= limits.openCardRequests) {
      throw new Problem("first_card_full", { max: limits.openCardRequests });
    }
    const row = await query(tx).one(sql<{ id: string }>`
      insert into first_card_request (guardian_id, name, born_on, requested_at)
      values (${me}, ${name}, ${input.bornOn}, ${at}) returning id`);
    await auditAct(tx, { caller, origin }, "enrolment.ask", { details: { name }, at });
    const request = (await requestsOf(tx, me, at)).find(({ id }) => id === row.id);
    if (!request) throw new Error("the request just written is not there");
    return request;
  });
}

async function requireChildAge(tx: Tx, bornOn: string, at: Date): Promise<void> {
  const { child } = await query(tx).one(sql<{ child: boolean }>`select ${bornOn}::date <= today
      and ${bornOn}::date > today - interval '18 years' as child
    from (select paris_day(${at}::timestamptz) as today) t`);
  if (!child) throw new Problem("first_card_age");
}

/** Takes back a request that waits; `first_card_answered` when it no longer does. */
export function withdrawRequest({
  deps,
  caller,
  input,
}: Call<typeof enrolment.withdraw>): Promise<{ message: string }> {
  return inTx(deps.db, async (tx) => {
    const found = await query(tx).maybeOne(sql<{ state: string }>`
      select state from first_card_request
      where id = ${input.id} and guardian_id = ${caller.personId} for update`);
    if (!found) throw new Problem("not_found");
    if (found.state !== "open") throw new Problem("first_card_answered");
    await sql`update first_card_request set state = 'withdrawn', answered_at = ${deps.now()}
      where id = ${input.id}`.execute(tx);
    return { message: "La demande est retirée." };
  });
}

export interface WaitingRequest {
  number: number;
  name: string;
  bornOn: string;
  guardian: string;
  requestedAt: Date;
}

/** Requests that wait for the operator, the oldest first, at most 200. */
export async function waitingRequests(db: Db): Promise<WaitingRequest[]> {
  const { rows } = await sql<WaitingRequest>`
    select r.number, r.name, r.born_on, p.name as guardian, r.requested_at
    from first_card_request r join person p on p.id = r.guardian_id
    where r.state = 'open' order by r.number limit 200`.execute(db);
  return rows;
}

interface OpenRequest {
  id: string;
  guardianId: number;
  name: string;
  bornOn: string;
}

async function requireOpenRequest(tx: Tx, number: number): Promise<OpenRequest> {
  const found = await query(tx).maybeOne(sql<OpenRequest & { state: string }>`
    select id, guardian_id, name, born_on,
    state from first_card_request where number = ${number} for update`);
  if (!found) throw new Problem("not_found");
  if (found.state !== "open") throw new Problem("first_card_answered");
  return found;
}

/**
 * Approves a request: the child becomes a person with a card (accepted, to be made), a wallet and this
 * guardian. Returns the card number and the printed secret, with which one first logs in and must choose a
 * password. `operator` is the name kept in the trail.
 */
export async function approveRequest(
  deps: OperatorDeps,
  number: number,
  operator: string,
): Promise<{ cardnumber: number; secret: string; name: string }> {
  const { secret, passwordHash } = await makeFirstSecret();
  return await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const { guardianId: guardian, name, bornOn } = await requireOpenRequest(tx, number);
    const child = { name, bornOn, email: null, phonenumber: null, guardian };
    const { personId, cardnumber } = await openHolder(tx, { ...child, passwordHash, at });
    await sql`update first_card_request set state = 'approved', person_id = ${personId},
      answered_at = ${at} where number = ${number}`.execute(tx);
    await auditOperator(tx, operator, "card.approved", { personId, at });
    await announceToGuardian(tx, deps, guardian, {
      title: "Première carte acceptée",
      body: `La carte ${ofName(name)} est acceptée. Nous vous dirons quand elle partira.`,
      at,
    });
    return { cardnumber, secret, name };
  });
}

/** Refuses a request; the guardian reads why. */
export function refuseRequest(
  deps: OperatorDeps,
  number: number,
  reason: string,
): Promise<{ name: string }> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const { id, guardianId: guardian, name } = await requireOpenRequest(tx, number);
    await sql`update first_card_request set state = 'refused', reason = ${reason},
      answered_at = ${at} where number = ${number}`.execute(tx);
    const body = `La première carte ${ofName(name)} est refusée : ${asSentence(reason)}`;
    await announceToGuardian(tx, deps, guardian, {
      title: "Première carte refusée",
      body,
      path: atPlace(paths.family, "firstCard", id),
      at,
    });
    return { name };
  });
}

async function announceToGuardian(
  tx: Tx,
  deps: OperatorDeps,
  personId: number,
  news: { title: string; body: string; path?: string; at: Date },
) {
  const about = "family";
  await announce(tx, deps, {
    path: paths.family,
    ...news,
    to: [personId],
    about,
    changed: ["enrolments", "cards", "family"],
  });
}
