// The spendable amount of a card, read with the caller's session in one query for all calls of one moment:
// the hottest read of the portal (spec §7, spec.md 11).
import type { FastifyRequest } from "fastify";
import type pg from "pg";
import type { CardState } from "#contract/cards/rows.ts";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { createBatcherPerOwner } from "#server/db/batch.ts";
import type { Deps } from "#server/process/deps.ts";
import type { ReadAlong, SessionState } from "#server/http/caller.ts";
import { sessionStateColumns } from "#server/identity/identity.ts";

interface CreditRow {
  state: CardState;
  atf: number;
  cents: number;
}
interface CreditRequest {
  deps: Deps;
  sessionId: string;
  cardnumber: number;
}
interface Found {
  session: SessionState;
  credit: CreditRow | null;
}

/** The query checks ownership: another person's card is as unknown as one that does not exist. */
const creditQuery = {
  name: "card-credits",
  text: `
    select q.ord::int as ord, ${sessionStateColumns}, k.state, k.atf, k.cents
    from unnest((select $1::uuid[]), (select $2::bigint[])) with ordinality as q (session_id, requested_number, ord)
    cross join lateral (select * from session where id = q.session_id offset 0) s
    cross join lateral (select * from person where id = s.person_id offset 0) p
    left join lateral (
      select owned.state, owned.atf, coalesce((
        select sum(a.balance - a.held)
        from wallet w
        join wallet_lot l on l.wallet_id = w.id
          and (l.expires_on is null or l.expires_on >= (select $3::date))
        join ledger_account a on a.id = l.account_id
        where w.person_id = owned.person_id and w.group_id = 1), 0)::bigint as cents
      from (select * from card where number = q.requested_number offset 0) owned
      where owned.person_id = s.person_id or exists (
        select from current_ties() t where t.guardian_id = s.person_id
          and t.member_id = owned.person_id and t.role = 'child' offset 0)) k on true`,
};

const readFound = createBatcherPerOwner<pg.Pool, CreditRequest, Found | undefined>((pool) => ({
  one: async (request) => (await foundAll(pool, [request]))[0],
  many: async (all) => (await foundAll(pool, all)).map((value) => ({ status: "fulfilled", value })),
  minBatch: 1,
}));

async function foundAll(
  pool: pg.Pool,
  all: readonly CreditRequest[],
): Promise<(Found | undefined)[]> {
  const today = parisDay((all[0] as CreditRequest).deps.now());
  const values = [all.map((one) => one.sessionId), all.map((one) => one.cardnumber), today];
  const { rows } = await pool.query<SessionState & CreditRow & { ord: number }>({
    ...creditQuery,
    values,
  });
  const found: (Found | undefined)[] = all.map(() => undefined);
  for (const row of rows) {
    const { state, atf, cents } = row;
    found[row.ord - 1] = { session: row, credit: state === null ? null : { state, atf, cents } };
  }
  return found;
}

/** The row read beside the session of a request, for the card in its body. */
const creditOfRequest = new WeakMap<FastifyRequest, CreditRow | null>();

/** Reads the session together with the credit of the card in the body, if it names one. */
export const readCreditAlong: ReadAlong = (deps, request) => {
  const cardnumber = (request.body as { cardnumber?: unknown } | null | undefined)?.cardnumber;
  if (typeof cardnumber !== "number" || !Number.isSafeInteger(cardnumber)) return undefined;
  return async (sessionId) => {
    const found = await readFound(deps.pool, { deps, sessionId, cardnumber });
    creditOfRequest.set(request, found?.credit ?? null);
    return found?.session;
  };
};

/**
 * Spendable balance of the main wallet of a card of one's own or of one's child, holds deducted: euros with
 * two decimals and integer cents. `not_found` for any other card. It was read with the session
 * (`readCreditAlong`); a body without a number has been refused before.
 */
export function creditOf(
  request: FastifyRequest,
  cardnumber: number,
): {
  cardnumber: number;
  credit: number;
  creditCents: number;
  state: CardState;
  atf: number;
} {
  const row = creditOfRequest.get(request);
  if (!row) throw new Problem("not_found");
  return {
    cardnumber,
    credit: row.cents / 100,
    creditCents: row.cents,
    state: row.state,
    atf: row.atf,
  };
}
