// Eight months of events of the cast, from a generator that always returns the same for a day.
import { dayMs, firstOfMonth, parisDay } from "#contract/days.ts";
import type { CastName } from "./cast.ts";
import { nextMealToOrder } from "./missing-meal.ts";
import { chance, uuidOf } from "./random.ts";
import { mealCentsOn } from "./quotient.ts";

/** The acceptance groups of the demo scheme. */
export type DemoGroup = "main" | "canteen" | "culture";

interface EventBase {
  at: Date;
  key: string;
  who: CastName;
  group: DemoGroup;
  amountCents: number;
}

export type DemoEvent = EventBase &
  (
    | { kind: "top_up"; id: string; charge: string; payer: CastName }
    | { kind: "grant"; label: string; expiresOn: string }
    | { kind: "transfer"; to: CastName }
    | { kind: "purchase" | "meal"; label: string }
    | { kind: "booking"; label: string; on: string }
  );

const months = 8;
/** The days before today on which the bookshop's till is busy, to show its screens full. */
const busyDays = 4;

/** How long ago the employer paid in the money that it has granted since. */
const grantsPaidDaysAgo = 77;

const shops = [
  { label: "Librairie des Embruns", from: 690, to: 2150 },
  { label: "Boulangerie du Port", from: 240, to: 890 },
  { label: "Piscine municipale", from: 360, to: 720 },
  { label: "Cinéma Le Grand Bleu", from: 650, to: 1300 },
  { label: "Marché des Halles", from: 780, to: 2400 },
  { label: "Médiathèque, impressions", from: 60, to: 240 },
] as const;

const isoDay = (day: Date): string => day.toISOString().slice(0, 10);
const isSchoolDay = (day: Date): boolean => [1, 2, 4, 5].includes(day.getUTCDay());

/** Events until `now`, and bookings after it, in order of time. */
export function demoEvents(now: Date): DemoEvent[] {
  const today = Date.parse(parisDay(now));
  const first = Date.parse(firstOfMonth(parisDay(now), -months));
  const events: DemoEvent[] = [];
  for (let time = first; time <= today; time += dayMs) {
    const day = new Date(time);
    events.push(...moneyIn(day), ...moneyOut(day, now));
    if (today - time === grantsPaidDaysAgo * dayMs) events.push(forGrants(day));
    if (today - time <= busyDays * dayMs) events.push(...atTheBookshop(day));
  }
  const past = events.filter(({ at }) => at < now).sort((a, b) => a.at.getTime() - b.at.getTime());
  return affordable([...past, ...bookings(new Date(today), now)]);
}

/** Lowest balance of these main wallets on any day, in cents: their tickets are bought with it. */
export const minBalanceCents: Partial<Record<CastName, number>> = {
  coGuardian: 3_000,
  stranger: 3_000,
};

/** Leaves out top-ups of a full wallet and purchases that cannot be paid. */
function affordable(events: readonly DemoEvent[]): DemoEvent[] {
  const balances = new Map<string, number>();
  const add = (wallet: string, cents: number) =>
    balances.set(wallet, (balances.get(wallet) ?? 0) + cents);
  return events.filter((event) => {
    const wallet = `${event.who}/${event.group}`;
    const balance = balances.get(wallet) ?? 0;
    if (event.kind === "top_up" && balance > event.amountCents) return false;
    if (event.kind === "top_up" || event.kind === "grant") {
      add(wallet, event.amountCents);
      return true;
    }
    // A booking is held on purchased money alone: the latest aid may still be there unspent.
    const aid = event.kind === "booking" ? 2_000 : 0;
    const minCents = event.kind === "purchase" ? (minBalanceCents[event.who] ?? 0) : 0;
    if (balance - aid - minCents < event.amountCents) return false;
    add(wallet, -event.amountCents);
    if (event.kind === "transfer") add(`${event.to}/main`, event.amountCents);
    return true;
  });
}

const at = (day: Date, hour: number, minute: number): Date =>
  new Date(day.getTime() + hour * 3_600_000 + minute * 60_000);

function moneyIn(day: Date): DemoEvent[] {
  const date = day.getUTCDate();
  const events: DemoEvent[] = [];
  const happen = (kind: string, who: CastName, hour: number) => ({
    at: at(day, hour, Math.floor(chance(`${kind} ${who} ${isoDay(day)}`) * 60)),
    key: `demo:${kind}:${who}:${isoDay(day)}`,
    who,
  });
  const topUp = (who: CastName, payer: CastName, group: DemoGroup, amountCents: number) =>
    events.push({
      ...happen(`top_up:${group}`, who, 6),
      kind: "top_up",
      group,
      payer,
      amountCents,
      id: uuidOf(`top-up ${who} ${group} ${isoDay(day)}`),
      charge: uuidOf(`charge ${who} ${group} ${isoDay(day)}`),
    });
  if (date === 1) {
    topUp("guardian", "guardian", "main", 12_000);
    topUp("child", "guardian", "canteen", 6_000);
    topUp("secondChild", "guardian", "canteen", 6_000);
    topUp("coGuardian", "coGuardian", "main", 6_000);
    topUp("stranger", "stranger", "main", 5_000);
    for (const who of ["canteenProvider", "partnerShop", "employer"] as const) {
      topUp(who, who, "main", 8_000);
    }
  }
  if (date === 15) {
    topUp("coGuardian", "coGuardian", "main", 4_000);
    topUp("stranger", "stranger", "main", 4_000);
  }
  if (date === 2 && day.getUTCMonth() % 3 === 0) {
    for (const who of ["child", "secondChild"] as const) {
      events.push({
        ...happen("grant", who, 7),
        kind: "grant",
        group: "canteen",
        amountCents: 2_000,
        label: "Aide à la restauration, Ville",
        expiresOn: isoDay(new Date(day.getTime() + 120 * dayMs)),
      });
    }
    events.push({
      ...happen("grant", "guardian", 7),
      kind: "grant",
      group: "culture",
      amountCents: 3_000,
      label: "Aide à la culture, Ville",
      expiresOn: isoDay(new Date(day.getTime() + 300 * dayMs)),
    });
  }
  if (date === 3 || date === 17) {
    for (const to of ["child", "secondChild"] as const) {
      events.push({
        ...happen(`transfer:${to}`, "guardian", 17),
        kind: "transfer",
        group: "main",
        to,
        amountCents: to === "child" ? 1_000 : 500,
      });
    }
  }
  return events;
}

/** The employer's top-up for its grants (server/demo/grants.ts). */
const forGrants = (day: Date): DemoEvent => ({
  at: at(day, 6, 30),
  key: `demo:grants:${isoDay(day)}`,
  who: "employer",
  group: "main",
  amountCents: 80_000,
  kind: "top_up",
  payer: "employer",
  id: uuidOf(`top-up grants ${isoDay(day)}`),
  charge: uuidOf(`charge grants ${isoDay(day)}`),
});

function moneyOut(day: Date, now: Date): DemoEvent[] {
  const on = isoDay(day);
  const events: DemoEvent[] = [];
  if (isSchoolDay(day)) {
    for (const who of ["child", "secondChild"] as const) {
      // An occasional sick day.
      if (chance(`sick ${who} ${on}`) < 0.06) continue;
      events.push({
        at: at(day, 10, 5 + Math.floor(chance(`meal ${who} ${on}`) * 50)),
        key: `meal-served:${uuidOf(`meal ${who} ${on}`)}`,
        who,
        group: "canteen",
        amountCents: mealCentsOn(on, now),
        kind: "meal",
        label: "Déjeuner, restaurant des Embruns",
      });
    }
  }
  const buyers = [
    { who: "guardian", often: 0.36, max: 0.55 },
    { who: "coGuardian", often: 0.2, max: 0.5 },
    { who: "stranger", often: 0.2, max: 0.4 },
    { who: "child", often: 0.1, max: 0.16 },
    { who: "partnerShop", often: 0.15, max: 0.6 },
  ] as const;
  for (const { who, often, max } of buyers) {
    if (chance(`buys ${who} ${on}`) > often) continue;
    const shop = shops[Math.floor(chance(`shop ${who} ${on}`) * shops.length)] ?? shops[0];
    const span = (shop.to - shop.from) * max;
    events.push({
      at: at(day, 15, Math.floor(chance(`minute ${who} ${on}`) * 60)),
      key: `demo:purchase:${who}:${on}`,
      who,
      group: who === "guardian" && /Cinéma|Librairie/.test(shop.label) ? "culture" : "main",
      amountCents: Math.round((shop.from + span * chance(`price ${who} ${on}`)) / 10) * 10,
      kind: "purchase",
      label: shop.label,
    });
  }
  return events;
}

/** Small purchases through the day at the shop whose till the demo shows. */
function atTheBookshop(day: Date): DemoEvent[] {
  const on = isoDay(day);
  const buyers = ["coGuardian", "stranger", "child"] as const;
  return buyers.flatMap((who, place) =>
    [8, 10].map((hour, turn) => ({
      at: at(day, hour, 7 + place * 17 + turn),
      key: `demo:bookshop:${who}:${on}:${hour}`,
      who,
      group: "main" as const,
      amountCents: 120 + Math.floor(chance(`bookshop ${who} ${on} ${hour}`) * 34) * 10,
      kind: "purchase" as const,
      label: "Librairie des Embruns",
    })),
  );
}

/** The school meals of the next two weeks, held in the children's canteen wallets, but one (missing-meal.ts). */
function bookings(today: Date, now: Date): DemoEvent[] {
  const events: DemoEvent[] = [];
  const missing = nextMealToOrder(now)?.day;
  for (let ahead = 1; ahead <= 10; ahead++) {
    const day = new Date(today.getTime() + ahead * dayMs);
    if (!isSchoolDay(day)) continue;
    for (const who of ["child", "secondChild"] as const) {
      if (who === "secondChild" && isoDay(day) === missing) continue;
      events.push({
        at: now,
        key: `meal:${uuidOf(`meal ${who} ${isoDay(day)}`)}:0`,
        who,
        group: "canteen",
        amountCents: mealCentsOn(isoDay(day), now),
        kind: "booking",
        label: "Déjeuner, restaurant des Embruns",
        on: isoDay(day),
      });
    }
  }
  return events;
}
