// What the demo's family finds in the bell: the news of the last days, the reminder of a meal to order, the request of
// a child that waits for an answer.
import { sql } from "kysely";
import { addDays, dayMs, instantOfParis, parisDay, startOfWeek } from "#contract/days.ts";
import {
  firstName,
  formatDayInWords,
  formatMoney,
  formatTime,
  untilDay,
} from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { atPlace } from "#contract/places.ts";
import type { Tx } from "../db/db.ts";
import { query } from "../db/query.ts";
import { guardiansOf } from "../family/family.ts";
import { audit } from "../identity/identity.ts";
import { type Notice, notifyAll } from "../notifications/notifications.ts";
import { cast, type CastName } from "./cast.ts";
import { nextMealToOrder } from "./missing-meal.ts";

type People = Readonly<Record<CastName, number>>;

const hourMs = 3_600_000;

/** Writes the last days' notices and activity log. */
export async function tellRecent(tx: Tx, people: People, now: Date): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  await audit(tx, {
    personId: people.guardian,
    action: "session.open",
    actor: "person",
    address: "192.0.2.14",
    at: ago(6),
  });
  const notices: Notice[] = [
    {
      personId: people.guardian,
      kind: "welcome",
      title: "Bienvenue sur Ma carte",
      body: "Votre solde, vos recharges et les cartes de vos enfants sont réunis ici.",
      path: paths.dashboard,
      at: ago(6),
    },
    {
      personId: people.guardian,
      kind: "grant",
      title: "Aide culture reçue",
      body: "La Ville vous a versé 30,00 € sur votre cagnotte culture.",
      path: paths.wallets,
      at: ago(2),
    },
    ...(await remindOfMeal(tx, people, now)),
    ...(await requestsOf(tx, people.child)),
  ];
  await notifyAll(
    tx,
    notices.toSorted((one, other) => one.at.getTime() - other.at.getTime()),
  );
  await sql`update notification set read_at = ${ago(5)} where kind = 'welcome'`.execute(tx);
}

/** The reminder of the meal that is not ordered, recorded so that the evening's job does not send it again. */
async function remindOfMeal(tx: Tx, people: People, now: Date): Promise<Notice[]> {
  const meal = nextMealToOrder(now);
  if (!meal) return [];
  const { day, until } = meal;
  const evening = instantOfParis(addDays(parisDay(until), -1), "18:30");
  const at = evening < now ? evening : new Date(now.getTime() - hourMs);
  const page = await query(tx).one(sql<{ registration: string; name: string; idgroup: number }>`
    select r.id as registration, g.slug as name, g.id as idgroup
    from canteen_registration r join canteen c on c.id = r.canteen_id
    join canteen_provider v on v.id = c.provider_id join acceptance_group g on g.id = v.group_id
    where r.person_id = ${people.secondChild}`);
  const { registration, name, idgroup } = page;
  await sql`insert into meal_notice (person_id, about, notified_at)
    values (${people.guardian}, ${`deadline ${registration} ${parisDay(until)}`}, ${at})`.execute(
    tx,
  );
  const [weekday = ""] = formatDayInWords(until).split(" ");
  const who = `${firstName(cast.secondChild.name)} (${formatDayInWords(day)})`;
  return [
    {
      personId: people.guardian,
      kind: "meal_reminder",
      title: `Cantine\u202f: repas à commander avant ${weekday} ${formatTime(until)}`,
      body: `Pas encore de commande pour ${who}. Commandez ${untilDay(until, at)} ${formatTime(until)} (${formatDayInWords(until)}). Vos repas habituels sont cochés dans la semaine qui s’ouvre.`,
      path: linkTo(
        paths.canteenProvider,
        { name, idgroup },
        { week: startOfWeek(day), usual: "1" },
      ),
      at,
    },
  ];
}

/** The open request of a child, to each of its guardians. */
async function requestsOf(tx: Tx, child: number): Promise<Notice[]> {
  const { id, words, amountCents, createdAt, expiresAt } = await query(tx).one(sql<{
    id: string;
    words: string;
    amountCents: number;
    createdAt: Date;
    expiresAt: Date;
  }>`select id, coalesce(words, '') as words, amount_cents, created_at, expires_at from money_request
    where person_id = ${child}`);
  const { name, cardnumber } = cast.child;
  const path = atPlace(linkTo(paths.familyMember, { cardnumber }), "moneyRequest", id);
  const amount = formatMoney(amountCents);
  const guardians = await guardiansOf(tx, child);
  return guardians.map((personId): Notice => ({
    personId,
    kind: "money_request",
    title: `${firstName(name)} demande ${amount}`,
    body: `${name} vous demande ${amount}\u00a0: «\u00a0${words}\u00a0». Vous pouvez répondre ${untilDay(expiresAt, createdAt)}.`,
    path,
    at: createdAt,
  }));
}
