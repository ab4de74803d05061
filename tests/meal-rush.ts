// Many holders who order a meal of the same service at the same moment.
import type { DatabaseError } from "pg";
import { Problem } from "#contract/errors.ts";
import { addDays, instantOfParis, parisDay } from "#contract/days.ts";
import { isWorkingDay } from "#contract/working-days.ts";
import { chooseMeals } from "#server/meals/requests.ts";
import { mealSale } from "#server/meals/sale.ts";
import { pay } from "#server/checkout/checkout.ts";
import { inTx } from "#server/db/db.ts";
import { post } from "#server/ledger/ledger.ts";
import type { Deps } from "#server/process/deps.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import { makeCanteen, type MadeCanteen } from "./canteens.ts";

export const rushPriceCents = 345;

interface RushHolder {
  personId: number;
  registration: string;
  wallet: string;
}

/** A service with a crowd before it, each with ten euros, one minute before its orders close. */
export interface Rush {
  canteen: MadeCanteen;
  /** The day of the service (ISO date). */
  day: string;
  /** One minute before the deadline. */
  now: Date;
  holders: RushHolder[];
}

/** Makes a canteen of so many seats and a crowd registered there, written by set. */
export async function prepareRush(
  deps: Deps,
  { people, seats }: { people: number; seats: number },
): Promise<Rush> {
  const canteen = await makeCanteen({ deps }, { kind: "staff", seats });
  let day = addDays(parisDay(deps.now()), 2);
  while (!isWorkingDay(day)) day = addDays(day, 1);
  const now = new Date(instantOfParis(addDays(day, -1), "10:00").getTime() - 60_000);
  const { rows } = await deps.pool.query<RushHolder & { accountId: number }>(
    `with person_ as (
       insert into person (type, name, password_hash)
       select 1, 'Foule ' || n, 'x' from generate_series(1, $1::int) n returning id
     ), numbered as (select id, row_number() over (order by id) as n from person_
     ), card_ as (
       insert into card (number, person_id, state)
       select 1900000000 + id, id, 'active' from numbered
     ), account as (
       insert into ledger_account (kind, asset, floor)
       select 'wallet', 'EUR', 0 from generate_series(1, $1::int) returning id
     ), accounts as (select id, row_number() over (order by id) as n from account
     ), wallet_ as (
       insert into wallet (person_id, group_id, name, slug)
       select p.id, g.id, g.name, g.slug from numbered p, acceptance_group g where g.id = $2
       returning id, person_id, object_id
     ), lot as (
       insert into wallet_lot (account_id, wallet_id, kind, label)
       select a.id, w.id, 'purchased', 'Argent rechargé'
       from wallet_ w join numbered p on p.id = w.person_id join accounts a on a.n = p.n
       returning account_id, wallet_id
     ), registration as (
       insert into canteen_registration (canteen_id, person_id, audience, diet, state, requested_by,
         requested_at, answered_at)
       select $3, id, 'pupil', 'standard', 'accepted', id, now(), now() from numbered
       returning id, person_id
     )
     select w.person_id as "personId", r.id as registration, w.object_id as wallet,
       l.account_id as "accountId"
     from wallet_ w join lot l on l.wallet_id = w.id join registration r on r.person_id = w.person_id
     order by random()`,
    [people, canteen.groupId, canteen.id],
  );
  await inTx(deps.db, async (tx) => {
    const sandbox = await schemeAccount(tx, "payments:sandbox");
    await post(
      tx,
      rows.map(({ accountId }) => ({
        key: `rush:${accountId}`,
        debitAccount: sandbox,
        creditAccount: accountId,
        amountCents: 1000,
        kind: "top_up",
      })),
    );
  });
  return { canteen, day, now, holders: rows };
}

/** A holder chooses the meal and pays it at once; false when the service has no seat left. */
export async function orderOnce(
  deps: Deps,
  { canteen, day, now }: Rush,
  { personId, registration, wallet }: RushHolder,
): Promise<boolean> {
  const at = { ...deps, now: () => now };
  const caller = { deps: at, caller: { personId } as never, origin: { address: null } as never };
  try {
    const input = { idgroup: canteen.groupId, meals: [{ registration, day }], chosen: true };
    const { request } = await chooseMeals({ ...caller, input });
    const { id: orderId = "", revision = 0 } = request ?? {};
    const seen = { orderId, revision, objectID: wallet, totalCents: rushPriceCents };
    await pay(at, mealSale, { ...caller, ...seen, method: "wallet", siteOrigin: "" });
    return true;
  } catch (problem) {
    // The last seat is held by a constraint, whose name is the refusal's code.
    const code = problem instanceof Problem ? problem.code : (problem as DatabaseError).constraint;
    if (code === "meals_full") return false;
    throw problem;
  }
}

/** The state of the database after a rush: each count by its own table. */
export async function countRush({ pool }: Pick<Deps, "pool">, { canteen, day }: Rush) {
  const { rows } = await pool.query<{
    orders: number;
    taken: number;
    holds: number;
    heldCents: number;
    unheld: number;
  }>(
    `select (select count(*)::int from meal_order where canteen_id = $1 and on_day = $2
         and state = 'reserved') as orders,
       (select taken from canteen_day where canteen_id = $1 and on_day = $2) as taken,
       (select count(*)::int from hold where state = 'pending' and kind = 'meal') as holds,
       (select coalesce(sum(held), 0)::int from ledger_account) as "heldCents",
       (select count(*)::int from meal_order o where canteen_id = $1 and on_day = $2
         and (select count(*) from hold h where h.id = any (o.hold_ids) and h.state = 'pending'
           and h.amount = o.price_cents) <> 1) as unheld`,
    [canteen.id, day],
  );
  return rows[0] as (typeof rows)[number];
}
