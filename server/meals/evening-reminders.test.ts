// The evening before a deadline: who usually orders and has not is reminded, once, and opens a week that is ticked.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, instantOfParis } from "#contract/days.ts";
import { cast } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "#tests/canteens.ts";
import { countStatements } from "#tests/statement-count.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { remindBeforeDeadlines } from "./evening-reminders.ts";
import { findMissingMeals } from "./usual-orderers.ts";

let server: TestServer;
let camille: Client;
let canteen: MadeCanteen;
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
});
afterAll(() => server.close());

/** Ordered until the day before at 10:00: its deadline is Monday, the evening before it Sunday. */
const tuesday = "2027-11-30";
const thursday = "2027-12-02";
const sunday = "2027-11-28";

/** Moves the clock to what clocks in Paris show. */
const goTo = (day: string, time: string) =>
  server.clock.advance(instantOfParis(day, time).getTime() - server.clock.now().getTime());

beforeEach(async () => {
  goTo(sunday, "18:30");
  await server.owner.pool.query(
    "truncate canteen_provider, notification, meal_notice, notification_choice, custody cascade",
  );
  await server.owner.pool.query("delete from canteen_closing");
  camille = await server.as("guardian");
  server.outbox.length = 0;
});

const rows = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;

/** A canteen without school holidays, whose menus of these days are published. */
async function open(days: readonly string[], more: Parameters<typeof makeCanteen>[1] = {}) {
  canteen = await makeCanteen(server, { kind: "staff", ...more });
  await publish(days);
}
const publish = (days: readonly string[]) =>
  rows(
    `insert into canteen_menu (provider_id, on_day, published_at)
     select $1, day, now() from unnest($2::date[]) day`,
    canteen.providerId,
    days,
  );

/** Meals that Camille ordered for a child and that were served so many weeks before a day. */
async function served(
  day: string,
  weeks: readonly number[],
  registration = canteen.registrations.child,
) {
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
    weeks.map((count) => addDays(day, -7 * count)),
  );
}
const always = [1, 2, 3, 4];

const remind = () => remindBeforeDeadlines(server.deps);
const noticesOf = async (client: Client) =>
  (await client.get("/api/notifications")).body.items.filter(
    ({ kind }: { kind: string }) => kind === "meal_reminder",
  );
/** The cards of those who have a reminder in the bell. */
const reminded = async () =>
  (
    await rows(
      `select c.number from notification n join card c on c.person_id = n.person_id
       where n.kind = 'meal_reminder' order by 1`,
    )
  ).map(({ number }) => Number(number));
const messages = async () => {
  await server.runJobs();
  return server.outbox.filter(({ subject }) => subject?.startsWith("Cantine"));
};

describe("who is reminded", () => {
  // proves: order-reminders
  test("both guardians of a child that usually eats that day, once, with whom, when, until when and the way", async () => {
    await open([tuesday]);
    await served(tuesday, always);
    expect(await remind()).toBe(2);
    expect(await remind()).toBe(0);
    goTo(sunday, "20:59");
    expect(await remind()).toBe(0);
    expect(await reminded()).toEqual([cast.guardian.cardnumber, cast.coGuardian.cardnumber]);
    // The session of the first run is over by then.
    camille = await server.as("guardian");
    const [notice, ...others] = await noticesOf(camille);
    expect(others).toEqual([]);
    expect(notice).toMatchObject({
      title: "Cantine\u202f: repas à commander avant lundi 10:00",
      body:
        "Pas encore de commande pour Léo (mardi 30 novembre). Commandez jusqu’à demain 10:00 " +
        "(lundi 29 novembre). Vos repas habituels sont cochés dans la semaine qui s’ouvre.",
      path: `/commande/cantine/restauration-essai/${canteen.groupId}?semaine=2027-11-29&habitude=1`,
      read: false,
    });
    expect(await messages()).toHaveLength(2);
  });

  test("children and days of a family stand in one notice", async () => {
    await open([tuesday, thursday], {
      orderDeadline: { kind: "weekday_before", weeks: 1, weekday: 6, at: "20:00" },
    });
    goTo(addDays(sunday, -1), "19:00");
    const { child, secondChild } = canteen.registrations;
    await served(tuesday, always, child);
    await served(thursday, [1, 2, 4], child);
    // Without Thursday 11 November, a public holiday: the fourth is five weeks before.
    await served(thursday, [1, 2, 5], secondChild);
    await served(tuesday, [2, 3, 4], secondChild);
    expect(await remind()).toBe(2);
    const [notice] = await noticesOf(camille);
    expect(notice.body).toContain(
      "Pas encore de commande pour Jade et Léo (mardi 30 novembre et jeudi 2 décembre). " +
        "Commandez jusqu’à demain 20:00 (dimanche 28 novembre).",
    );
    expect(await noticesOf(camille)).toHaveLength(1);
    const thomas = await noticesOf(await server.as("coGuardian"));
    expect(thomas[0].body).toContain("pour Léo (mardi 30 novembre et jeudi 2 décembre).");
  });

  test("ordered on two of the last four services is no habit, on three it is; walk-ins do not count", async () => {
    await open([tuesday]);
    await served(tuesday, [1, 2, 5, 6]);
    expect(await remind()).toBe(0);
    await served(tuesday, [3]);
    await rows("update meal_order set request_id = null where on_day = $1", addDays(tuesday, -7));
    expect(await remind()).toBe(0);
    await served(tuesday, [4]);
    expect(await remind()).toBe(2);
  });

  test("a week without a service is not among the last four", async () => {
    await open([tuesday]);
    await rows(
      `insert into canteen_closing (canteen_id, from_on, to_on, reason, created_at)
       values ($1, $2, $2, 'Travaux', now())`,
      canteen.id,
      addDays(tuesday, -14),
    );
    await served(tuesday, [3, 4, 5]);
    expect(await remind()).toBe(2);
  });

  test("nobody who never ordered, nor once the meal is ordered, by whomever, or was cancelled", async () => {
    await open([tuesday]);
    expect(await remind()).toBe(0);
    await served(tuesday, always);
    const { child } = canteen.registrations;
    const id = await placeMeal(server, { registration: child, day: tuesday, priceCents: 0 });
    expect(await remind()).toBe(0);
    await rows("update meal_order set state = 'cancelled' where id = $1", id);
    expect(await remind()).toBe(0);
    expect(await reminded()).toEqual([]);
  });

  test("of a day that the guardians agreed on, only the one with whom the child is", async () => {
    await open([tuesday]);
    await served(tuesday, always);
    const path = `/api/family/members/${cast.child.cardnumber}/custody`;
    const thomas = await server.as("coGuardian");
    const days = { kind: "days", first: "other", fromOn: tuesday, toOn: tuesday };
    const { body: proposal } = await camille.post(path, days);
    await thomas.post(`/api/family/custody/${proposal.id}/accept`);
    expect(await remind()).toBe(1);
    expect(await reminded()).toEqual([cast.coGuardian.cardnumber]);
  });

  test("nobody who was reminded of the week that day already", async () => {
    await open([tuesday]);
    await served(tuesday, always);
    await rows(
      `insert into meal_notice select person_id, $2, $3 from card where number = $1`,
      cast.guardian.cardnumber,
      `reminder ${canteen.providerId} 2027-11-29`,
      instantOfParis(sunday, "17:10"),
    );
    expect(await remind()).toBe(1);
    expect(await reminded()).toEqual([cast.coGuardian.cardnumber]);
  });
});

describe("a meal that cannot be ordered", () => {
  const person = "(select person_id from card where number = $1)";
  const child = cast.child.cardnumber;
  const stops: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      "of an unpublished menu",
      () => rows("update canteen_menu set published_at = null"),
      () => rows("update canteen_menu set published_at = now()"),
    ],
    [
      "of a closed day",
      () =>
        rows(
          `insert into canteen_closing (canteen_id, from_on, to_on, reason, created_at)
           values ($1, $2, $2, 'Grève', now())`,
          canteen.id,
          tuesday,
        ),
      () => rows("delete from canteen_closing"),
    ],
    [
      "of an opposed card",
      () => rows(`update card set state = 'opposed' where person_id = ${person}`, child),
      () => rows(`update card set state = 'active' where person_id = ${person}`, child),
    ],
    [
      "of a suspended card",
      () => rows(`update card set state = 'suspended' where person_id = ${person}`, child),
      () => rows(`update card set state = 'active' where person_id = ${person}`, child),
    ],
    [
      "of a child that is ill",
      () =>
        rows(
          `insert into meal_illness (registration_id, from_on, to_on, declared_by, declared_at)
           select $2, $3, $3, person_id, now() from card where number = $1`,
          cast.guardian.cardnumber,
          canteen.registrations.child,
          tuesday,
        ),
      () => rows("delete from meal_illness"),
    ],
    [
      "of a registration that is over",
      () => rows("update canteen_registration set until_on = $1", addDays(tuesday, -1)),
      () => rows("update canteen_registration set until_on = null"),
    ],
    [
      "of a registration that is only requested",
      () => rows("update canteen_registration set state = 'requested'"),
      () => rows("update canteen_registration set state = 'accepted'"),
    ],
    [
      "of a full service",
      () =>
        rows(
          "insert into canteen_day (canteen_id, on_day, seats, taken) values ($1, $2, 10, 10)",
          canteen.id,
          tuesday,
        ),
      () => rows("delete from canteen_day"),
    ],
    [
      "of a frozen provider",
      () =>
        rows(
          "update partner set frozen_at = now(), frozen_why = 'Contrôle' where reference = 'cantine-essai'",
        ),
      () => rows("update partner set frozen_at = null, frozen_why = null"),
    ],
  ];
  test.each(stops)("%s is not reminded of, and is once it can be", async (_what, stop, mend) => {
    await open([tuesday]);
    await served(tuesday, always);
    await stop();
    expect(await remind()).toBe(0);
    expect(await reminded()).toEqual([]);
    await mend();
    expect(await remind()).toBe(2);
  });
});

describe("which channels", () => {
  const choose = (channel: string, enabled: boolean, client = camille) =>
    client.post("/api/notifications/choices", { kind: "meal_reminder", channel, enabled });
  const hers = async () => {
    const camillesMessages = await messages();
    return camillesMessages.filter(({ body }) => body.includes("Camille"));
  };

  test("the bell and the usual channel unless the person chose otherwise; all of them off, none", async () => {
    await open([tuesday]);
    await served(tuesday, always);
    const { body } = await camille.get("/api/notifications/choices");
    const kinds = new Map<string, unknown>(
      body.kinds.map((one: { kind: string }) => [one.kind, one]),
    );
    expect(kinds.get("meal_reminder")).toMatchObject({ email: true, sms: false, bell: true });
    expect(kinds.get("meal")).toMatchObject({ bell: null });
    expect((await choose("bell", false)).status).toBe(200);
    expect((await choose("email", false)).status).toBe(200);
    await remind();
    expect(await reminded()).toEqual([cast.coGuardian.cardnumber]);
    expect(await hers()).toEqual([]);
  });

  test("out of the bell, it still leaves by e-mail", async () => {
    await open([tuesday]);
    await served(tuesday, always);
    await choose("bell", false);
    await remind();
    expect(await reminded()).toEqual([cast.coGuardian.cardnumber]);
    expect(await hers()).toHaveLength(1);
  });

  test("no other kind can be left out of the bell", async () => {
    const refused = await camille.post("/api/notifications/choices", {
      kind: "meal",
      channel: "bell",
      enabled: false,
    });
    expect([refused.status, refused.body["code"]]).toEqual([400, "invalid_input"]);
    expect(await rows("select from notification_choice")).toEqual([]);
  });
});

describe("when", () => {
  test("between 18:00 and 21:00, never at night nor on the day itself", async () => {
    await open([tuesday]);
    await served(tuesday, always);
    for (const [day, time] of [
      [sunday, "17:59"],
      [sunday, "21:00"],
      [sunday, "23:30"],
      [addDays(sunday, 1), "02:00"],
      [addDays(sunday, 1), "09:00"],
      [addDays(sunday, 1), "18:30"],
      [addDays(sunday, -1), "18:30"],
    ] as const) {
      goTo(day, time);
      expect(await remind(), `${day} ${time}`).toBe(0);
    }
    goTo(sunday, "18:00");
    expect(await remind()).toBe(2);
  });

  const workingDay = { kind: "days_before", days: 1, workingDays: true, at: "10:00" } as const;
  const fourDays = { ...workingDay, days: 4, workingDays: false } as const;
  test.each([
    // The day of the meal, its rule, the evening before its deadline.
    ["2027-11-29", workingDay, "2027-11-25", "vendredi 10:00"],
    ["2027-12-03", fourDays, "2027-11-28", "lundi 10:00"],
    ["2027-11-30", { kind: "none" } as const, "2027-11-29", "mardi 11:45"],
    // Clocks go forward on Sunday 26 March 2028, and back on Sunday 29 October.
    ["2028-03-27", { ...workingDay, workingDays: false } as const, "2028-03-25", "dimanche 10:00"],
    ["2028-10-30", { ...workingDay, workingDays: false } as const, "2028-10-28", "dimanche 10:00"],
  ] as const)(
    "a meal of %s: the evening before its deadline, not before the meal",
    async (day, orderDeadline, evening, until) => {
      await open([day], { orderDeadline });
      await served(day, always);
      for (const other of [-1, 1, 2]) {
        goTo(addDays(evening, other), "18:30");
        expect(await remind()).toBe(0);
      }
      goTo(evening, "18:30");
      expect(await remind()).toBe(2);
      camille = await server.as("guardian");
      const [notice] = await noticesOf(camille);
      expect(notice.title).toBe(`Cantine\u202f: repas à commander avant ${until}`);
      expect(notice.body).toContain(`jusqu’à demain ${until.slice(-5)}`);
    },
  );

  test("a week that is ordered until one deadline: a meal of it ordered, and nothing of it is missing", async () => {
    await open([tuesday, thursday], {
      orderDeadline: { kind: "weekday_before", weeks: 1, weekday: 3, at: "12:00" },
    });
    await served(tuesday, always);
    await served(thursday, always);
    goTo("2027-11-24", "18:30");
    const { child } = canteen.registrations;
    const id = await placeMeal(server, { registration: child, day: tuesday, priceCents: 0 });
    expect(await remind()).toBe(0);
    await rows("delete from meal_order where id = $1", id);
    expect(await remind()).toBe(2);
  });
});

describe("at the same time and in bulk", () => {
  test("several runs at once send each reminder once", async () => {
    await open([tuesday]);
    await served(tuesday, always);
    const counts = await Promise.all([remind(), remind(), remind()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(await reminded()).toHaveLength(2);
  });

  test("as many statements find the meals of forty children as those of one", async () => {
    await open([tuesday], { seats: 100 });
    await served(tuesday, always);
    const find = () => findMissingMeals(server.deps.db, server.clock.now());
    const countOf = (work: () => Promise<unknown>) => countStatements(server.deps.pool, work);
    expect(await find()).toHaveLength(1);
    const ofOne = await countOf(find);
    const others = await rows(
      `with more as (insert into person (type, name, password_hash)
         select 1, 'Élève ' || n, '' from generate_series(1, 39) n returning id), cards as (insert into card (number, person_id, state, activated_at)
         select 1900000000 + row_number() over (), id, 'active', now() from more)
       insert into canteen_registration (canteen_id, person_id, audience, diet, state, requested_by, requested_at)
       select $1, id, 'pupil', 'standard', 'accepted', id, now() from more returning id`,
      canteen.id,
    );
    for (const { id } of others) {
      await served(tuesday, [1, 2, 3], id);
    }
    expect(await find()).toHaveLength(40);
    expect(await countOf(find)).toBe(ofOne);
  });
});

describe("POST requests/usual of a reminder", () => {
  const monday = "2027-11-29";
  const tick = async (client = camille) =>
    await client.post("/api/canteen/requests/usual", {
      idgroup: canteen.groupId,
      day: monday,
      reminder: true,
    });
  const daysOf = ({ body }: Awaited<ReturnType<typeof tick>>) =>
    body.added.map(({ day }: { day: string }) => day);

  test("chooses the days without an order of a week that is ordered in part, also for the guardian who never ordered", async () => {
    await open([tuesday, thursday]);
    await served(tuesday, always);
    await served(thursday, always);
    const { child } = canteen.registrations;
    await placeMeal(server, { registration: child, day: tuesday, priceCents: 0 });
    const thomas = await server.as("coGuardian");
    expect(daysOf(await tick(thomas))).toEqual([thursday]);
    const answer = await tick();
    expect(daysOf(answer)).toEqual([thursday]);
    expect(answer.body.request.lines).toHaveLength(1);
    // Nothing is ordered by it.
    expect(await rows("select from meal_order where state = 'reserved'")).toHaveLength(1);
    expect(await rows("select from meal_order where on_day = $1", thursday)).toEqual([]);
  });

  test("leaves a choice in progress as it is", async () => {
    await open([tuesday, thursday]);
    await served(tuesday, always);
    const meals = [{ registration: canteen.registrations.secondChild, day: thursday }];
    const lines = { idgroup: canteen.groupId, meals, chosen: true };
    expect((await camille.post("/api/canteen/requests/lines", lines)).status).toBe(200);
    const { body } = await tick();
    expect(body).toMatchObject({ added: [], warnedCount: 0 });
    expect(body.request.lines).toMatchObject([{ day: thursday, name: cast.secondChild.name }]);
  });

  test("leaves out a meal whose menu warns, and counts it", async () => {
    await open([tuesday, thursday]);
    await served(tuesday, always);
    await served(thursday, always);
    await rows(
      `insert into canteen_dish (menu_id, place, course, name, allergens, labels)
       select id, 1, 'main', 'Tarte aux noix', '{nuts}', '{}' from canteen_menu where on_day = $1`,
      tuesday,
    );
    await rows(
      `insert into canteen_dish (menu_id, place, course, name, allergens, labels)
       select id, 1, 'main', 'Riz', '{}', '{}' from canteen_menu where on_day = $1`,
      thursday,
    );
    const declared = { cardnumber: cast.child.cardnumber, note: "", consent: true };
    expect(
      (await camille.post("/api/health-record", { ...declared, allergens: ["nuts"] })).status,
    ).toBe(200);
    const answer = await tick();
    expect(daysOf(answer)).toEqual([thursday]);
    expect(answer.body.warnedCount).toBe(1);
    // The reminder names it all the same: the screen warns of it.
    expect(await remind()).toBe(2);
  });
});
