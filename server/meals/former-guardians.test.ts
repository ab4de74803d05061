// A guardian whose tie with a child ends: meals chosen for the child are neither read nor paid any more, and
// a call that still waits for its lock is refused, with nothing written.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  closeSound,
  forgetMeals,
  type MadeCanteen,
  makeCanteen,
  openCanteenServer,
  placeMeal,
} from "#tests/canteens.ts";
import { paymentTasks } from "#server/payments/payments.ts";
import { cast } from "#tests/cast.ts";
import { tieAgain, untie } from "#tests/family-ties.ts";
import { whileHeld } from "#tests/row-locks.ts";
import { pdfFile } from "#tests/pdf-file.ts";
import type { Answered, Client, TestServer } from "#tests/test-server.ts";
import { remindOfMeals } from "./reminders.ts";

let server: TestServer;
let camille: Client;
let stranger: Client;
let canteen: MadeCanteen;
/** A canteen of the same provider where nobody is registered. */
let other: MadeCanteen;
let wallet: string;
const monday = "2027-11-29";
const { cardnumber } = cast.child;
const query = async (text: string, values: unknown[] = []) =>
  (await server.owner.pool.query(text, values)).rows;

beforeAll(async () => {
  ({ server, canteen, camille } = await openCanteenServer("2027-11-23T11:00:00Z"));
  server.deps.config.codeFromCents = 1_000_000;
  other = await makeCanteen(server, { name: "Centre de loisirs", kind: "staff" });
  stranger = await server.as("stranger");
  const { body } = await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  wallet = body.items[0].objectID;
});
afterAll(() => closeSound(server));
beforeEach(async () => {
  await query("delete from meal_illness_meal; delete from meal_illness; delete from meal_wait");
  await forgetMeals(server);
  await query("delete from meal_request_line; delete from meal_request; delete from meal_notice");
  await query("delete from canteen_registration where canteen_id = $1", [other.id]);
  await query("update canteen_registration set state = 'accepted', ended_at = null");
});

const child = () => canteen.registrations.child;
const secondChild = () => canteen.registrations.secondChild;
const choose = (...registrations: string[]) =>
  camille.post("/api/canteen/requests/lines", {
    idgroup: canteen.groupId,
    meals: registrations.map((registration) => ({ registration, day: monday })),
    chosen: true,
  });
const requestShown = async () =>
  (await camille.get(`/api/canteen/providers/${canteen.groupId}/week?day=${monday}`)).body.request;
const pay = (request: { id: string; revision: number; totalCents: number }, method = "wallet") =>
  camille.post("/api/canteen/requests/pay", {
    request: request.id,
    revision: request.revision,
    totalCents: request.totalCents,
    method,
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
      const lineRegistrations = request.lines.map(
        ({ registration }: { registration: string }) => registration,
      );
      expect([lineRegistrations, request.totalCents]).toEqual([[secondChild()], 345]);
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

  test("card money that comes afterwards pays the others, and the rest stays in the wallet", async () => {
    const left = async () =>
      (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`)).body.items[0]
        .projectedCents;
    const before = await left();
    const paying = await pay((await choose(child(), secondChild())).body.request, "provider");
    expect(paying.status, paying.text).toBe(200);
    await query("update sandbox_charge set state = 'succeeded'");
    await withoutTie(async () => {
      server.clock.advance(3_600_000);
      await paymentTasks(server.deps).reconcile_payments();
      server.clock.advance(-3_600_000);
    });
    expect(await eaters()).toEqual([secondChild()]);
    expect(await left()).toBe(before + 345);
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
      const notices = await query("select body from notification");
      expect(notices).toEqual([{ body: expect.stringMatching(/^1 repas pour Jade, 3,45/) }]);
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

interface RacedAction {
  /** A statement that locks the rows that the call waits for. */
  hold: string;
  /** Prepares the call; returns it. */
  ready: () => Promise<(client: Client) => Promise<Answered>>;
  /** Problem code for a former guardian; `not_found` by default. */
  code?: string;
}

const soon = "2027-11-24";
const place = () => placeMeal(server, { registration: child(), day: soon });
const sick = { cardnumber, from: soon, to: soon };
async function announceReady(): Promise<(client: Client) => Promise<Answered>> {
  await place();
  const { dueCents, proofCents } = (await camille.post("/api/canteen/illnesses/preview", sick))
    .body;
  return (client) => client.post("/api/canteen/illnesses", { ...sick, dueCents, proofCents });
}
async function illness(): Promise<string> {
  const { status, text } = await (await announceReady())(camille);
  expect(status, text).toBe(201);
  return (await query("select id from meal_illness"))[0].id;
}
async function fullService(): Promise<void> {
  await placeMeal(server, { registration: secondChild(), day: monday, priceCents: 0 });
  await query("update canteen_day set seats = taken");
}
const join = (client: Client) =>
  client.post("/api/canteen/waiting-list", { registration: child(), day: monday });
async function waitId(): Promise<string> {
  await fullService();
  const answer = await join(camille);
  expect(answer.status, answer.text).toBeLessThan(300);
  return (await query("select id from meal_wait"))[0].id;
}
const services = "select from canteen_day for update";
const registrations = "select from canteen_registration for update";

const acts: Record<string, RacedAction> = {
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
  "cancelling a meal": {
    hold: services,
    ready: async () => {
      const orders = [await place()];
      return (client) => client.post("/api/canteen/orders/cancel", { orders, costCents: 345 });
    },
  },
  "keeping a meal": {
    hold: "select from meal_order for update",
    ready: async () => {
      const orders = [await place()];
      return (client) => client.post("/api/canteen/orders/keep", { orders });
    },
  },
  "announcing an illness": { hold: registrations, ready: announceReady },
  "sending a certificate": {
    hold: "select from meal_illness for update",
    ready: async () => {
      const id = await illness();
      const sent = await camille.post("/api/documents?name=certificat.pdf", pdfFile(), {
        "content-type": "application/pdf",
      });
      const documents = [sent.body.id];
      return (client) => client.post(`/api/canteen/illnesses/${id}/certificate`, { documents });
    },
  },
  "taking an illness back": {
    hold: "select from meal_illness for update",
    ready: async () => {
      const id = await illness();
      return (client) => client.post(`/api/canteen/illnesses/${id}/withdraw`);
    },
  },
  "asking for a registration": {
    hold: "select from canteen for update",
    ready: async () => (client) =>
      client.post("/api/canteen/registrations", {
        canteen: other.id,
        cardnumber,
        className: "CE1",
        diet: "standard",
        pai: false,
        shareAllergens: false,
        sharePhoto: false,
      }),
  },
  "ending a registration": {
    hold: registrations,
    ready: async () => (client) => client.post(`/api/canteen/registrations/${child()}/end`),
  },
  "joining a waiting list": {
    hold: services,
    ready: async () => {
      await fullService();
      return join;
    },
  },
  "leaving a waiting list": {
    hold: services,
    ready: async () => {
      const id = await waitId();
      return (client) => client.post(`/api/canteen/waiting-list/${id}/leave`);
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

const ofOthers: Record<string, RacedAction> = {
  ...acts,
  "ending a registration": {
    hold: services,
    ready: async () => {
      await waitId();
      return (client) => client.post(`/api/canteen/registrations/${child()}/end`);
    },
  },
};
const byId = [
  "cancelling a meal",
  "keeping a meal",
  "sending a certificate",
  "taking an illness back",
  "ending a registration",
  "joining a waiting list",
  "leaving a waiting list",
];
test.each(byId)("%s of somebody else's child waits for no lock", async (what) => {
  const one = ofOthers[what] as RacedAction;
  const act = await one.ready();
  const { answer, waited } = await whileHeld(
    server,
    (held) => held.query(one.hold),
    () => act(stranger),
  );
  expect([answer.body.code, waited], answer.text).toEqual(["not_found", false]);
});
