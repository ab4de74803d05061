// The home page of a person: the to-dos of all rooms combined in one answer. A card that is not the caller's
// or their child's is not found.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import type { home, HomeChild, HomeComing, ToDoView } from "#contract/portal/home.ts";
import { type Db, prepared } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { type ChildOfHolder, holderWithChildren } from "#server/family/family.ts";
import { isTourOffered } from "#server/identity/identity.ts";
import { mainWalletsOf } from "#server/wallet/wallet.ts";
import { familyDayOf } from "./family-day.ts";
import { type HolderHome, homeCanteen, homeComing, homeStops, homeToDos } from "./home-hooks.ts";

/** Maximum number of lines of each list. */
const maxToDos = 12;
const maxUpcoming = 6;

/**
 * The home page of the person who has `cardnumber`. One's own shows one's children too; a child's, for whom a
 * guardian acts, shows that child alone.
 */
export async function homeOf(
  deps: Deps,
  me: number,
  { cardnumber }: { cardnumber: number },
): Promise<Output<typeof home.read>> {
  const { db } = deps;
  const at = deps.now();
  const holder = await holderWithChildren(db, me, cardnumber);
  const children = holder.children.flatMap(shownChild);
  const ids = children.map(({ id }) => id);
  const holderHome = { me, holder: holder.id, people: [holder.id, ...ids], at };
  const [toDos, coming, wallets, canteens, day, stops, tour] = await Promise.all([
    toDosOf(db, holderHome),
    comingFor(db, holderHome),
    mainWalletsOf(deps, ids),
    Promise.all(homeCanteen.map((isAtCanteen) => isAtCanteen(db, holderHome))),
    familyDayOf(db, holderHome, { holder, children }),
    Promise.all(homeStops.map((stopOf) => stopOf(db, holderHome))),
    holder.id === me && isTourOffered(db, me),
  ]);
  return {
    toDos,
    coming,
    canteen: canteens.includes(true),
    day,
    tour,
    stop: stops.find(Boolean) ?? null,
    children: children.map(({ id, ...child }) => ({ ...child, wallet: walletIn(wallets, id) })),
  };
}

const walletIn = (
  wallets: Awaited<ReturnType<typeof mainWalletsOf>>,
  id: number,
): HomeChild["wallet"] => {
  const wallet = wallets.get(id);
  if (!wallet) return null;
  const { objectID, slug, idgroup, frozen, balanceCents, projectedCents } = wallet;
  return { objectID, slug, idgroup, frozen, balanceCents, projectedCents };
};

/** A child with an account and a card. */
const shownChild = ({ id, cardnumber, name, state, avatar, disabled }: ChildOfHolder) =>
  disabled || cardnumber === null || state === null
    ? []
    : [{ id, cardnumber, name, state, avatar }];

interface ToDoRow extends Omit<ToDoView, "until"> {
  until: Date | null;
}

async function toDosOf(db: Db, holderHome: HolderHome): Promise<ToDoView[]> {
  const { me, people } = holderHome;
  const lists = homeToDos.map((toDos) => toDos(holderHome));
  const { rows } = await sql<ToDoRow>`${prepared("home-to-dos")}
    select todo.kind, todo.id, card.number as cardnumber, p.name, p.id = ${me} as own,
      todo."from", todo.what, todo.until, todo.path
    from (${sql.join(lists, sql` union all `)}) todo
    join person p on p.id = todo.person_id cross join lateral current_card(p.id) card
    where p.id = any(${people}::bigint[])
    order by todo.until nulls last, todo.kind, todo.id limit ${maxToDos}`.execute(db);
  return rows.map((row) => ({ ...row, until: row.until?.toISOString() ?? null }));
}

interface ComingRow extends Omit<HomeComing, "from" | "until"> {
  from: Date;
  until: Date;
}

async function comingFor(db: Db, holderHome: HolderHome): Promise<HomeComing[]> {
  const lists = homeComing.map((coming) => coming(holderHome));
  const { rows } = await sql<ComingRow>`${prepared("home-coming")}
    select * from (${sql.join(lists, sql` union all `)}) coming
    order by kind desc, "from", id limit ${maxUpcoming}`.execute(db);
  return rows.map(({ from, until, ...row }) => ({
    ...row,
    from: from.toISOString(),
    until: until.toISOString(),
  }));
}
