// A sick child: refunds, amounts that stay due, the certificate and its answers, withdrawing it; and who may.
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { verify } from "#server/ledger/ledger.ts";
import { cast } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "#tests/canteens.ts";
import { countStatements } from "#tests/statement-count.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { settleIllnesses } from "./illness-certificate.ts";
import { mealServiceTasks } from "#server/meal-service/jobs.ts";
import { pdfFile } from "#tests/pdf-file.ts";

let server: TestServer;
let canteen: MadeCanteen;
let camille: Client;
let thomas: Client;
let leo: Client;
let hugo: Client;
let desk: Client;
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  canteen = await makeCanteen(server, { kind: "staff", classes: [], sickPaidDays: 1 });
  await signIn();
});
/** Sessions end while a test lets days pass. */
async function signIn(): Promise<void> {
  [camille, thomas, leo, hugo, desk] = await Promise.all([
    server.as("guardian"),
    server.as("coGuardian"),
    server.as("child"),
    server.as("stranger"),
    server.as("canteenProvider"),
  ]);
}
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
});

const { cardnumber } = cast.child;
const child = () => canteen.registrations.child;
let used = 1;
/** Working days in a row that no other test has. */
const freshDays = (count: number) => {
  const today = parisDay(server.deps.now());
  // Apart from the others, so that no illness continues another.
  used += 4;
  return Array.from({ length: count }, () => workingDaysAfter(today, (used += 1)));
};
const mine = { price: 100 };
/** Meals of the child, too late to be cancelled for nothing. */
const lateMeals = async (days: readonly string[]) => {
  for (const day of days) {
    await placeMeal(server, { registration: child(), day, priceCents: mine.price });
  }
};
const span = (days: readonly string[]) => ({ cardnumber, from: days[0], to: days.at(-1) });
const preview = (days: readonly string[], client = camille) =>
  client.post("/api/canteen/illnesses/preview", span(days));
const announce = async (days: readonly string[], client = camille) => {
  const { body } = await preview(days, camille);
  const { dueCents = 0, proofCents = 0 } = body;
  return await client.post("/api/canteen/illnesses", { ...span(days), dueCents, proofCents });
};
const announced = async (days: readonly string[]) => {
  const answer = await announce(days);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.items[0];
};
const mainOf = async () =>
  (await camille.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0];
const ordersOn = async (days: readonly string[]) => {
  const { items } = (await camille.get(`/api/canteen/orders?when=coming&cardnumber=${cardnumber}`))
    .body;
  return items.filter(({ day }: { day: string }) => days.includes(day));
};
const setRule = (rule: string) => server.deps.pool.query(`update canteen set ${rule}`);
const ended = async () => mealServiceTasks(server.deps).close_meals();
const takenOn = async (day: string) =>
  (await server.deps.pool.query("select taken from canteen_day where on_day = $1", [day])).rows[0]
    .taken;
let files = 0;
const certificate = async (client = camille) =>
  (
    await client.post("/api/documents?name=certificat.pdf", pdfFile((files += 1)), {
      "content-type": "application/pdf",
    })
  ).body.id;
const prove = async (illness: string, client = camille) =>
  client.post(`/api/canteen/illnesses/${illness}/certificate`, {
    documents: [await certificate(client)],
  });
const answer = (illness: string, accept: boolean, reason = "") =>
  desk.post(`/api/canteen/own/${canteen.id}/illnesses/${illness}/answer`, { accept, reason });
const listed = async (id: string) =>
  (await camille.get("/api/canteen/illnesses")).body.items.find((one: any) => one.id === id);

describe("POST /api/canteen/illnesses", () => {
  test("the first day stays due, the next are given back; seats and money follow, once", async () => {
    const days = freshDays(3);
    const before = await mainOf();
    await lateMeals(days);
    const seen = (await preview(days)).body;
    expect(seen).toMatchObject({ dueCents: 100, proofCents: 0, freeCents: 200 });
    expect(seen.meals.map(({ terms }: { terms: string }) => terms)).toEqual([
      "due",
      "free",
      "free",
    ]);
    expect(await takenOn(days[1] as string)).toBe(1);
    const [first, second] = await Promise.all([announce(days), announce(days, thomas)]);
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(await takenOn(days[1] as string)).toBe(0);
    expect((await mainOf()).projectedCents).toBe(before.projectedCents - 100);
    expect((await mainOf()).balanceCents).toBe(before.balanceCents);
    expect((await ordersOn(days)).map(({ state }: { state: string }) => state)).toEqual([
      "cancelled",
      "cancelled",
      "cancelled",
    ]);
    await server.owner.pool.query("update meal_order set on_day = on_day - 400 where on_day = $1", [
      days[0],
    ]);
    await ended();
    await ended();
    expect((await mainOf()).balanceCents).toBe(before.balanceCents - 100);
    expect((await mainOf()).projectedCents).toBe(before.projectedCents - 100);
    const notice = (await desk.get("/api/notifications")).body.items[0];
    expect(notice).toMatchObject({ title: "Enfant malade", path: "/pro/cantine?onglet=absences" });
  });

  test("one that goes on without a day of service between does not pay its first days again", async () => {
    const days = freshDays(3);
    await lateMeals(days);
    await announced(days.slice(0, 1));
    const { body } = await preview(days.slice(1));
    expect(body).toMatchObject({ dueCents: 0, freeCents: 200 });
    await announced(days.slice(1));
  });

  test("a meal that can still be cancelled for nothing is never due", async () => {
    const days = freshDays(1);
    await lateMeals(days);
    await server.deps.pool.query("update meal_order set cancel_until = $1 where on_day = $2", [
      new Date(server.deps.now().getTime() + 3_600_000),
      days[0],
    ]);
    expect((await preview(days)).body).toMatchObject({ dueCents: 0, freeCents: 100 });
    await announced(days);
  });

  test("refused: past or too many days, none ordered, other sums than seen, the child itself", async () => {
    const days = freshDays(1);
    const today = parisDay(server.deps.now());
    const code = async (input: object, client = camille) =>
      (await client.post("/api/canteen/illnesses/preview", { cardnumber, ...input })).body.code;
    expect(await code({ from: "2020-01-01", to: today })).toBe("illness_dates");
    expect(await code({ from: days[0], to: today })).toBe("illness_dates");
    expect(await code({ from: today, to: workingDaysAfter(today, 40) })).toBe("illness_dates");
    expect(await code({ from: days[0], to: days[0] })).toBe("illness_no_meals");
    await lateMeals(days);
    expect(await code({ from: days[0], to: days[0] }, leo)).toBe("family_minor");
    expect((await preview(days, hugo)).status).toBe(404);
    const wrong = { ...span(days), dueCents: 0, proofCents: 0 };
    expect((await camille.post("/api/canteen/illnesses", wrong)).body.code).toBe("price_changed");
    expect((await leo.post("/api/canteen/illnesses", wrong)).body.code).toBe("family_minor");
    expect((await ordersOn(days))[0].state).toBe("reserved");
  });
});

describe("taking it back", () => {
  test("orders the meals again at their price, as long as they can be ordered", async () => {
    const days = freshDays(2);
    const before = await mainOf();
    await lateMeals(days);
    const illness = await announced(days);
    expect(illness.canWithdraw).toBe(true);
    const path = `/api/canteen/illnesses/${illness.id}/withdraw`;
    expect((await hugo.post(path)).status).toBe(404);
    expect((await leo.post(path)).body.code).toBe("family_minor");
    expect((await thomas.post(path)).status).toBe(200);
    expect((await camille.post(path)).body.code).toBe("illness_state");
    expect((await mainOf()).projectedCents).toBe(before.projectedCents - 200);
    expect(await takenOn(days[0] as string)).toBe(1);
    const states = (await ordersOn(days)).map(({ state }: { state: string }) => state);
    expect(states.toSorted()).toEqual(["cancelled", "cancelled", "reserved", "reserved"]);
    expect((await listed(illness.id)).state).toBe("withdrawn");
  });

  test("refused once a seat was given or orders are closed, and nothing changes", async () => {
    const days = freshDays(2);
    await lateMeals(days);
    const illness = await announced(days);
    const path = `/api/canteen/illnesses/${illness.id}/withdraw`;
    await server.deps.pool.query("update canteen_day set taken = seats where on_day = $1", [
      days[1],
    ]);
    expect((await camille.post(path)).body.code).toBe("illness_seat_gone");
    await server.deps.pool.query("update canteen_day set taken = 0 where on_day = $1", [days[1]]);
    await setRule(`order_deadline = '{"kind":"never"}'`);
    expect((await camille.post(path)).status).toBe(200);
    const [next = ""] = freshDays(1);
    await lateMeals([next]);
    const later = await announced([next]);
    server.clock.advance(6 * 60_000);
    expect((await listed(later.id)).canWithdraw).toBe(false);
    const refused = await camille.post(`/api/canteen/illnesses/${later.id}/withdraw`);
    expect(refused.body.code).toBe("illness_withdraw_late");
    await setRule(
      `order_deadline = '{"kind":"days_before","days":1,"workingDays":false,"at":"10:00"}'`,
    );
  });
});

describe("the certificate", () => {
  beforeAll(() => setRule("sick_certificate = true"));

  test("sent, refused with a reason, sent again and accepted: only then the money comes back", async () => {
    const days = freshDays(3);
    const before = await mainOf();
    await lateMeals(days);
    const illness = await announced(days);
    expect(illness).toMatchObject({ state: "awaited", dueCents: 100, proofCents: 200 });
    expect((await mainOf()).projectedCents).toBe(before.projectedCents - 300);
    expect((await answer(illness.id, true)).body.code).toBe("illness_state");
    expect((await prove(illness.id)).status).toBe(200);
    const [waiting] = (await desk.get(`/api/canteen/own/${canteen.id}/illnesses`)).body.items;
    expect(waiting).toMatchObject({ id: illness.id, state: "sent" });
    const file = `/api/documents/${waiting.documents[0].id}`;
    expect((await desk.get(file)).status).toBe(200);
    expect((await thomas.get(file)).status).toBe(200);
    expect((await hugo.get(file)).status).toBe(404);
    expect((await answer(illness.id, false)).body.code).toBe("illness_reason");
    expect((await answer(illness.id, false, "Illisible")).status).toBe(200);
    expect(await listed(illness.id)).toMatchObject({ state: "refused", reason: "Illisible" });
    const [notice] = (await camille.get("/api/notifications")).body.items;
    expect(notice.body).toContain("\u202f: Illisible. Envoyez-en un autre avant le");
    expect((await prove(illness.id, thomas)).status).toBe(200);
    expect((await desk.get(file)).status).toBe(404);
    expect((await answer(illness.id, true)).status).toBe(200);
    expect((await mainOf()).projectedCents).toBe(before.projectedCents - 100);
    expect((await listed(illness.id)).state).toBe("accepted");
    expect(server.outbox.some(({ subject }) => subject === "Certificat accepté")).toBe(true);
    expect((await listed(illness.id)).documents).toHaveLength(1);
    server.clock.advance(31 * 86_400_000);
    await ended();
    await signIn();
    expect((await listed(illness.id)).documents).toEqual([]);
  });

  test("one that never comes leaves the meals due; one that nobody answers gives them back", async () => {
    const days = freshDays(2);
    await lateMeals(days);
    const never = await announced(days);
    const other = freshDays(2);
    await lateMeals(other);
    const silent = await announced(other);
    await prove(silent.id);
    server.clock.advance(90 * 86_400_000);
    await ended();
    await ended();
    await signIn();
    const { rows } = await server.deps.pool.query(
      "select id, state from meal_illness where id = any ($1) order by state",
      [[never.id, silent.id]],
    );
    expect(rows).toEqual([
      { id: silent.id, state: "accepted" },
      { id: never.id, state: "unproven" },
    ]);
    // Both first days, and the second of the one without a certificate.
    const { rows: charged } = await server.deps.pool.query(
      `select charged_cents as cents from meal_order where on_day = any ($1::date[]) order by on_day`,
      [[...days, ...other]],
    );
    expect(charged.map(({ cents }) => cents)).toEqual([100, 100, 100, 0]);
    const late = await prove(never.id);
    expect(late.body.code).toBe("illness_state");
  });

  test("another professional neither reads nor answers", async () => {
    const shop = await server.as("partnerShop");
    expect((await shop.get(`/api/canteen/own/${canteen.id}/illnesses`)).status).toBe(404);
    const days = freshDays(2);
    await lateMeals(days);
    const { id } = await announced(days);
    await prove(id);
    const path = `/api/canteen/own/${canteen.id}/illnesses/${id}/answer`;
    expect((await shop.post(path, { accept: true, reason: "" })).status).toBe(404);
  });

  test("a closing of the canteen and the end of a card leave nothing due", async () => {
    const days = freshDays(2);
    await lateMeals(days);
    const before = await mainOf();
    await announced(days);
    const [from, to] = days;
    const own = `/api/canteen/own/${canteen.id}/closings`;
    const closed = await desk.post(own, { from, to, reason: "Travaux", orders: 0 });
    expect(closed.status, closed.text).toBe(201);
    expect((await mainOf()).projectedCents).toBe(before.projectedCents + 200);
    const held = await sql<{ count: number }>`select count(*)::int as count from meal_order
      where state = 'cancelled' and charged_cents is null and on_day = any (${days}::date[])`.execute(
      server.deps.db,
    );
    expect(held.rows[0]?.count).toBe(0);
  });
});

test("GET /api/canteen/illnesses names who eats today or tomorrow, to guardians only", async () => {
  const today = parisDay(server.deps.now());
  await lateMeals([today]);
  const { soon } = (await camille.get("/api/canteen/illnesses")).body;
  expect(soon).toEqual([{ cardnumber, name: cast.child.name, day: today }]);
  expect((await leo.get("/api/canteen/illnesses")).body.soon).toEqual([]);
  expect((await hugo.get("/api/canteen/illnesses")).body).toEqual({ soon: [], items: [] });
});

test("whether illnesses can be taken back is read for the whole list together", async () => {
  const read = () =>
    countStatements(server.deps.pool, async () => {
      expect((await camille.get("/api/canteen/illnesses")).status).toBe(200);
    });
  const announceOne = async () => {
    const days = freshDays(1);
    await lateMeals(days);
    return await announced(days);
  };
  const first = await announceOne();
  const one = await read();
  const second = await announceOne();
  for (const { id } of [first, second]) expect((await listed(id)).canWithdraw).toBe(true);
  expect(await read()).toBe(one);
});

test("every night settles each person's meals and each certificate that is due, and forgets its file", async () => {
  await setRule("sick_certificate = true");
  const illnesses: string[] = [];
  const days: string[] = [];
  for (const name of ["child", "secondChild"] as const) {
    const own = freshDays(2);
    for (const day of own) {
      const registration = canteen.registrations[name];
      await placeMeal(server, { registration, day, priceCents: mine.price });
    }
    const sick = { ...span(own), cardnumber: cast[name].cardnumber };
    const { dueCents, proofCents } = (await camille.post("/api/canteen/illnesses/preview", sick))
      .body;
    const sent = { ...sick, dueCents, proofCents };
    const announcement = await camille.post("/api/canteen/illnesses", sent);
    expect(announcement.status, announcement.text).toBe(201);
    const [{ id }] = announcement.body.items;
    expect((await prove(id)).status).toBe(200);
    illnesses.push(id);
    days.push(...own);
  }
  const left = async () => {
    const read = async (text: string, values: readonly string[]) =>
      (await server.deps.pool.query(text, [values])).rows.map(({ one }) => one);
    return {
      states: await read("select state as one from meal_illness where id = any ($1)", illnesses),
      charged: await read(
        "select charged_cents as one from meal_order where on_day = any ($1::date[]) order by on_day",
        days,
      ),
      files: await read(
        "select id as one from document where attached_kind = 'illness' and attached_id = any ($1)",
        illnesses,
      ),
    };
  };
  server.clock.advance(400 * 86_400_000);
  await settleIllnesses(server.deps, { atOnce: 1 });
  const settled = { states: ["accepted", "accepted"], charged: [100, 0, 100, 0] };
  expect(await left()).toMatchObject({ ...settled, files: { length: 2 } });
  server.clock.advance(31 * 86_400_000);
  await settleIllnesses(server.deps, { atOnce: 1 });
  expect(await left()).toEqual({ ...settled, files: [] });
});
