// The end of a school year at a canteen: asked for in summer, reminded, renewed beside the one that runs,
// ended.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cast } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { endRegistrations, remindOfRenewals } from "./renewals.ts";

let server: TestServer;
let camille: Client;
let desk: Client;
let canteen: MadeCanteen;
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
});
afterAll(() => server.close());
beforeEach(async () => {
  goTo("2027-01-12");
  await server.owner.pool.query("truncate canteen_provider, notification, meal_notice cascade");
  canteen = await makeCanteen(server);
  await rows("update canteen_registration set state = 'ended' where id = $1", second());
  await logIn();
});

const goTo = (day: string) =>
  server.clock.advance(Date.parse(`${day}T10:00:00Z`) - server.clock.now().getTime());
/** Sessions do not outlive the months between. */
const logIn = async () => {
  [camille, desk] = await Promise.all([server.as("guardian"), server.as("canteenProvider")]);
};
const second = () => canteen.registrations.secondChild;
const rows = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
/** Léo is registered for the school year that ends in 2027. */
const ofThisYear = () =>
  rows(
    "update canteen_registration set until_on = '2027-08-31' where id = $1",
    canteen.registrations.child,
  );
const register = (client = camille) =>
  client.post("/api/canteen/registrations", {
    canteen: canteen.id,
    cardnumber: cast.child.cardnumber,
    className: "CM2",
    diet: "no_pork",
    pai: false,
    shareAllergens: true,
    sharePhoto: false,
  });
const registered = async () =>
  (
    await camille.get(`/api/canteen/registrations?cardnumber=${cast.child.cardnumber}`)
  ).body.items.map(({ id, state, className, fromOn, untilOn, canRenew }: any) => ({
    id,
    state,
    className,
    fromOn,
    untilOn,
    canRenew,
  }));
const accept = (id: string) =>
  desk.post(`/api/canteen/own/registrations/${id}/answer`, { accept: true, reason: "" });
const peopleOf = async (day: string) =>
  (await camille.get(`/api/canteen/providers/${canteen.groupId}/week?day=${day}`)).body.people;
const choose = (registration: string, day: string) =>
  camille.post("/api/canteen/requests/lines", {
    idgroup: canteen.groupId,
    meals: [{ registration, day }],
    chosen: true,
  });
const notices = async () =>
  await rows(
    `select c.number, n.title, n.body, n.path from notification n join card c on c.person_id = n.person_id
     order by n.id`,
  );

test("POST registrations: what is asked for from June on counts until August of the next year", async () => {
  await rows("delete from canteen_registration where id = $1", canteen.registrations.child);
  expect((await register()).body).toMatchObject({ untilOn: "2027-08-31", fromOn: null });
  await rows("delete from canteen_registration where person_id <> 0");
  goTo("2027-06-01");
  await logIn();
  const { body } = await register();
  expect(body).toMatchObject({ untilOn: "2028-08-31", fromOn: null, canRenew: false });
  expect((await accept(body.id)).status).toBe(200);
  goTo("2027-09-02");
  await endRegistrations(server.deps);
  await logIn();
  expect((await choose(body.id, "2027-09-07")).status).toBe(200);
});

test("the next year is asked for while this one counts, and each day belongs to one of them", async () => {
  await ofThisYear();
  const { child } = canteen.registrations;
  const running = { id: child, state: "accepted", className: "CE1", untilOn: "2027-08-31" };
  expect(await registered()).toEqual([{ ...running, fromOn: null, canRenew: false }]);
  expect((await register()).body.code).toBe("meal_registered");

  goTo("2027-06-10");
  await logIn();
  expect(await registered()).toMatchObject([{ ...running, canRenew: true }]);
  expect(await choose(child, "2027-09-07")).toMatchObject({
    status: 409,
    body: { code: "meal_registration_over" },
  });
  const { body: next } = await register();
  expect(next).toMatchObject({
    state: "requested",
    fromOn: "2027-09-01",
    untilOn: "2028-08-31",
    canRenew: false,
  });
  expect((await register()).body.code).toBe("meal_registered");
  expect((await accept(next.id)).status).toBe(200);
  expect((await notices()).at(-1)?.body).toContain("à partir du 01/09/2027");
  expect((await registered()).map(({ canRenew }: any) => canRenew)).toEqual([false, false]);

  expect(await peopleOf("2027-06-14")).toMatchObject([{ registration: child, className: "CE1" }]);
  expect(await peopleOf("2027-09-06")).toMatchObject([{ registration: next.id, className: "CM2" }]);
  // The week that the two years share, Monday 30 August to Sunday 5 September: each day in one line.
  const elsewhere = (await peopleOf("2027-08-31")).map(({ registration, cells }: any) => [
    registration,
    cells.map((cell: any) => cell.isElsewhere),
  ]);
  const ofChild = [false, false, true, true, true, true, true];
  expect(Object.fromEntries(elsewhere)).toEqual({
    [child]: ofChild,
    [next.id]: ofChild.map((other) => !other),
  });
  expect((await choose(next.id, "2027-06-15")).body.code).toBe("meal_registration_later");
  expect((await choose(next.id, "2027-09-07")).status).toBe(200);
  const list = await desk.get(`/api/canteen/${canteen.id}/day-list`);
  expect(list.body.people).toMatchObject([{ registration: child }]);
  const found = await desk.post(`/api/canteen/${canteen.id}/find`, {
    number: cast.child.cardnumber,
  });
  expect(found.body.person).toMatchObject({ registration: child });

  goTo("2027-09-01");
  await endRegistrations(server.deps);
  await logIn();
  expect((await registered()).map(({ state, className }: any) => [state, className])).toEqual([
    ["accepted", "CM2"],
    ["ended", "CE1"],
  ]);
  expect((await notices()).map(({ title }) => title)).not.toContain("Inscription terminée");
});

test("weeks chosen across the summer take each day once, and leave out none of the other year", async () => {
  await ofThisYear();
  goTo("2027-08-20");
  await logIn();
  const { body: next } = await register();
  await accept(next.id);
  const { body } = await camille.post("/api/canteen/requests/template", {
    idgroup: canteen.groupId,
    registrations: [canteen.registrations.child, next.id],
    weekdays: [0, 1, 2, 3, 4],
    from: "2027-08-30",
    to: "2027-09-03",
  });
  const days = body.request.lines.map(({ registration, day }: any) => [registration, day]);
  expect(days.filter(([, day]: [string, string]) => day >= "2027-09-01")).toEqual([
    [next.id, "2027-09-01"],
    [next.id, "2027-09-02"],
    [next.id, "2027-09-03"],
  ]);
  const leftOut = body.leftOut.reduce((sum: number, { count }: any) => sum + count, 0);
  expect(days.length + leftOut).toBe(5);
});

test("families are reminded in June and in August, once each, until they ask", async () => {
  await ofThisYear();
  goTo("2027-05-31");
  await remindOfRenewals(server.deps);
  expect(await notices()).toEqual([]);
  goTo("2027-06-01");
  const frozen = `update partner set frozen_at = $1, frozen_why = $2
    where id = (select partner_id from canteen_provider where group_id = $3)`;
  await rows(frozen, server.clock.now(), "Contrôle", canteen.groupId);
  await remindOfRenewals(server.deps);
  expect(await notices()).toEqual([]);
  await rows(frozen, null, null, canteen.groupId);
  await remindOfRenewals(server.deps);
  await remindOfRenewals(server.deps);
  const sentNotices = await notices();
  expect(sentNotices.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
    [cast.guardian.cardnumber, cast.child.cardnumber, cast.coGuardian.cardnumber].toSorted(
      (a, b) => a - b,
    ),
  );
  expect(sentNotices[0]).toMatchObject({
    title: "Cantine\u202f: pensez à la réinscription de Léo",
    path: `/commande/cantine/restauration-essai/${canteen.groupId}?inscrire=${canteen.registrations.child}`,
  });
  expect(sentNotices[0]?.body).toContain("s’arrête le 31/08/2027");
  goTo("2027-08-17");
  await remindOfRenewals(server.deps);
  expect(await notices()).toHaveLength(2 * sentNotices.length);
  await rows("delete from meal_notice");
  await logIn();
  await register();
  await rows("delete from notification");
  await remindOfRenewals(server.deps);
  expect(await notices()).toEqual([]);
});

test("a registration past its last day ends, the family is told, and another one is asked for", async () => {
  await ofThisYear();
  goTo("2027-08-31");
  await endRegistrations(server.deps);
  await logIn();
  expect(await registered()).toMatchObject([{ state: "accepted" }]);
  goTo("2027-09-01");
  await endRegistrations(server.deps);
  await endRegistrations(server.deps);
  await logIn();
  expect(await registered()).toMatchObject([{ state: "ended", canRenew: true }]);
  const sentNotices = (await notices()).filter(
    ({ number }) => Number(number) === cast.guardian.cardnumber,
  );
  expect(sentNotices).toMatchObject([{ title: "Inscription terminée" }]);
  expect(sentNotices[0]?.body).toContain("de Léo");
  expect((await register()).body).toMatchObject({ fromOn: null, untilOn: "2028-08-31" });
  expect(await registered()).toMatchObject([
    { state: "requested", canRenew: false },
    { state: "ended", canRenew: false },
  ]);
});

test("each registration that ends is reminded and ended, however few are read together", async () => {
  await rows("update canteen_registration set state = 'accepted', until_on = '2027-08-31'");
  goTo("2027-06-01");
  await remindOfRenewals(server.deps, { atOnce: 1 });
  const reminded = await rows("select about from meal_notice");
  expect(new Set(reminded.map(({ about }) => about))).toEqual(
    new Set(Object.values(canteen.registrations).map((id) => `renewal ${id} first`)),
  );
  goTo("2027-09-01");
  await endRegistrations(server.deps, { atOnce: 1 });
  expect(await rows("select state from canteen_registration")).toEqual([
    { state: "ended" },
    { state: "ended" },
  ]);
});
