// The next day of a family: today until its meals are over, then tomorrow; or the first day within a week on which
// somebody has a meal or a ticket, and what is left of today. The rooms tell what each person has.
import { addDays, instantOfParis, parisDay, parisTime } from "#contract/days.ts";
import { homeDay } from "#contract/limits.ts";
import type { FamilyDay, PersonDay } from "#contract/portal/family-day.ts";
import type { Db } from "#server/db/db.ts";
import { custodiansOver } from "#server/family/family.ts";
import { type HolderHome, homeBuses, type HomeDayFact, homeDayFacts } from "./home-hooks.ts";

/** A person whom a home page shows. */
interface ShownPerson {
  id: number;
  cardnumber: number;
  name: string;
}

/** The next day of the holder of a home page and of the children shown there, who come in the order given. */
export async function familyDayOf(
  db: Db,
  home: HolderHome,
  { holder, children }: { holder: ShownPerson; children: readonly ShownPerson[] },
): Promise<FamilyDay> {
  const { me, people, at } = home;
  const first = firstDay(at);
  const days = { from: first, to: addDays(first, homeDay.days - 1) };
  const facts = (await Promise.all(homeDayFacts.map((factsOf) => factsOf(db, home, days)))).flat();
  const isLeftOfToday = ({ day }: HomeDayFact) => day < first;
  const ahead = facts.filter((fact) => !isLeftOfToday(fact));
  const on = ahead.map(({ day }) => day).toSorted()[0] ?? first;
  const from = on === parisDay(at) ? at : instantOfParis(on, homeDay.busesFrom);
  const [buses, custodians] = await Promise.all([
    Promise.all(homeBuses.map((busesOf) => busesOf(db, home, from))),
    custodiansOver(db, people, { from: on, to: on }),
  ]);
  const known = [...children, holder].map(({ id, cardnumber, name }): PersonDay => {
    const own = facts.filter(
      (fact) => fact.personId === id && (fact.day === on || isLeftOfToday(fact)),
    );
    const bus = buses.map((one) => one.get(id)).find(Boolean) ?? null;
    const custodian = custodians.get(`${id} ${on}`);
    return {
      cardnumber,
      name,
      own: id === me,
      meal: own.find(({ meal }) => meal)?.meal ?? null,
      bus,
      tickets: own.flatMap(({ ticket }) => ticket ?? []),
      custodian: custodian ? { name: custodian.name, own: custodian.id === me } : null,
    };
  });
  const hasAny = ({ meal, bus, tickets, custodian }: PersonDay) =>
    meal !== null || bus !== null || tickets.length > 0 || custodian !== null;
  if (!known.some(hasAny)) return { on, people: [] };
  return { on, people: known.filter((one, index) => index < children.length || hasAny(one)) };
}

const firstDay = (at: Date): string => {
  const today = parisDay(at);
  return parisTime(at) < homeDay.tomorrowFrom ? today : addDays(today, 1);
};
