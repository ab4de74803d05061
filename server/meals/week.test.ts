// The week that a family sees without naming one: that of the first meal that can still be ordered.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays } from "#contract/days.ts";
import type { Client, TestServer } from "#tests/test-server.ts";
import {
  closeSound,
  forgetMeals,
  type MadeCanteen,
  openCanteenServer,
  placeMeal,
} from "#tests/canteens.ts";

// A Monday at 8:00 in Paris: orders close the day before at 10:00.
const monday = "2027-03-08";
let server: TestServer;
let canteen: MadeCanteen;
let camille: Client;
beforeAll(async () => {
  ({ server, canteen, camille } = await openCanteenServer("2027-03-08T07:00:00.000Z"));
});
beforeEach(async () => {
  await forgetMeals(server);
  await query("delete from canteen_closing");
  await query("update canteen set max_per_week = null");
  await query("update partner set frozen_at = null, frozen_why = null");
  await query("update canteen_registration set from_on = null");
});
afterAll(() => closeSound(server));

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const readWeek = async (day = "") => {
  const { status, body, text } = await camille.get(
    `/api/canteen/providers/${canteen.groupId}/week${day && `?day=${day}`}`,
  );
  expect(status, text).toBe(200);
  return body;
};
const shownMonday = async () => (await readWeek()).monday;
const place = async (registration: string, ...days: string[]) => {
  for (const day of days) await placeMeal(server, { registration, day, priceCents: 0 });
};
const days = (...counts: number[]) => counts.map((count) => addDays(monday, count));
const close = (from: string, to: string) =>
  query(
    `insert into canteen_closing (canteen_id, from_on, to_on, reason, created_at)
     values ($1, $2, $3, 'Vacances', now())`,
    canteen.id,
    from,
    to,
  );

test("this week while a meal of it is left to order, for one child or the other", async () => {
  expect(await shownMonday()).toBe(monday);
  await place(canteen.registrations.child, ...days(1, 2, 3, 4));
  await place(canteen.registrations.secondChild, ...days(1, 2, 3));
  expect(await shownMonday()).toBe(monday);
  await place(canteen.registrations.secondChild, ...days(4));
  expect(await shownMonday()).toBe(addDays(monday, 7));
  // A day that is named is shown, whatever can be ordered then.
  expect((await readWeek(addDays(monday, 2))).monday).toBe(monday);
});

test("what is chosen and not paid can still be ordered: its week is shown", async () => {
  await place(canteen.registrations.secondChild, ...days(1, 2, 3, 4));
  await place(canteen.registrations.child, ...days(1, 2, 3));
  const meals = [{ registration: canteen.registrations.child, day: addDays(monday, 4) }];
  const chosen = { idgroup: canteen.groupId, meals, chosen: true };
  expect((await camille.post("/api/canteen/requests/lines", chosen)).status).toBe(200);
  expect(await shownMonday()).toBe(monday);
  await camille.post("/api/canteen/requests/drop", { idgroup: canteen.groupId });
});

test("after weeks that are closed, full, or at the canteen's rule for a week", async () => {
  await close(monday, addDays(monday, 13));
  expect(await shownMonday()).toBe(addDays(monday, 14));
  await query("delete from canteen_closing");
  await query(
    `insert into canteen_day (canteen_id, on_day, seats, taken)
     select $1, day, 10, 10 from unnest($2::date[]) day`,
    canteen.id,
    days(1, 2, 3, 4),
  );
  expect(await shownMonday()).toBe(addDays(monday, 7));
  await query("delete from canteen_day");
  await query("update canteen set max_per_week = 2");
  for (const registration of Object.values(canteen.registrations))
    await place(registration, ...days(1, 2));
  const { people } = await readWeek(monday);
  expect(people.map(({ mealsLeft }: { mealsLeft: number }) => mealsLeft)).toEqual([0, 0]);
  const next = await readWeek();
  expect(next.monday).toBe(addDays(monday, 7));
  expect(next.people[0].mealsLeft).toBe(2);
});

test("a registration that counts later opens its first week; without a rule all can be ordered", async () => {
  await query("update canteen_registration set from_on = $1", addDays(monday, 30));
  const week = await readWeek();
  expect(week.monday).toBe(addDays(monday, 28));
  expect(week.people[0].mealsLeft).toBe(null);
});

test("the present week where nothing can be ordered within ten weeks", async () => {
  await close(monday, addDays(monday, 90));
  expect(await shownMonday()).toBe(monday);
  await query("delete from canteen_closing");
  await place(canteen.registrations.child, ...days(1, 2, 3, 4));
  await place(canteen.registrations.secondChild, ...days(1, 2, 3, 4));
  await query("update partner set frozen_at = now(), frozen_why = 'Contrôle'");
  expect(await shownMonday()).toBe(monday);
});
