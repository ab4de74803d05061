// The demo's school: four hundred children with their families, so that the desk, the kitchen and the counter
// of its canteen look as in use. People are written by set; nobody knows the password of these accounts.
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Allergen } from "#contract/allergies/rows.ts";
import type { Diet } from "#contract/kitchen/states.ts";
import { addDays, todayInParis } from "#contract/days.ts";
import { keepHealth } from "#server/allergies/allergies.ts";
import { endOfCard, numberOf } from "#server/cards/cards.ts";
import { schoolRightEnd } from "#server/entitlements/entitlements.ts";
import type { Tx } from "../db/db.ts";
import { chance } from "./random.ts";
import { firstNames, surnames } from "./names.ts";

/** The classes of the school, two or three for each year. */
export const schoolClasses = ["CP", "CE1", "CE2", "CM1", "CM2"].flatMap((year) =>
  ["A", "B", "C"].map((letter) => `${year} ${letter}`),
);
const quotients = [380, 540, 690, 860, 1040, 1190, 1480, 1900];

/** A child who eats at the school, with the wallet that pays and a guardian. */
export interface Pupil {
  name: string;
  personId: number;
  guardianId: number;
  registration: string;
  walletId: number;
  /** The ledger account of the wallet's purchased money. */
  accountId: number;
}

/** How long ago the first families joined: closed months have meals too. */
export const maxJoinedDaysAgo = 85;

/**
 * How many days ago a pupil joined: few at first, more each week, all for five days. The whole school over
 * all those weeks would cost each first start of the demo some seconds.
 */
export const joinedDaysAgo = ({ personId }: Pick<Pupil, "personId">): number =>
  5 + Math.floor((maxJoinedDaysAgo - 5) * (1 - chance(`joins ${personId}`)) ** 4);

interface PlannedChild {
  name: string;
  className: string;
  bornOn: string;
  diet: Diet;
  allergens: readonly Allergen[];
  /** Its registration waits for the desk's answer. */
  waits: boolean;
}
interface PlannedFamily {
  guardian: string;
  quotient: number | null;
  children: PlannedChild[];
}

/** One value of a list, always the same for the same words. */
const oneOf = <T>(list: readonly T[], words: string): T =>
  list[Math.floor(chance(words) * list.length)] as T;

/** Families of one to three children until there are `count`; the last six children's registrations wait. */
function planFamilies(count: number, now: Date): PlannedFamily[] {
  const families: PlannedFamily[] = [];
  for (let child = 0; child < count;) {
    const words = `family ${families.length}`;
    const surname = surnames[(families.length * 7) % surnames.length] as string;
    const drawn = chance(`${words} size`);
    const children: PlannedChild[] = [];
    for (const size = drawn < 0.5 ? 1 : drawn < 0.86 ? 2 : 3; children.length < size; child++) {
      if (child === count) break;
      children.push(planChild(child, { surname, now, waits: child >= count - 6 }));
    }
    families.push({
      guardian: `${oneOf(firstNames, `${words} guardian`)} ${surname}`,
      quotient: chance(`${words} tells`) < 0.7 ? oneOf(quotients, `${words} quotient`) : null,
      children,
    });
  }
  return families;
}

function planChild(
  index: number,
  { surname, now, waits }: { surname: string; now: Date; waits: boolean },
): PlannedChild {
  const words = `pupil ${index}`;
  const place = (index * 4) % schoolClasses.length;
  const age = 6 + Math.floor(place / 3);
  return {
    name: `${firstNames[(index * 11) % firstNames.length]} ${surname}`,
    className: schoolClasses[place] as string,
    bornOn: addDays(todayInParis(now), -365 * age - 40 - Math.floor(chance(`${words} born`) * 300)),
    ...dietOf(chance(words)),
    waits,
  };
}

/** Most eat everything; some of the others have a diet of their family, some an allergy. */
function dietOf(drawn: number): Pick<PlannedChild, "diet" | "allergens"> {
  if (drawn < 0.11) return { diet: "no_pork", allergens: [] };
  if (drawn < 0.15) return { diet: "no_meat", allergens: [] };
  if (drawn < 0.2) return { diet: "vegetarian", allergens: [] };
  if (drawn < 0.21) return { diet: "packed", allergens: ["peanuts", "nuts", "sesame"] };
  if (drawn < 0.23) return { diet: "standard", allergens: ["milk"] };
  if (drawn < 0.245) return { diet: "standard", allergens: ["eggs"] };
  if (drawn < 0.26) return { diet: "standard", allergens: ["peanuts", "nuts"] };
  if (drawn < 0.27) return { diet: "standard", allergens: ["gluten"] };
  return { diet: "standard", allergens: [] };
}

/** Writes the families of a school of `count` children and registers them; returns those accepted. */
export async function openSchool(
  tx: Tx,
  input: { canteenId: string; groupId: number; town: string; count: number; at: Date },
): Promise<Pupil[]> {
  const { canteenId, groupId, town, count, at } = input;
  const families = planFamilies(count, at);
  const children = families.flatMap((family) =>
    family.children.map((child) => ({ ...child, guardian: families.indexOf(family) })),
  );
  const guardians = await writePeople(
    tx,
    families.map(({ guardian }) => ({ name: guardian, bornOn: null })),
    at,
  );
  const people = await writePeople(tx, children, at);
  const guardianOf = children.map(({ guardian }) => guardians[guardian] as number);
  await sql`insert into family_tie (guardian_id, member_id, role)
    select *, 'child' from unnest(${guardianOf}::bigint[], ${people}::bigint[])`.execute(tx);
  await tellQuotients(tx, { families, guardians, at });
  const wallets = await openWallets(tx, { people, groupId, at });
  await openWallets(tx, { people: [...guardians, ...people], groupId: 1, at });
  const rows = children.map((child, index) => ({
    place: index,
    person_id: people[index],
    guardian_id: guardianOf[index],
    class: child.className,
    diet: child.diet,
    consents: child.allergens.length > 0,
    waits: child.waits,
    days: joinedDaysAgo({ personId: people[index] as number }) + 20,
  }));
  const { rows: registered } = await sql<{ id: string; personId: number }>`
    insert into canteen_registration (canteen_id, person_id, audience, class, town, diet, pai, state,
      allergens_consent_at, requested_by, requested_at, answered_at, until_on)
    select ${canteenId}, person_id, 'pupil', class, ${town}, diet, diet = 'packed',
      case when waits then 'requested' else 'accepted' end,
      case when consents then requested end, guardian_id, requested,
      case when not waits then requested + interval '2 days' end,
      ${schoolRightEnd(sql`${todayInParis(at)}::date`)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (place int, person_id bigint,
      guardian_id bigint, class text, diet text, consents boolean, waits boolean, days int)
    cross join lateral (select ${at}::timestamptz
      - case when waits then interval '5 hours' * (place % 6 + 1) else interval '1 day' * days end as requested) q
    order by place returning id, person_id`.execute(tx);
  for (const [index, { allergens }] of children.entries()) {
    const [personId, by] = [people[index] as number, guardianOf[index] as number];
    if (allergens.length > 0) await keepHealth(tx, { personId, by, allergens, note: "", at });
  }
  const registrationOf = new Map(registered.map(({ id, personId }) => [personId, id]));
  return children.flatMap(({ name, waits }, index) => {
    const personId = people[index] as number;
    const registration = registrationOf.get(personId);
    const wallet = wallets.get(personId);
    if (waits || !registration || !wallet) return [];
    return [{ name, personId, guardianId: guardianOf[index] as number, registration, ...wallet }];
  });
}

/** Registers some of the pupils at another canteen too; returns them as pupils of that canteen. */
export async function registerAlso(
  tx: Tx,
  pupils: readonly Pupil[],
  { canteenId, className, town }: { canteenId: string; className: string; town: string },
): Promise<Pupil[]> {
  const { rows } = await sql<{ personId: number; registration: string }>`
    insert into canteen_registration (canteen_id, person_id, audience, class, town, diet, pai, state,
      allergens_consent_at, requested_by, requested_at, answered_at, until_on)
    select ${canteenId}, person_id, audience, ${className}, ${town}, diet, pai, state,
      allergens_consent_at, requested_by, requested_at, answered_at, until_on
    from canteen_registration where id = any (${pupils.map(({ registration }) => registration)}::uuid[])
    returning person_id, id as registration`.execute(tx);
  const known = new Map(rows.map(({ personId, registration }) => [personId, registration]));
  return pupils.map((pupil) => ({
    ...pupil,
    registration: known.get(pupil.personId) ?? pupil.registration,
  }));
}

/** Serials that the portal gives to no card: it draws them from ten million on. */
const belowDrawn = 1_000_000;

/** Writes holders with an active card each; returns their ids in the given order. */
async function writePeople(
  tx: Tx,
  people: readonly { name: string; bornOn: string | null }[],
  at: Date,
): Promise<number[]> {
  const { hash } = await import("@node-rs/argon2");
  const unknown = await hash(randomBytes(32));
  const { rows } = await sql<{ id: number }>`
    with written as (
      insert into person (type, name, password_hash, born_on, created_at)
      select 1, name, ${unknown}, born_on, ${at}::timestamptz - interval '110 days'
      from unnest(${people.map(({ name }) => name)}::text[],
        ${people.map(({ bornOn }) => bornOn)}::date[]) with ordinality as p (name, born_on, place)
      order by place returning id)
    select id from written order by id`.execute(tx);
  await sql`insert into card (number, person_id, state, valid_until, activated_at)
    select number, person_id, 'active', ${endOfCard(at)}::date,
      ${at}::timestamptz - interval '108 days'
    from unnest(${rows.map(({ id }) => numberOf(1, belowDrawn + id))}::bigint[],
      ${rows.map(({ id }) => id)}::bigint[]) as t (number, person_id)`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Writes the quotients that families declared, validated until the end of the school year. */
async function tellQuotients(
  tx: Tx,
  {
    families,
    guardians,
    at,
  }: { families: readonly PlannedFamily[]; guardians: readonly number[]; at: Date },
): Promise<void> {
  const householdQuotients = families.flatMap(({ quotient }, index) =>
    quotient === null ? [] : [{ person: guardians[index] as number, quotient }],
  );
  await sql`insert into proof (person_id, sent_by, kind, state, quotient, written_on, valid_from,
      valid_until, sent_at, answered_at)
    select person, person, 'quotient', 'validated', quotient, paris_day(sent), paris_day(sent),
      ${schoolRightEnd(sql`${todayInParis(at)}::date`)}, sent, sent + interval '1 day'
    from unnest(${householdQuotients.map(({ person }) => person)}::bigint[],
      ${householdQuotients.map(({ quotient }) => quotient)}::int[]) as t (person, quotient)
    cross join lateral (select ${at}::timestamptz - interval '107 days' as sent) s`.execute(tx);
}

/** Opens a wallet of a group for each person, with its account of purchased money, by person. */
async function openWallets(
  tx: Tx,
  { people, groupId, at }: { people: readonly number[]; groupId: number; at: Date },
): Promise<Map<number, { walletId: number; accountId: number }>> {
  const { rows: accounts } = await sql<{ id: number }>`
    insert into ledger_account (kind, asset, floor)
    select 'wallet', 'EUR', 0 from generate_series(1, ${people.length}::int) returning id`.execute(
    tx,
  );
  const { rows } = await sql<{ personId: number; walletId: number; accountId: number }>`
    with new_wallet as (
      select * from unnest(${[...people]}::bigint[], ${accounts.map(({ id }) => id)}::bigint[])
        as t (person_id, account_id)
    ), opened as (
      insert into wallet (person_id, group_id, name, slug, created_at)
      select w.person_id, g.id, g.name, g.slug, ${at}::timestamptz - interval '108 days'
      from new_wallet w, acceptance_group g where g.id = ${groupId} returning id, person_id
    ), lot as (
      insert into wallet_lot (account_id, wallet_id, kind, label, created_at)
      select w.account_id, o.id, 'purchased', 'Argent rechargé', ${at}::timestamptz - interval '108 days'
      from opened o join new_wallet w using (person_id) returning account_id, wallet_id
    )
    select o.person_id, o.id as wallet_id, l.account_id
    from opened o join lot l on l.wallet_id = o.id`.execute(tx);
  return new Map(rows.map(({ personId, ...wallet }) => [personId, wallet]));
}
