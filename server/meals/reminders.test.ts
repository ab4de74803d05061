// A family's usual order, and reminders before the deadline: once, of meals that would be missed.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays } from "#contract/days.ts";
import { formatMoney } from "#contract/french.ts";
import { cast } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { remindOfMeals } from "./reminders.ts";

let server: TestServer;
let camille: Client;
let canteen: MadeCanteen;
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
});
afterAll(() => server.close());

/** The Monday of the week that is not ordered yet: its deadline is the Sunday before at 10:00. */
const monday = "2027-11-29";
const tuesday = addDays(monday, 1);
/** Each meal costs so much that two are more than any wallet holds; or so little that all can pay. */
const dear = { prices: [{ name: "Plein tarif", audience: "pupil", priceCents: 9000 }] } as const;

async function open(more: Parameters<typeof makeCanteen>[1] = {}): Promise<void> {
  canteen = await makeCanteen(server, more);
}
beforeEach(async () => {
  // Friday 26 November 2027, 17:10 in Paris.
  server.clock.advance(Date.parse("2027-11-26T16:10:00Z") - server.clock.now().getTime());
  await server.owner.pool.query(
    "truncate canteen_provider, notification, meal_notice, custody cascade",
  );
  camille = await server.as("guardian");
  server.outbox.length = 0;
});

const rows = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
/** Meals that Camille ordered and that were served, on these days. */
async function served(days: readonly string[], registration = canteen.registrations.child) {
  await rows(
    `with who as (select person_id as id from card where number = $1), paid as (
       insert into meal_request (person_id, provider_id, state, opened_at, paid_at)
       select id, $2, 'paid', now(), now() from who returning id)
     insert into meal_order (request_id, canteen_id, registration_id, person_id, ordered_by, on_day,
       state, price_cents, price_reason, late_cancel_percent, absence_percent, ordered_at, served_at)
     select paid.id, r.canteen_id, r.id, r.person_id, who.id, day, 'served', 0, '', 100, 100, now(), now()
     from who, paid, canteen_registration r, unnest($4::date[]) day where r.id = $3`,
    cast.guardian.cardnumber,
    canteen.providerId,
    registration,
    days,
  );
}
const before = (day: string, ...weeks: number[]) => weeks.map((count) => addDays(day, -7 * count));
const week = async (client = camille) =>
  (await client.get(`/api/canteen/providers/${canteen.groupId}/week?day=${monday}`)).body;
const readNotices = async () =>
  await rows(
    `select c.number, n.title, n.body, n.path from notification n
     join card c on c.person_id = n.person_id order by n.id`,
  );

test("GET week: weekdays ordered twice in six weeks are usual, one ordered once is not", async () => {
  await open();
  expect((await week()).usual).toBe(null);
  await served([
    ...before(monday, 1, 3),
    ...before(tuesday, 2),
    ...before(addDays(monday, 3), 6, 7),
  ]);
  expect((await week()).usual).toEqual({ count: 1, totalCents: 345 });
  // Somebody else has no habit of theirs.
  expect((await week(await server.as("coGuardian"))).usual).toBe(null);
});

test("GET week: nothing is usual once a meal of the week was ordered, and cancelled even", async () => {
  await open();
  await served([...before(monday, 1, 2), ...before(tuesday, 1, 2)]);
  expect((await week()).usual).toMatchObject({ count: 2 });
  const { child } = canteen.registrations;
  const id = await placeMeal(server, { registration: child, day: tuesday, priceCents: 0 });
  await rows("update meal_order set state = 'cancelled' where id = $1", id);
  expect((await week()).usual).toBe(null);
});

test("POST requests/usual: chooses them, those of the other guardian left out; then nothing is usual", async () => {
  await open();
  await served([...before(monday, 1, 2), ...before(tuesday, 1, 2)]);
  const path = `/api/family/members/${cast.child.cardnumber}/custody`;
  const thomas = await server.as("coGuardian");
  const days = { kind: "days", first: "other", fromOn: tuesday, toOn: tuesday };
  const { body: proposal } = await camille.post(path, days);
  await thomas.post(`/api/family/custody/${proposal.id}/accept`);
  const { status, body } = await camille.post("/api/canteen/requests/usual", {
    idgroup: canteen.groupId,
    day: monday,
  });
  expect(status).toBe(200);
  expect(body.request.lines.map(({ day }: { day: string }) => day)).toEqual([monday]);
  expect((await week()).usual).toBe(null);
  const unknown = { idgroup: 1_000_000, day: monday };
  expect((await camille.post("/api/canteen/requests/usual", unknown)).status).toBe(404);
});

test("a usual week that no wallet can pay is told before its deadline, once, to whoever orders it", async () => {
  await open(dear);
  await served([...before(monday, 1, 2), ...before(tuesday, 1, 2)]);
  // A frozen provider takes no order: nobody is pressed to place one.
  const freeze = `update partner set frozen_at = $1, frozen_why = $2
    where id = (select partner_id from canteen_provider where group_id = $3)`;
  await rows(freeze, server.clock.now(), "Contrôle", canteen.groupId);
  expect(await remindOfMeals(server.deps)).toBe(0);
  await rows(freeze, null, null, canteen.groupId);
  expect(await remindOfMeals(server.deps)).toBe(1);
  expect(await remindOfMeals(server.deps)).toBe(0);
  const [notice, ...others] = await readNotices();
  expect(others).toEqual([]);
  expect(notice).toMatchObject({
    number: cast.guardian.cardnumber,
    title: `Il manque ${formatMoney(6000)} pour vos repas`,
    path: `/commande/cantine/restauration-essai/${canteen.groupId}?semaine=${monday}`,
  });
  expect(notice.body).toContain(`2 repas pour Léo, ${formatMoney(18_000)}`);
  expect(notice.body).toContain("avant le 28/11/2027");
  await server.runJobs();
  const message = server.outbox.find(({ subject }) => subject.includes("Il manque 60,00"));
  expect(message).toBeDefined();
});

test("with enough money, or while the deadline is far, a usual week is not told", async () => {
  await open();
  await served([...before(monday, 1, 2)]);
  expect(await remindOfMeals(server.deps)).toBe(0);
  await server.owner.pool.query("truncate canteen_provider cascade");
  await open(dear);
  await served([...before(monday, 1, 2), ...before(tuesday, 1, 2)]);
  // Thursday morning: 73 hours before.
  server.clock.advance(Date.parse("2027-11-25T08:00:00Z") - server.clock.now().getTime());
  expect(await remindOfMeals(server.deps)).toBe(0);
  server.clock.advance(3_600_000);
  expect(await remindOfMeals(server.deps)).toBe(1);
});

test("meals chosen and not ordered are told, with what is missing; an emptied choice is not", async () => {
  await open();
  const meals = [{ registration: canteen.registrations.child, day: monday }];
  const idgroup = canteen.groupId;
  const choose = (ordered: boolean) =>
    camille.post("/api/canteen/requests/lines", { idgroup, meals, chosen: ordered });
  expect((await choose(true)).status).toBe(200);
  await choose(false);
  expect(await remindOfMeals(server.deps)).toBe(0);
  await choose(true);
  expect(await remindOfMeals(server.deps)).toBe(1);
  expect(await readNotices()).toMatchObject([
    {
      number: cast.guardian.cardnumber,
      title: "Vos repas attendent d’être commandés",
      path: `/commande/cantine/restauration-essai/${canteen.groupId}?etape=commander`,
    },
  ]);
  // Past the deadline there is nothing left to remind of.
  await rows("delete from meal_notice");
  server.clock.advance(3 * 86_400_000);
  expect(await remindOfMeals(server.deps)).toBe(0);
});
