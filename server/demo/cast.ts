// The people of the demo scheme and of every test: names, cards, and who looks after whom.
import { sql } from "kysely";
import { addDays, addMonths, dayMs, firstOfMonth, parisDay } from "#contract/days.ts";
import { demoPassword } from "#contract/demo/rows.ts";
import { endOfCard } from "../cards/cards.ts";
import { openCompany } from "../companies/companies.ts";
import type { Tx } from "../db/db.ts";

/** Password of everyone in the cast. */
export const castPassword = demoPassword;

export interface Person {
  cardnumber: number;
  type: 1 | 2;
  name: string;
  email: string | null;
  phonenumber: string | null;
  mustReset?: boolean;
  disabled?: boolean;
  /** Months until the card's subscription ends, null without one. */
  subscribedMonths: number | null;
  /** In years, where it is known. */
  age?: number;
  /** The company that a professional is responsible for; its name is the person's. */
  company?: { siret: string; street: string; postcode: string; town: string };
}

/** Test and demo names → people. */
export const cast = {
  guardian: {
    cardnumber: 1000000016,
    type: 1,
    name: "Camille Moreau",
    email: "camille.moreau@exemple.fr",
    phonenumber: "+33612345601",
    subscribedMonths: 9,
    age: 39,
  },
  child: {
    cardnumber: 1000000024,
    type: 1,
    name: "Léo Moreau",
    email: null,
    phonenumber: null,
    subscribedMonths: 9,
    age: 11,
  },
  secondChild: {
    cardnumber: 1000000032,
    type: 1,
    name: "Jade Moreau",
    email: null,
    phonenumber: null,
    subscribedMonths: null,
    age: 7,
  },
  resetPending: {
    cardnumber: 1000000040,
    type: 1,
    name: "Nadia Benali",
    email: "nadia.benali@exemple.fr",
    phonenumber: "+33612345604",
    mustReset: true,
    subscribedMonths: null,
    age: 52,
  },
  stranger: {
    cardnumber: 1000000057,
    type: 1,
    name: "Hugo Petit",
    email: "hugo.petit@exemple.fr",
    phonenumber: "+33612345605",
    subscribedMonths: null,
    age: 23,
  },
  coGuardian: {
    cardnumber: 1000000065,
    type: 1,
    name: "Thomas Moreau",
    email: "thomas.moreau@exemple.fr",
    phonenumber: "+33612345606",
    subscribedMonths: 4,
    age: 41,
  },
  disabled: {
    cardnumber: 1000000073,
    type: 1,
    name: "Paul Garnier",
    email: "paul.garnier@exemple.fr",
    phonenumber: null,
    disabled: true,
    subscribedMonths: null,
  },
  canteenProvider: {
    cardnumber: 2000000014,
    type: 2,
    name: "Les Tables du Lagon",
    email: "contact@tables-du-lagon.exemple.fr",
    phonenumber: "+33145678901",
    subscribedMonths: 11,
    company: {
      siret: "90012345600015",
      street: "12 rue de la Cuisine-Centrale",
      postcode: "35400",
      town: "Port-Lagune",
    },
  },
  partnerShop: {
    cardnumber: 2000000022,
    type: 2,
    name: "Librairie des Embruns",
    email: "bonjour@embruns.exemple.fr",
    phonenumber: "+33145678902",
    subscribedMonths: 7,
    company: {
      siret: "90023456800013",
      street: "8 rue des Embruns",
      postcode: "35400",
      town: "Port-Lagune",
    },
  },
  employer: {
    cardnumber: 2000000030,
    type: 2,
    name: "Ateliers Corail",
    email: "rh@ateliers-corail.exemple.fr",
    phonenumber: "+33145678903",
    subscribedMonths: 11,
    company: {
      siret: "90034567900014",
      street: "2 quai des Chantiers",
      postcode: "35400",
      town: "Port-Lagune",
    },
  },
} as const satisfies Record<string, Person>;

export type CastName = keyof typeof cast;

const ties = [
  { guardian: "guardian", member: "child" },
  { guardian: "guardian", member: "secondChild" },
  { guardian: "coGuardian", member: "child" },
] as const satisfies { guardian: CastName; member: CastName }[];

/** Writes the people, their active cards and their family ties; returns name → person id. */
export async function castPeople(tx: Tx, now: Date): Promise<Record<CastName, number>> {
  const { hash } = await import("@node-rs/argon2");
  const passwordHash = await hash(castPassword, {
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
  });
  const ids = {} as Record<CastName, number>;
  // Before any other event of the demo's companies: their people, cards and bank accounts came later.
  const openedAt = new Date(now.getTime() - 400 * dayMs);
  for (const [name, person] of Object.entries(cast) as [CastName, Person][]) {
    ids[name] = await castPerson(tx, person, passwordHash, now);
  }
  for (const { guardian, member } of ties) {
    await tx
      .insertInto("familyTie")
      .values({ guardianId: ids[guardian], memberId: ids[member], role: "child" })
      .execute();
  }
  for (const [name, { name: companyName, company }] of Object.entries(cast) as [
    CastName,
    Person,
  ][]) {
    if (company)
      await openCompany(tx, { ...company, name: companyName, ownerId: ids[name], at: openedAt });
  }
  await castSubscriptions(tx, ids, now);
  return ids;
}

/** Writes subscriptions that end when the persons' dates say: Camille's family one covers Léo. */
async function castSubscriptions(tx: Tx, ids: Record<CastName, number>, now: Date): Promise<void> {
  const bought = [
    { holder: "guardian", formula: "famille", cents: 4500, covers: ["guardian", "child"] },
    { holder: "coGuardian", formula: "essentiel", cents: 2400, covers: ["coGuardian"] },
  ] as const satisfies { holder: CastName; formula: string; cents: number; covers: CastName[] }[];
  for (const { holder, formula, cents, covers } of bought) {
    const renewsOn = endOf(cast[holder], now);
    const lines = [
      { kind: "formula", label: "Abonnement", amountCents: cents, why: "Payé à l’accueil." },
    ];
    await sql`with bought as (
        insert into subscription (person_id, buyer_id, state, step, formula, formula_version,
          lines, paid_cents, paid_at, starts_on, ends_on, created_at, changed_at)
        select ${ids[holder]}::bigint, ${ids[holder]}::bigint, 'active', 'price', ${formula}, 1,
          ${JSON.stringify(lines)}::jsonb, ${cents}::bigint, first, first, ${renewsOn}::date - 1,
          first, first
        from (select ${renewsOn}::date - interval '1 year' as first) begun returning id)
      insert into subscription_cover (subscription_id, person_id)
      select id, unnest(${covers.map((name) => ids[name])}::bigint[]) from bought`.execute(tx);
  }
}

/** The first day that the card's subscription no longer covers. */
const endOf = ({ subscribedMonths: months }: Person, now: Date): string | null =>
  months === null ? null : firstOfMonth(parisDay(now), months);

async function castPerson(
  tx: Tx,
  person: Person,
  passwordHash: string,
  now: Date,
): Promise<number> {
  const day = endOf(person, now);
  const { id } = await tx
    .insertInto("person")
    .values({
      type: person.type,
      name: person.name,
      avatar: null,
      email: person.email,
      phonenumber: person.phonenumber,
      passwordHash,
      passwordChangedAt: null,
      mustReset: person.mustReset ?? false,
      disabledAt: person.disabled ? now : null,
      subscriptionRenewsOn: day,
      // To the end of the day before it is to be renewed, in Paris.
      subscriptionExpiresAt: sql<Date | null>`start_of_paris_day(${day}::date) - interval '1 second'`,
      bornOn: person.age === undefined ? null : bornOn(person.age, now),
      createdAt: sql<Date>`${now}::timestamptz - interval '14 months'`,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("card")
    .values({
      number: person.cardnumber,
      personId: id,
      state: "active",
      validUntil: endOfCard(now),
      activatedAt: now,
      opposedAt: null,
      opposedWhy: null,
      replaces: null,
    })
    .execute();
  return id;
}

/** Some hundred days after a birthday: an age that no month's end changes. */
const bornOn = (age: number, now: Date): string =>
  addMonths(addDays(parisDay(now), -100), -12 * age);
