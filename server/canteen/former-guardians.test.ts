// A guardian whose tie with a child ends: what was chosen for the child is neither read nor paid any more, and a call
// that is on its way to its lock is refused, with nothing written.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeSound, forgetMeals, type MadeCanteen, openCanteenServer } from "#tests/canteens.ts";
import { cast } from "#tests/cast.ts";
import { tieAgain, untie } from "#tests/family-ties.ts";
import { whileHeld } from "#tests/held-rows.ts";
import type { Answered, Client, TestServer } from "#tests/test-server.ts";
import { remindOfMeals } from "./reminders.ts";

let server: TestServer;
let camille: Client;
let canteen: MadeCanteen;
let wallet: string;
const monday = "2027-11-29";
const query = async (text: string, values: unknown[] = []) =>
  (await server.owner.pool.query(text, values)).rows;

beforeAll(async () => {
  ({ server, canteen, camille } = await openCanteenServer("2027-11-23T11:00:00Z"));
  server.deps.config.codeFromCents = 1_000_000;
  const { body } = await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  wallet = body.items[0].objectID;
});
afterAll(() => closeSound(server));
beforeEach(async () => {
  await forgetMeals(server);
  await query("delete from meal_request_line; delete from meal_request; delete from meal_notice");
});

const child = () => canteen.registrations.child;
const secondChild = () => canteen.registrations.secondChild;
const choose = (...registrations: string[]) =>
  camille.post("/api/canteen/requests/lines", {
    idgroup: canteen.groupId,
    meals: registrations.map((registration) => ({ registration, day: monday })),
    wanted: true,
  });
const requestShown = async () =>
  (await camille.get(`/api/canteen/providers/${canteen.groupId}/week?day=${monday}`)).body.request;
const pay = (request: { id: string; revision: number; totalCents: number }) =>
  camille.post("/api/canteen/requests/pay", {
    request: request.id,
    revision: request.revision,
    totalCents: request.totalCents,
    method: "wallet",
    objectID: wallet,
  });
const eaters = async () =>
  (await query("select registration_id as id from meal_order")).map(({ id }) => id);

/** Runs with the tie ended, which is made again whatever happens. */
async function withoutTie(run: () => Promise<void>): Promise<void> {
  await untie(server.owner.pool, "guardian", "child");
  try {
    await run();
  } finally {
    await tieAgain(server.owner.pool, "guardian", "child");
  }
}

describe("meals chosen for a child before the tie ended", () => {
  test("GET week: they are not told, nor is their price", async () => {
    await choose(child(), secondChild());
    expect(await requestShown()).toMatchObject({ totalCents: 690 });
    await withoutTie(async () => {
      const request = await requestShown();
      const told = request.lines.map(({ registration }: { registration: string }) => registration);
      expect([told, request.totalCents]).toEqual([[secondChild()], 345]);
    });
    await query("delete from meal_request_line where registration_id = $1", [secondChild()]);
    await withoutTie(async () => expect(await requestShown()).toBe(null));
  });

  test("POST pay: refused for the former price, and the others alone are ordered", async () => {
    const seen = (await choose(child(), secondChild())).body.request;
    await withoutTie(async () => {
      expect(await pay(seen)).toMatchObject({ status: 409, body: { code: "price_changed" } });
      expect(await eaters()).toEqual([]);
      const paid = await pay(await requestShown());
      expect(paid.status, paid.text).toBe(200);
      expect(await eaters()).toEqual([secondChild()]);
    });
  });

  test("POST pay: with no other, nothing is left to pay", async () => {
    const seen = (await choose(child())).body.request;
    await withoutTie(async () => {
      expect(await pay(seen)).toMatchObject({ status: 410, body: { code: "meal_request_over" } });
    });
    expect(await eaters()).toEqual([]);
  });

  test("POST lines: they are forgotten with the next change", async () => {
    await choose(child());
    await withoutTie(async () => {
      expect((await choose(secondChild())).status).toBe(200);
    });
    const { lines } = await requestShown();
    expect(lines).toMatchObject([{ registration: secondChild() }]);
  });

  test("the reminder of what is chosen does not name the child", async () => {
    await choose(child(), secondChild());
    await withoutTie(async () => {
      const days = 4 * 86_400_000;
      server.clock.advance(days);
      await remindOfMeals(server.deps);
      server.clock.advance(-days);
      const told = await query("select body from notification");
      expect(told).toEqual([{ body: expect.stringMatching(/^1 repas pour Jade, 3,45/) }]);
    });
  });
});

/** Tables that the family writes to. */
const written = async () =>
  (
    await query(`select
      (select json_agg(l order by on_day, registration_id) from meal_request_line l) as lines,
      (select json_agg(o order by id) from meal_order o) as orders,
      (select json_agg(r order by id) from canteen_registration r) as registrations,
      (select json_agg(i order by id) from meal_illness i) as illnesses,
      (select json_agg(w order by id) from meal_wait w) as waits,
      (select count(*) from hold) as holds, (select count(*) from audit) as audit`)
  )[0];

interface Act {
  /** A statement that locks what the act waits for. */
  hold: string;
  /** Makes what the act is about; gives the act. */
  ready: () => Promise<(client: Client) => Promise<Answered>>;
  /** What a former guardian is answered; `not_found` unless told. */
  code?: string;
}

const acts: Record<string, Act> = {
  "choosing meals": {
    hold: "select from meal_request for update",
    ready: async () => {
      await choose(secondChild());
      return () => choose(child());
    },
  },
  "choosing weeks": {
    hold: "select from meal_request for update",
    ready: async () => {
      await choose(secondChild());
      return (client) =>
        client.post("/api/canteen/requests/template", {
          idgroup: canteen.groupId,
          registrations: [child()],
          weekdays: [0, 1],
          from: monday,
          to: "2027-12-03",
        });
    },
  },
  "paying what is chosen": {
    hold: "select from canteen for update",
    code: "meal_request_over",
    ready: async () => {
      const { request } = (await choose(child())).body;
      return () => pay(request);
    },
  },
};

test.each(Object.entries(acts))("%s while the tie ends: refused", async (_what, one) => {
  const act = await one.ready();
  const before = await written();
  const { answer, waited } = await whileHeld(
    server,
    (held) => held.query(one.hold),
    () => act(camille),
    (held) => untie(held, "guardian", "child"),
  );
  await tieAgain(server.owner.pool, "guardian", "child");
  expect([answer.body.code, waited], answer.text).toEqual([one.code ?? "not_found", true]);
  expect(await written()).toEqual(before);
});
