// The home page of a person: the to-dos of all rooms combined in one answer. A card that is not the caller's
// or their child's is not found.
import { type RawBuilder, sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { subscriptionPath } from "#contract/subscriptions/rows.ts";
import type { home, HomeChild, HomeComing, ToDoView } from "#contract/portal/home.ts";
import { type Db, prepared } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { isAnyRegistered, mealToDos } from "#server/canteen/canteen.ts";
import { commutingToDos } from "#server/commuting/commuting.ts";
import { contactToDos } from "#server/contact/contact.ts";
import { firstCardToDos } from "#server/cards/cards.ts";
import { proofToDos } from "#server/entitlements/entitlements.ts";
import { type ChildOfHolder, familyToDos, holderWithChildren } from "#server/family/family.ts";
import { membershipToDos } from "#server/memberships/memberships.ts";
import { passOrderToDos, passesToCome } from "#server/passes/passes.ts";
import { closingToDos } from "#server/privacy/privacy.ts";
import { subscriptionToDos } from "#server/subscriptions/subscriptions.ts";
import { tillToDos } from "#server/till/till.ts";
import { ticketsToCome, ticketToDos } from "#server/tickets/tickets.ts";
import { mainWalletsOf } from "#server/wallet/wallet.ts";

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
  const people = [holder.id, ...ids];
  const [toDos, coming, wallets, canteen] = await Promise.all([
    toDosOf(db, { me, holder: holder.id, people, at }),
    comingFor(db, people, at),
    mainWalletsOf(deps, ids),
    isAnyRegistered(db, people),
  ]);
  return {
    toDos,
    coming,
    canteen,
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

interface ToDoRow extends Omit<ToDoView, "until" | "path"> {
  until: Date | null;
  path: string | null;
}

/** The page of a to-do that comes without a path of its own. */
const screens: Readonly<Partial<Record<ToDoView["kind"], (one: ToDoRow) => string>>> = {
  till: () => "/cagnottes/demandes",
  cart: () => "/services/E-Billet?panier=",
  ticket_offered: ({ id }) => `/services/E-Billet?offre=${id}`,
  ticket_received: () => "/services/E-Billet?onglet=billets",
  custody: ({ cardnumber }) => `/family/${cardnumber}?onglet=garde`,
  proof_refused: () => "/family/droits",
  proof_ending: () => "/family/droits",
  answer: ({ id }) => `/contact?fil=${id}`,
  membership: ({ id }) => `/${id}`,
  pass_order: ({ id }) => `/Abonnement/ligne/purchase/abonnement?commande=${id}`,
  subscription: ({ cardnumber }) => `${subscriptionPath}?carte=${cardnumber}`,
};

const pathOf = (one: ToDoRow): string => one.path ?? screens[one.kind]?.(one) ?? "/family";

/** One statement for all rooms; each gives kind, id, person_id, from, what and until, some a path. */
async function toDosOf(
  db: Db,
  { me, holder, people, at }: { me: number; holder: number; people: readonly number[]; at: Date },
): Promise<ToDoView[]> {
  const lists: RawBuilder<unknown>[] = [
    tillToDos(me, at),
    familyToDos(me, at),
    ticketToDos(me, at),
    passOrderToDos(me),
    subscriptionToDos(me),
    membershipToDos(me),
    proofToDos(me, at),
    contactToDos(me),
    firstCardToDos(me),
  ];
  const withPath = [mealToDos(me, at), commutingToDos(me, at), closingToDos(me, holder)];
  const { rows } = await sql<ToDoRow>`${prepared("home-to-dos")}
    select todo.kind, todo.id, card.number as cardnumber, p.name, p.id = ${me} as own,
      todo."from", todo.what, todo.until, todo.path
    from (${sql.join([...withPath, ...lists.map(withoutPath)], sql` union all `)}) todo
    join person p on p.id = todo.person_id cross join lateral current_card(p.id) card
    where p.id = any(${people}::bigint[])
    order by todo.until nulls last, todo.kind, todo.id limit ${maxToDos}`.execute(db);
  return rows.map((row) => ({
    ...row,
    until: row.until?.toISOString() ?? null,
    path: pathOf(row),
  }));
}

const withoutPath = (list: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select list.*, null::text from (${list}) list`;

interface ComingRow extends Omit<HomeComing, "from" | "until"> {
  from: Date;
  until: Date;
}

async function comingFor(db: Db, people: readonly number[], at: Date): Promise<HomeComing[]> {
  const { rows } = await sql<ComingRow>`${prepared("home-coming")}
    select * from (${ticketsToCome(people, at)} union all ${passesToCome(people, at)}) coming
    order by kind desc, "from", id limit ${maxUpcoming}`.execute(db);
  return rows.map(({ from, until, ...row }) => ({
    ...row,
    from: from.toISOString(),
    until: until.toISOString(),
  }));
}
