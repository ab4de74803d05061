// Reads of wallets: one query gives a wallet with its lots, its holds and its recent spending.
import { sql, type RawBuilder } from "kysely";
import type { CardState } from "#contract/cards/rows.ts";
import { dayMs, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { createBatcherPerOwner } from "#server/db/batch.ts";
import { prepared, type Db, opaqueParameter } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { centsLeft, type LimitsLeft, limitsLeftSql, mayActFor } from "#server/family/family.ts";
import { dailyPace, emptyOn, paceWeeks, type Booked } from "./projection.ts";

const weekMs = 7 * dayMs;

export interface LotState {
  accountId: number;
  kind: "purchased" | "granted";
  label: string;
  expiresOn: string | null;
  balanceCents: number;
  heldCents: number;
}

export interface WalletState {
  id: number;
  objectID: string;
  personId: number;
  ownerName: string;
  groupId: number;
  name: string;
  slug: string;
  rule: string;
  frozen: boolean;
  /** The card in use of the owner, else the latest. */
  cardnumber: number;
  cardState: CardState;
  lots: LotState[];
  booked: Booked[];
  /** The spending of each recent week that had any. */
  weeksCents: number[];
  /** The rest of the limits that a guardian set for its holder. */
  limits: LimitsLeft | null;
}

/**
 * Wallets `w` that match a condition, the main one first. `name`: of a condition whose text never changes, so
 * that PostgreSQL plans its many joins once.
 */
export const walletsWhere = (
  db: Db,
  condition: RawBuilder<unknown>,
  now: Date,
  name?: string,
): Promise<WalletState[]> =>
  readWallets<WalletState>(db, { from: sql`wallet w`, condition, now }, name);

interface WalletQuery {
  /** The source of the wallets `w`, and other columns read beside them. */
  from: RawBuilder<unknown>;
  also?: RawBuilder<unknown>;
  condition: RawBuilder<unknown>;
  now: Date;
}

async function readWallets<Row extends WalletState>(
  db: Db,
  { from, also = sql``, condition, now }: WalletQuery,
  name?: string,
): Promise<Row[]> {
  const since = opaqueParameter(new Date(now.getTime() - paceWeeks * weekMs), "timestamptz");
  const { rows } = await sql<Row>`${name ? prepared(name) : sql``}
    select ${also} w.id, w.object_id as "objectID", w.person_id, p.name as owner_name,
      w.group_id, w.name, w.slug, g.rule, w.frozen_at is not null as frozen,
      c.number as cardnumber, c.state as card_state, l.lots, b.booked, s.weeks as weeks_cents,
      ${limitsLeftSql(sql.ref("w.person_id"), now)} as limits
    from ${from}
    cross join lateral (select name from person where id = w.person_id offset 0) p
    cross join lateral (select rule from acceptance_group where id = w.group_id offset 0) g
    cross join lateral current_card(w.person_id) c
    cross join lateral (
      select array_agg(lot.account_id) as ids, json_agg(json_build_object(
        'accountId', lot.account_id, 'kind', lot.kind, 'label', lot.label,
        'expiresOn', lot.expires_on, 'balanceCents', a.balance, 'heldCents', a.held)
        order by lot.kind, lot.expires_on nulls last, lot.account_id) as lots
      from wallet_lot lot join ledger_account a on a.id = lot.account_id
      where lot.wallet_id = w.id) l
    cross join lateral (
      select coalesce(json_agg(json_build_object('cents', amount,
        'on', coalesce(memo ->> 'on', paris_day(expires_at)::text))),
        '[]') as booked
      from hold where debit_account = any (l.ids) and state = 'pending') b
    cross join lateral (
      select coalesce(json_agg(week.cents), '[]') as weeks from (
        select sum(t.amount) as cents from unnest(l.ids) account cross join lateral (
          select amount, at from transfer where debit_account = account and at > ${since}
            and kind in ('purchase', 'meal') offset 0) t
        group by floor(extract(epoch from ${opaqueParameter(now, "timestamptz")} - t.at) / 604800)) week) s
    where ${condition}
    order by w.group_id`.execute(db);
  return rows;
}

interface WalletsRequest {
  deps: Deps;
  personId: number;
  cardnumber: number;
}
const readWalletsBatched = createBatcherPerOwner<Db, WalletsRequest, Wallet[]>(() => ({
  one: async (request) => required((await walletsOfCards([request]))[0] as Wallet[]),
  many: async (all) => {
    const each = await walletsOfCards(all);
    return await Promise.allSettled(each.map(async (wallets) => required(wallets)));
  },
  minBatch: 1,
}));

/**
 * The wallets of a card of one's own or of one's child; `not_found` for any other. Those requested at one
 * moment are read together.
 */
export const walletsOf = (deps: Deps, personId: number, cardnumber: number): Promise<Wallet[]> =>
  readWalletsBatched(deps.db, { deps, personId, cardnumber });

function required(wallets: Wallet[]): Wallet[] {
  if (wallets.length === 0) throw new Problem("not_found");
  return wallets;
}

/** The wallets of each card in their order, none where the caller may not see them. */
async function walletsOfCards(all: readonly WalletsRequest[]): Promise<Wallet[][]> {
  const { deps } = all[0] as WalletsRequest;
  const now = deps.now();
  const rows = await readWallets<WalletState & { ord: number }>(
    deps.db,
    {
      also: sql`q.ord::int as ord,`,
      from: sql`unnest(
          ${opaqueParameter(
            all.map(({ personId }) => personId),
            "bigint[]",
          )},
          ${opaqueParameter(
            all.map(({ cardnumber }) => cardnumber),
            "bigint[]",
          )})
          with ordinality as q (reader_id, cardnumber, ord)
        cross join lateral (select person_id from card where number = q.cardnumber offset 0) requested
        cross join lateral (select * from wallet where person_id = requested.person_id offset 0) w`,
      condition: mayActFor(sql.ref("q.reader_id"), sql.ref("w.person_id")),
      now,
    },
    "wallets-of-cards",
  );
  const byPlace = Map.groupBy(rows, ({ ord }) => ord);
  return all.map((_, place) =>
    (byPlace.get(place + 1) ?? []).map((state) => toWalletView(state, deps, now)),
  );
}

/**
 * The main wallets of persons, without a check of the reader, by person: for rooms that check that
 * themselves.
 */
export async function mainWalletsOf(
  deps: Deps,
  personIds: readonly number[],
): Promise<Map<number, Wallet>> {
  if (personIds.length === 0) return new Map();
  const now = deps.now();
  const found = await walletsWhere(
    deps.db,
    sql`w.group_id = 1 and w.person_id = any(${opaqueParameter(personIds, "bigint[]")})`,
    now,
    "main-wallets",
  );
  return new Map(found.map((state) => [state.personId, toWalletView(state, deps, now)]));
}

/**
 * The amount that each person could spend on a purchase of an acceptance group, in cents: their main wallet
 * and the group's together, frozen ones left out. Without a check of the reader.
 */
export async function spendableIn(
  deps: Deps,
  personIds: readonly number[],
  groupId: number,
): Promise<Map<number, number>> {
  const now = deps.now();
  const found = await walletsWhere(
    deps.db,
    sql`w.group_id in (1, ${groupId}) and w.person_id = any(${[...personIds]}::bigint[])
      and w.frozen_at is null`,
    now,
  );
  const cents = new Map<number, number>();
  for (const state of found) {
    const { projectedCents } = toWalletView(state, deps, now);
    cents.set(state.personId, (cents.get(state.personId) ?? 0) + projectedCents);
  }
  return cents;
}

/** A wallet as the contract shows it. */
export function toWalletView(state: WalletState, { config }: Deps, now: Date): Wallet {
  const today = parisDay(now);
  const lots = state.lots.filter((lot) => lot.kind === "purchased" || lot.balanceCents > 0);
  const balanceCents = sum(lots.map((lot) => lot.balanceCents));
  const projectedCents = spendableCents(lots, today);
  return {
    objectID: state.objectID,
    name: state.name,
    slug: state.slug,
    idgroup: state.groupId,
    main: state.groupId === 1,
    cardnumber: state.cardnumber,
    balanceCents,
    heldCents: sum(lots.map((lot) => lot.heldCents)),
    projectedCents,
    sendableCents: Math.max(
      0,
      sum(
        lots
          .filter(({ kind }) => kind === "purchased")
          .map((lot) => lot.balanceCents - lot.heldCents),
      ),
    ),
    spendLimitCents: centsLeft(state.limits, state.groupId),
    sendLimitCents: centsLeft(state.limits, null),
    emptyOn: emptyOn({
      today,
      balanceCents,
      booked: state.booked,
      dailyCents: dailyPace(state.weeksCents),
    }),
    frozen: state.frozen,
    topUpMinCents: config.topUpMinCents,
    topUpMaxCents: config.topUpMaxCents,
    capCents: config.walletCapCents,
    roomCents: Math.max(0, config.walletCapCents - balanceCents),
    lots: lots.map((lot) => ({
      kind: lot.kind,
      label: lot.label,
      balanceCents: lot.balanceCents,
      expiresOn: lot.expiresOn,
    })),
    rule: state.rule,
  };
}

/** Spendable today: holds deducted, expired lots left out. */
export const spendableCents = (lots: readonly LotState[], today: string): number =>
  sum(
    lots
      .filter((lot) => lot.expiresOn === null || lot.expiresOn >= today)
      .map((lot) => lot.balanceCents - lot.heldCents),
  );

export const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + amount, 0);
