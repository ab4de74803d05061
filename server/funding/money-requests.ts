// A child's requests for money: asked, read, taken back, ended. Answers are in money-request-answers.ts. One is
// open at a time (`money_request_waiting`). Whether it can still be answered is read from its end, the child's
// card and its guardians at that moment; an hourly job writes it down.
import { type RawBuilder, sql } from "kysely";
import type { CardState } from "#contract/cards/rows.ts";
import { dayMs } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { firstName, formatMoney, untilDay } from "#contract/french.ts";
import { moneyRequest as limits } from "#contract/funding/limits.ts";
import type {
  MoneyRequest,
  moneyRequests,
  MoneyRequestState,
} from "#contract/funding/money-requests.ts";
import { isPlainText } from "#contract/funding/names.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { atPlace } from "#contract/places.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { sqlAtPlace, sqlLink } from "#server/db/link.ts";
import { query } from "#server/db/query.ts";
import {
  actsForSql,
  guardiansOf,
  guardiansOfEach,
  holderFor,
  mayActFor,
} from "#server/family/family.ts";
import type { AuditedCall } from "#server/http/caller.ts";
import { auditAct } from "#server/identity/identity.ts";
import { announce, publishChange } from "#server/notifications/notifications.ts";
import type { HolderHome } from "#server/portal/portal.ts";
import type { Deps } from "#server/process/deps.ts";
import { mainWalletsOf, requireUsableCard } from "#server/wallet/wallet.ts";

/** A request `r` with its child's present card, its state at a moment, and who answered it. */
export interface RequestRow extends Omit<MoneyRequest, "createdAt" | "expiresAt" | "endedAt"> {
  personId: number;
  name: string;
  cardnumber: number;
  cardState: CardState;
  createdAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  answeredById: number | null;
  transferId: string | null;
}

/** SQL: the state of a request `r` at a moment, `card` being its child's present card. */
const stateAt = (at: Date): RawBuilder<MoneyRequestState> => sql<MoneyRequestState>`case
  when r.state <> 'open' then r.state
  when r.expires_at <= ${at} then 'expired'
  when card.state not in ('active', 'suspended', 'damaged') or not exists (
    select from current_ties() t where t.member_id = r.person_id and t.role = 'child') then 'ended'
  else 'open' end`;

/** SQL: requests with the columns of `RequestRow`; a condition, an order or a lock of `r` follows. */
export const requestRows = (at: Date): RawBuilder<RequestRow> => sql<RequestRow>`
  select r.id, r.person_id, p.name, card.number as cardnumber, card.state as card_state, r.amount_cents,
    r.words, ${stateAt(at)} as state, r.created_at, r.expires_at, r.ended_at,
    (select a.name from person a where a.id = r.answered_by) as answered_by,
    r.answered_by as answered_by_id, r.answer_words, r.sent_cents, r.transfer_id
  from money_request r join person p on p.id = r.person_id
  cross join lateral current_card(r.person_id) card`;

const toRequestView = (row: RequestRow): MoneyRequest => ({
  id: row.id,
  amountCents: row.amountCents,
  words: row.words,
  state: row.state,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  answeredBy: row.answeredBy,
  answerWords: row.answerWords,
  sentCents: row.sentCents,
});

const shownRequests = 10;

/**
 * The last requests of a child to itself; to its guardian the open one alone, since what was answered is
 * between the child and who answered. Any other card is `not_found`.
 */
export async function requestsOf(
  { db, now }: Deps,
  me: number,
  cardnumber: number,
): Promise<Output<typeof moneyRequests.list>> {
  const { id: child } = await holderFor(db, me, cardnumber);
  const at = now();
  const { rows } = await sql<RequestRow>`select * from (${requestRows(at)}
      where r.person_id = ${child}) request
    where ${child === me} or state = 'open'
    order by created_at desc, id limit ${shownRequests}`.execute(db);
  const { rows: guardians } = await sql<{ name: string }>`
    select p.name from current_ties() t join person p on p.id = t.guardian_id
    where t.member_id = ${child} and t.role = 'child' order by t.since, t.guardian_id`.execute(db);
  return { items: rows.map(toRequestView), guardians: guardians.map(({ name }) => name) };
}

/** The words of a request or a refusal, null for none. Refuses `money_request_words` for more than words. */
export function requestWords(typed: string | undefined): string | null {
  const words = typed?.replaceAll(/\s+/g, " ").trim() ?? "";
  if (!isPlainText(words)) throw new Problem("money_request_words");
  return words === "" ? null : words;
}

/** Where a guardian answers: on the page of the child, at the request. */
const answerPath = (cardnumber: number, id: string): string =>
  atPlace(linkTo(paths.familyMember, { cardnumber }), "moneyRequest", id);

/** « : « Pour le cinéma ». », or the end of the sentence. */
export const quoted = (words: string | null): string =>
  words === null ? "." : `\u00a0: «\u00a0${words}\u00a0».`;

/**
 * Asks all guardians of the caller. Refuses `money_request_adult` without a guardian, and while the wallet
 * could not receive the money: `wallet_cap`, `wallet_frozen`, and by the state of the card.
 */
export async function askForMoney(
  call: AuditedCall<{ amountCents: number; words?: string | undefined }>,
): Promise<MoneyRequest> {
  const { deps, caller, input } = call;
  const { personId: me, name } = caller;
  const { amountCents } = input;
  const words = requestWords(input.words);
  const { minCents: min, maxCents: max } = limits;
  if (amountCents < min || amountCents > max) {
    throw new Problem("money_request_amount", { min: formatMoney(min), max: formatMoney(max) });
  }
  if ((await guardiansOf(deps.db, me)).length === 0) throw new Problem("money_request_adult");
  await requireMayReceive(deps, me, amountCents);
  const at = deps.now();
  const expiresAt = new Date(at.getTime() + limits.days * dayMs);
  return await inTx(deps.db, async (tx) => {
    await writeEnds(tx, at, sql`r.person_id = ${me}`);
    const { id } = await query(tx).one(sql<{ id: string }>`
      insert into money_request (person_id, amount_cents, words, created_at, expires_at)
      values (${me}, ${amountCents}, ${words}, ${at}, ${expiresAt}) returning id`);
    const row = await query(tx).one(sql<RequestRow>`${requestRows(at)} where r.id = ${id}`);
    const path = answerPath(row.cardnumber, id);
    await auditAct(tx, call, "funding.request", { details: { amountCents }, at });
    await announce(tx, deps, {
      about: "money_request",
      to: await guardiansOf(tx, me),
      title: `${firstName(name)} demande ${formatMoney(amountCents)}`,
      body: `${name} vous demande ${formatMoney(amountCents)}${quoted(words)} Vous pouvez répondre ${untilDay(expiresAt, at)}.`,
      path,
      at,
      changed: ["money_requests"],
      channels: "outside",
      message: { action: { label: "Répondre", path } },
    });
    return toRequestView(row);
  });
}

async function requireMayReceive(deps: Deps, me: number, amountCents: number): Promise<void> {
  const { state } = await query(deps.db).one(sql<{ state: CardState }>`
    select state from current_card(${me})`);
  requireUsableCard(state);
  const wallet = (await mainWalletsOf(deps, [me])).get(me);
  if (!wallet) throw new Problem("not_found");
  if (wallet.frozen) throw new Problem("wallet_frozen");
  const { capCents, roomCents } = wallet;
  if (amountCents > roomCents) {
    const [cap, room] = [formatMoney(capCents), formatMoney(roomCents)];
    throw new Problem("wallet_cap", { cap, room, roomCents });
  }
}

const endedProblems = {
  sent: "money_request_answered",
  refused: "money_request_answered",
  withdrawn: "money_request_withdrawn",
  expired: "money_request_expired",
  ended: "money_request_ended",
} as const;

/** Throws the problem of a request that nobody can answer any more. */
export function requireOpen({ state }: Pick<RequestRow, "state">): void {
  if (state !== "open") throw new Problem(endedProblems[state]);
}

/** Takes back one's own open request; again changes nothing. Another's is `not_found`. */
export async function withdrawRequest(call: AuditedCall<{ id: string }>): Promise<MoneyRequest> {
  const { deps, caller, input } = call;
  const at = deps.now();
  return await inTx(deps.db, async (tx) => {
    const condition = sql`where r.id = ${input.id} and r.person_id = ${caller.personId}`;
    const row = await query(tx).maybeOne(sql<RequestRow>`${requestRows(at)} ${condition}
      for no key update of r`);
    if (!row) throw new Problem("not_found");
    if (row.state === "withdrawn") return toRequestView(row);
    requireOpen(row);
    await sql`update money_request set state = 'withdrawn', ended_at = ${at}
      where id = ${row.id}`.execute(tx);
    await auditAct(tx, call, "funding.request_withdraw", { at });
    await publishChange(tx, await guardiansOf(tx, row.personId), "money_requests");
    return toRequestView({ ...row, state: "withdrawn", endedAt: at });
  });
}

const answerLink = sqlAtPlace(
  sqlLink(paths.familyMember, { cardnumber: sql.ref("card.number") }),
  "moneyRequest",
  sql.ref("r.id"),
);

/**
 * SQL: the open requests of the caller's children whose card can receive now. `what` is the cents, then the
 * words (`readRequestToDo`).
 */
export const moneyRequestToDos = ({ me, at }: HolderHome): RawBuilder<unknown> => sql`
  select 'money_request' as kind, r.id::text as id, r.person_id, null as "from",
    concat_ws(' ', r.amount_cents, r.words) as what, r.expires_at as until, ${answerLink} as path
  from money_request r cross join lateral current_card(r.person_id) card
  where r.state = 'open' and r.expires_at > ${at} and card.state in ('active', 'damaged')
    and r.person_id <> ${me} and r.person_id in (${actsForSql(me)})`;

interface Ended {
  personId: number;
  amountCents: number;
  state: MoneyRequestState;
}

/** Writes the state of open requests that nobody can answer any more; `which` is a condition on `r`. */
async function writeEnds(tx: Tx, at: Date, which: RawBuilder<unknown>): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    with over as (
      select r.id, ${stateAt(at)} as state from money_request r
      cross join lateral current_card(r.person_id) card
      where r.state = 'open' and ${which} for no key update of r)
    update money_request m set state = over.state, ended_at = ${at} from over
    where m.id = over.id and m.state = 'open' and over.state <> 'open'
    returning m.person_id, m.amount_cents, m.state`.execute(tx);
  return rows;
}

/** Hourly: ends the requests that nobody can answer any more, and tells the children whose waited in vain. */
export async function endRequests({ db, now, ...deps }: Deps): Promise<void> {
  const at = now();
  await inTx(db, async (tx) => {
    const ended = await writeEnds(tx, at, sql`true`);
    const guardians = await guardiansOfEach(
      tx,
      ended.map(({ personId }) => personId),
    );
    for (const { personId, amountCents, state } of ended) {
      await publishChange(tx, [personId, ...(guardians.get(personId) ?? [])], "money_requests");
      if (state !== "expired") continue;
      await announce(tx, deps, {
        about: "money_request",
        to: [personId],
        title: "Demande sans réponse",
        body: `Personne n’a répondu à votre demande de ${formatMoney(amountCents)}. Vous pouvez en faire une autre.`,
        path: paths.moneyRequest,
        at,
        changed: ["money_requests"],
      });
    }
  });
}

/** `onOpposed` and `onHolderLeft`: the open request of the person ends. */
export async function endRequestOf(
  tx: Tx,
  _deps: unknown,
  { personId, at }: { personId: number; at: Date },
): Promise<void> {
  const { rows } = await sql`update money_request set state = 'ended', ended_at = ${at}
    where person_id = ${personId} and state = 'open' returning id`.execute(tx);
  if (rows.length === 0) return;
  await publishChange(tx, [personId, ...(await guardiansOf(tx, personId))], "money_requests");
}

/** A request of a child that the caller acts for, `not_found` for any other; `lock` keeps it. */
export async function receivedRequest(
  db: Db,
  me: number,
  { id, at, lock = false }: { id: string; at: Date; lock?: boolean },
): Promise<RequestRow> {
  const row = await query(db).maybeOne(sql<RequestRow>`${requestRows(at)}
    where r.id = ${id} and r.person_id <> ${me} and ${mayActFor(me, sql.ref("r.person_id"))}
    ${lock ? sql`for no key update of r` : sql``}`);
  if (!row) throw new Problem("not_found");
  return row;
}
