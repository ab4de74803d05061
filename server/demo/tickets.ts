// Events around the family: a dozen sessions in the coming weeks, tickets bought, one event sold out with its
// waiting list, one nearly. Always relative to today.
import { sql } from "kysely";
import { query } from "#server/db/query.ts";
import { dayMs, instantOfParis, parisDay } from "#contract/days.ts";
import type { Tx } from "../db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { buyTickets, createEvent, type EventDescription } from "../tickets/tickets.ts";
import { cast, type CastName } from "./cast.ts";

const policies = {
  gentle: {
    text: "Remboursé en entier jusqu’à 48 h avant la séance, à moitié jusqu’à 24 h avant.",
    rules: [
      { hours: 48, percent: 100 },
      { hours: 24, percent: 50 },
    ],
  },
  always: {
    text: "Remboursé en entier jusqu’au début de la séance.",
    rules: [{ hours: 0, percent: 100 }],
  },
  never: { text: "Ni repris ni remboursé. Le billet peut être transféré.", rules: [] },
};

type Bare = Omit<EventDescription, "saleFrom" | "saleUntil" | "sessions"> & {
  /** Days from today, hour in Paris and length in minutes of each session, and its seats. */
  on: readonly (readonly [day: number, hour: number, minutes: number, seats: number])[];
  saleInDays?: number;
};

const shop = cast.partnerShop.cardnumber;

const events: readonly Bare[] = [
  {
    title: "Les Ombres du port",
    summary: "Un quatuor à cordes et les images d’archives du port, projetées sur la halle.",
    kind: "concert",
    organiser: "Librairie des Embruns",
    partner: shop,
    venue: "Halle du Port",
    address: "2 quai des Brumes",
    maxPerPerson: 6,
    policy: policies.gentle,
    categories: [
      { name: "Plein tarif", priceCents: 1400 },
      { name: "Moins de 18 ans", priceCents: 600, ageMax: 17 },
      { name: "Étudiant", priceCents: 800, student: true },
    ],
    on: [
      [9, 20, 100, 180],
      [10, 20, 100, 180],
    ],
  },
  {
    title: "Atelier de reliure",
    summary: "Plier, coudre et couvrir son premier carnet avec un relieur. À partir de 8 ans.",
    kind: "workshop",
    organiser: "Librairie des Embruns",
    partner: shop,
    venue: "Librairie des Embruns",
    address: "14 rue du Phare",
    maxPerPerson: 3,
    policy: policies.gentle,
    categories: [{ name: "Place", priceCents: 500 }],
    on: [[6, 14, 150, 5]],
  },
  {
    title: "Le Cap des vents",
    summary: "Avant-première, en présence de la réalisatrice.",
    kind: "cinema",
    organiser: "Cinéma Le Sémaphore",
    venue: "Le Sémaphore, salle 1",
    address: "3 place du Marché",
    maxPerPerson: 6,
    policy: policies.always,
    categories: [
      { name: "Plein tarif", priceCents: 850 },
      { name: "Moins de 14 ans", priceCents: 450, ageMax: 13 },
    ],
    on: [
      [3, 18, 120, 120],
      [3, 21, 120, 120],
      [4, 16, 120, 120],
    ],
  },
  {
    title: "Marées, l’exposition",
    summary: "Trois siècles de cartes marines, et la salle des machines à prédire les marées.",
    kind: "museum",
    organiser: "Musée de la Rade",
    venue: "Musée de la Rade",
    address: "1 rue de l’Arsenal",
    maxPerPerson: 8,
    policy: policies.always,
    categories: [
      { name: "Adulte", priceCents: 700 },
      { name: "Moins de 18 ans", priceCents: 0, ageMax: 17 },
      { name: "Tarif solidaire", priceCents: 200, quotientMax: 900 },
    ],
    on: [
      [2, 10, 120, 60],
      [2, 14, 120, 60],
      [5, 14, 120, 60],
      [12, 14, 120, 60],
    ],
  },
  {
    title: "Handball, quart de finale",
    summary: "Les Goélands reçoivent Port-Vendray. Ouverture des portes une heure avant.",
    kind: "sport",
    organiser: "Club des Goélands",
    venue: "Palais des sports",
    address: "Avenue du Stade",
    maxPerPerson: 8,
    policy: policies.never,
    categories: [
      { name: "Tribune", priceCents: 900 },
      { name: "Moins de 16 ans", priceCents: 300, ageMax: 15 },
    ],
    on: [[13, 19, 120, 900]],
  },
  {
    title: "Nuit de la piscine",
    summary: "Bassins ouverts jusqu’à minuit, musique sous l’eau et parcours flottant.",
    kind: "pool",
    organiser: "Piscine des Salines",
    venue: "Piscine des Salines",
    address: "Rue des Salines",
    maxPerPerson: 5,
    policy: policies.gentle,
    categories: [
      { name: "Nageur", priceCents: 400 },
      { name: "Moins de 12 ans", priceCents: 200, ageMax: 11 },
    ],
    on: [[7, 20, 240, 8]],
  },
  {
    title: "Cyrano, au bord de l’eau",
    summary: "La troupe du Large joue Rostand en plein air. Prévoir un vêtement chaud.",
    kind: "theatre",
    organiser: "Théâtre du Large",
    venue: "Théâtre de verdure",
    address: "Parc des Dunes",
    maxPerPerson: 6,
    policy: policies.gentle,
    categories: [
      { name: "Plein tarif", priceCents: 1800 },
      { name: "Étudiant", priceCents: 900, student: true },
      { name: "Moins de 18 ans", priceCents: 700, ageMax: 17 },
    ],
    on: [
      [16, 20, 150, 240],
      [17, 20, 150, 240],
      [18, 17, 150, 240],
    ],
  },
  {
    title: "Festival des Lanternes",
    summary: "Trois soirs de fanfares et de lanternes sur la digue.",
    kind: "festival",
    organiser: "Ville de Rocquevel",
    venue: "La Digue",
    address: "Promenade de la Digue",
    maxPerPerson: 10,
    policy: policies.gentle,
    categories: [
      { name: "Une soirée", priceCents: 600 },
      { name: "Moins de 12 ans", priceCents: 0, ageMax: 11 },
    ],
    saleInDays: 4,
    on: [
      [32, 18, 240, 1500],
      [33, 18, 240, 1500],
      [34, 18, 240, 1500],
    ],
  },
];

interface BuyerWallet {
  person: CastName;
  walletId: number;
}

/** Puts the events on sale and buys the tickets of the family and its neighbours. */
export async function buyDemoTickets(
  tx: Tx,
  deps: Deps,
  people: Record<CastName, number>,
  { now, walletOf }: { now: Date; walletOf: (name: CastName) => number },
): Promise<void> {
  const made = new Map<string, string>();
  for (const event of events) {
    const { id } = await createEvent(
      tx,
      described(event, now),
      new Date(now.getTime() - 5 * dayMs),
    );
    made.set(event.title, id);
  }
  const buy = async (
    title: string,
    { person, walletId }: BuyerWallet,
    { place = 0, owner = person, count = 1, daysAgo = 0.01 } = {},
  ) =>
    await buyTickets(tx, deps, {
      personId: people[person],
      ownerId: people[owner],
      walletId,
      ...(await seatOf(tx, made.get(title) ?? "", place)),
      count,
      at: new Date(now.getTime() - daysAgo * dayMs),
    });
  const camille: BuyerWallet = { person: "guardian", walletId: walletOf("guardian") };
  const hugo: BuyerWallet = { person: "stranger", walletId: walletOf("stranger") };
  const thomas: BuyerWallet = { person: "coGuardian", walletId: walletOf("coGuardian") };
  await buy("Le Cap des vents", camille, { daysAgo: 0.03 });
  await buy("Le Cap des vents", camille, { place: 1, owner: "child", daysAgo: 0.03 });
  await buy("Marées, l’exposition", camille, { place: 1, owner: "child", daysAgo: 0.02 });
  await buy("Marées, l’exposition", camille, { place: 1, owner: "secondChild", daysAgo: 0.02 });
  await buy("Atelier de reliure", hugo, { count: 2 });
  await buy("Atelier de reliure", thomas, { count: 3 });
  await buy("Nuit de la piscine", thomas, { count: 3 });
  await buy("Nuit de la piscine", hugo, { count: 2 });
  await waitFor(tx, made.get("Atelier de reliure") ?? "", people.guardian, now);
}

function described({ on, saleInDays = -5, ...event }: Bare, now: Date): EventDescription {
  const last = Math.max(...on.map(([day]) => day));
  return {
    ...event,
    saleFrom: new Date(now.getTime() + saleInDays * dayMs).toISOString(),
    saleUntil: atHour(now, last, 23).toISOString(),
    sessions: on.map(([day, hour, minutes, seats]) => {
      const startsAt = atHour(now, day, hour);
      const endsAt = new Date(startsAt.getTime() + minutes * 60_000);
      return { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), seats };
    }),
  };
}

/** The full hour of a day in Paris, in summer or winter time. */
function atHour(now: Date, day: number, hour: number): Date {
  const on = parisDay(new Date(now.getTime() + day * dayMs));
  return instantOfParis(on, `${String(hour).padStart(2, "0")}:00`);
}

async function seatOf(
  tx: Tx,
  offer: string,
  place: number,
): Promise<{ session: string; category: string }> {
  return await query(tx).one(sql<{ session: string; category: string }>`
    select s.id as session, c.id as category from ticket_session s
    join ticket_category c on c.event_id = s.event_id and c.place = ${place}
    where s.event_id = ${offer} order by s.starts_at limit 1`);
}

async function waitFor(tx: Tx, offer: string, personId: number, now: Date): Promise<void> {
  const { session, category } = await seatOf(tx, offer, 0);
  await sql`insert into ticket_wait (person_id, owner_id, session_id, category_id, quantity, requested_at)
    values (${personId}, ${personId}, ${session}, ${category}, 2, ${now})`.execute(tx);
}
