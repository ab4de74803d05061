// Pro cards: who sees and manages the cards of a company, what their bearers may not undo, and one card
// given once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { approve, approveIfRequired } from "#tests/approve.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";
import { companyOf, issueProCards } from "./companies.ts";
import { proCardCommands } from "./pro-cards-operator.ts";

let server: TestServer;
let owner: Client;
/** The number of a card that Awa carries, activated, whose bearer knows the password of the cast. */
let awa: number;
/** A card that nobody carries. */
let waiting: number;

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const personOf = async (cardnumber: number) =>
  (await query("select person_id as id from card where number = $1", cardnumber))[0].id as number;
const assignment = {
  firstName: "Awa",
  lastName: "Diallo",
  email: "awa@ateliers-corail.exemple.fr",
  phonenumber: null,
  roles: [],
};
const pathOf = (cardnumber: number) => `/api/pro-cards/${cardnumber}/assign`;
const assign = (client: Client, cardnumber: number, more: object = {}) =>
  approveIfRequired(server, client, pathOf(cardnumber), { ...assignment, ...more });
const signIn = async (login: number) => {
  const answer = await server.anonymous.post("/api/login", { login, password: castPassword });
  expect(answer.status, answer.text).toBe(200);
  return server.withToken(answer.body.token.jeton);
};
const rowOf = async (cardnumber: number, client = owner) => {
  const { body } = await client.get("/api/pro-cards");
  return body.items.find((one: { cardnumber: number }) => one.cardnumber === cardnumber);
};

/** As if the first sign-in were done: a password is chosen, the card is in use. */
async function begin(cardnumber: number) {
  await query(
    "update card set state = 'active', activated_at = now() where number = $1",
    cardnumber,
  );
  await query(
    `update person set must_reset = false, password_hash = (
       select password_hash from person join card on card.person_id = person.id where number = $2)
     where id = (select person_id from card where number = $1)`,
    cardnumber,
    cast.employer.cardnumber,
  );
}

beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.as("employer");
  const company = await companyOf(server.deps.db, await personOf(cast.employer.cardnumber));
  const at = server.deps.now();
  const companyId = company!.companyId;
  const made = await inTx(server.deps.db, (tx) => issueProCards(tx, { companyId, count: 2, at }));
  [awa, waiting] = made as [number, number];
  expect((await assign(owner, awa)).status).toBe(200);
  await begin(awa);
  server.outbox.length = 0;
});

describe("the list", () => {
  test("tells the owner who carries which card, and nobody outside the company", async () => {
    const { status, body } = await owner.get("/api/pro-cards");
    expect(status).toBe(200);
    expect(body).toMatchObject({ company: "Ateliers Corail", canManage: true });
    expect(await rowOf(awa)).toMatchObject({ name: "Awa Diallo", roles: [], state: "active" });
    expect(await rowOf(waiting)).toMatchObject({ name: null, state: "approved", own: false });
    const own = await rowOf(cast.employer.cardnumber);
    expect(own).toMatchObject({ name: "Ateliers Corail", roles: ["owner"], own: true });
    const shop = await server.as("partnerShop");
    expect(JSON.stringify((await shop.get("/api/pro-cards")).body)).not.toContain(String(awa));
    for (const path of [`/api/pro-cards/${awa}/limits`]) {
      expect((await shop.get(path)).status).toBe(404);
    }
    expect((await (await server.as("guardian")).get("/api/pro-cards")).status).toBe(403);
  });

  test("an accountant sees it and changes nothing; a cashier and a mere bearer see nothing", async () => {
    await assign(owner, waiting, { firstName: "Inès", roles: ["accountant"] });
    await begin(waiting);
    const accountant = await signIn(waiting);
    const { status, body } = await accountant.get("/api/pro-cards");
    expect(status).toBe(200);
    expect(body.canManage).toBe(false);
    const limits = { dayCents: 100, weekCents: null, groups: null };
    const set = await accountant.post(`/api/pro-cards/${awa}/limits`, { limits });
    expect(set.body).toMatchObject({ code: "company_role" });
    expect((await accountant.post(`/api/cards/${awa}/suspend`, {})).status).toBe(404);
    expect((await assign(accountant, awa)).body).toMatchObject({ code: "company_role" });

    await query(
      "update company_member set roles = '{cashier}' where person_id = $1",
      await personOf(waiting),
    );
    expect((await accountant.get("/api/pro-cards")).body).toMatchObject({ code: "company_role" });
    const bearer = await signIn(awa);
    expect((await bearer.get("/api/pro-cards")).body).toMatchObject({ code: "company_missing" });
    expect((await bearer.get("/api/company")).body).toEqual({ company: null });
  });
});

describe("what the owner does with an employee's card", () => {
  test("suspending sets atf to 0 and tells the bearer, who cannot take it back", async () => {
    const bearer = await signIn(awa);
    const { status, body } = await owner.post(`/api/cards/${awa}/suspend`, {});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: "suspended",
      atf: 0,
      relation: "employee",
      canResume: true,
    });
    expect((await bearer.get("/api/cards")).body.items[0]).toMatchObject({
      atf: 0,
      canResume: false,
    });
    const notices = (await bearer.get("/api/notifications")).body.items;
    expect(notices[0].body).toContain("Ateliers Corail");
    const refused = await bearer.post(`/api/cards/${awa}/resume`, {});
    expect(refused).toMatchObject({ status: 403, body: { code: "pro_card_resume" } });
    expect((await owner.post(`/api/cards/${awa}/resume`, {})).body).toMatchObject({ atf: 1 });
    const trail = await query(
      "select action, actor from audit where person_id = $1 and action like 'card.%' order by id",
      await personOf(awa),
    );
    const actor = `company:${await personOf(cast.employer.cardnumber)}`;
    expect(trail.map(({ actor: by }) => by)).toEqual([actor, actor]);
  });

  test("opposition ends the bearer's sessions and leaves a chain of numbers", async () => {
    const bearer = await signIn(awa);
    const other = await server.as("partnerShop");
    const reason = { reason: "stolen" };
    expect((await other.post(`/api/cards/${awa}/oppose`, reason)).status).toBe(404);
    const opposed = await owner.post(`/api/cards/${awa}/oppose`, reason);
    expect(opposed.body).toMatchObject({ state: "opposed", atf: 0 });
    expect((await bearer.get("/api/cards")).body).toMatchObject({ code: "session_opposed" });
    const mail = server.outbox.find(({ address }) => address === assignment.email);
    expect(mail?.body).toContain("C’est votre entreprise qui l’a demandé");
    const next = opposed.body.replacement.cardnumber as number;
    expect(String(next)).toMatch(/^2/);
    expect(await rowOf(awa)).toMatchObject({
      replacement: { cardnumber: next, state: "requested" },
    });
    await query("update card set state = 'shipped' where number = $1", next);
    const again = await signIn(awa);
    expect((await again.post(`/api/cards/${next}/activate`, {})).status).toBe(200);
    expect(await rowOf(next)).toMatchObject({ former: [awa], replacement: null, state: "active" });
  });

  test("a suspended card that its bearer opposes is replaced when the owner activates the next one", async () => {
    expect((await owner.post(`/api/cards/${awa}/suspend`, {})).status).toBe(200);
    const bearer = await signIn(awa);
    const opposed = await bearer.post(`/api/cards/${awa}/oppose`, { reason: "lost" });
    const next = opposed.body.replacement.cardnumber as number;
    await query("update card set state = 'shipped' where number = $1", next);
    expect(await bearer.post(`/api/cards/${next}/activate`, {})).toMatchObject({
      status: 403,
      body: { code: "pro_card_resume" },
    });
    expect(await rowOf(awa)).toMatchObject({
      held: true,
      replacement: { cardnumber: next, state: "shipped" },
    });
    const stranger = await server.as("partnerShop");
    expect((await stranger.post(`/api/cards/${next}/activate`, {})).status).toBe(404);
    const { status, body } = await owner.post(`/api/cards/${next}/activate`, {});
    expect([status, body.state]).toEqual([200, "active"]);
  });

  test("what the bearer loses is told to the owner too", async () => {
    const bearer = await signIn(awa);
    await bearer.post(`/api/cards/${awa}/oppose`, { reason: "lost" });
    const notices = (await owner.get("/api/notifications")).body.items;
    expect(notices[0]).toMatchObject({ path: "/professional/card_pro" });
    expect(notices[0].body).toContain("La carte pro d’Awa Diallo");
  });

  test("the owner reads nothing else of the bearer: no QR code, no wallet", async () => {
    expect((await owner.get(`/api/cards/${awa}/qr`)).status).toBe(404);
    expect((await owner.get(`/api/wallets?cardnumber=${awa}`)).status).toBe(404);
    expect((await owner.post(`/api/cards/${awa}/activate`, {})).status).toBe(404);
  });

  test("limits are set for the bearer, who is told; a wrong one changes nothing", async () => {
    const path = `/api/pro-cards/${awa}/limits`;
    const limits = { dayCents: 2500, weekCents: 10_000, groups: [1] };
    const set = await owner.post(path, { limits });
    expect(set.body).toMatchObject({ ...limits, canSet: true, spentDayCents: 0 });
    expect(await rowOf(awa)).toMatchObject({ dayCents: 2500, places: [expect.any(String)] });
    const wrong = { dayCents: 9000, weekCents: 100, groups: null };
    expect((await owner.post(path, { limits: wrong })).body).toMatchObject({ code: "limit_order" });
    const nowhere = { dayCents: null, weekCents: null, groups: [99_999] };
    const unknown = await owner.post(path, { limits: nowhere });
    expect(unknown.body).toMatchObject({ code: "limit_unknown_place" });
    expect((await owner.get(path)).body).toMatchObject(limits);
    const bearer = await signIn(awa);
    const [notice] = (await bearer.get("/api/notifications")).body.items;
    expect(notice.body).toMatch(/25,00.€ par jour, 100,00.€ par semaine/);
  });
});

describe("giving a card to somebody", () => {
  test("tells them, and gives the role that was chosen", async () => {
    const email = "ines@ateliers-corail.exemple.fr";
    const done = await assign(owner, waiting, { firstName: "Inès", email, roles: ["cashier"] });
    expect(done.body).toMatchObject({ name: "Inès Diallo", roles: ["cashier"] });
    const mail = server.outbox.find(({ address }) => address === email);
    expect(mail?.body).toContain(`se terminant par ${String(waiting).slice(-4)}`);
    expect(mail?.body).not.toContain(String(waiting));
  });

  // proves: company-role-given
  test("with a role asks for a code and the password, and tells every owner", async () => {
    await approve(server, owner, `/api/company/people/${awa}/roles`, { roles: ["owner"] });
    server.outbox.length = 0;
    const inès = {
      ...assignment,
      firstName: "Inès",
      email: "ines@corail.exemple.fr",
      roles: ["cashier"],
    };
    const refusal = await owner.post(pathOf(waiting), inès);
    expect(refusal).toMatchObject({
      status: 403,
      body: { code: "code_required", details: { password: true } },
    });
    expect((await rowOf(waiting)).name).toBeNull();
    // What was approved is this person with this role.
    const { challenge } = refusal.body.details;
    const proof = { challenge, code: server.lastCode(), password: castPassword };
    const other = await owner.post(pathOf(waiting), { ...inès, roles: ["accountant"], ...proof });
    expect(other.body).toMatchObject({ code: "code_expired" });
    expect((await owner.post(pathOf(waiting), { ...inès, ...proof })).status).toBe(200);
    const messages = server.outbox.filter(({ subject }) => subject?.includes("Rôle changé"));
    expect(new Set(messages.map(({ address }) => address))).toEqual(
      new Set([cast.employer.email, assignment.email]),
    );
    expect(messages[0]?.body).toContain("Inès Diallo");
    await query("delete from company_member where person_id = $1", await personOf(awa));
  });

  // proves: company-role-given
  test("its address chooses no password before the first sign-in, nor for 72 hours, and proves nothing", async () => {
    const email = "ines@corail.exemple.fr";
    await assign(owner, waiting, { firstName: "Inès", email, roles: ["cashier"] });
    await query("update card set state = 'shipped' where number = $1", waiting);
    const forgot = async () => {
      await query("delete from limiter");
      server.outbox.length = 0;
      const { status } = await server.anonymous.post("/api/password/forgot", { login: waiting });
      expect(status).toBe(200);
      return server.outbox.filter(({ address }) => address === email).length;
    };
    expect(await forgot()).toBe(0);
    server.clock.advance(73 * 3_600_000);
    expect(await forgot()).toBe(0);
    server.clock.advance(-73 * 3_600_000);
    await begin(waiting);
    expect(await forgot()).toBe(0);
    const refusal = await (
      await signIn(waiting)
    ).post("/api/privacy/exports", {
      cardnumber: waiting,
    });
    expect(refusal.body).toMatchObject({ code: "channel_too_new" });
    server.clock.advance(73 * 3_600_000);
    expect(await forgot()).toBe(1);
    server.clock.advance(-73 * 3_600_000);
  });

  // proves: company-role-given
  test("nor does the address of a bearer whose card was ordered", async () => {
    const { companyId } = (await companyOf(
      server.deps.db,
      await personOf(cast.employer.cardnumber),
    ))!;
    const bearer = { name: "Gaëlle Riou", email: "gaelle@corail.exemple.fr", phonenumber: null };
    const at = server.deps.now();
    const [ordered] = await inTx(server.deps.db, (tx) =>
      issueProCards(tx, { companyId, count: 1, bearers: [bearer], at }),
    );
    await begin(ordered!);
    await query("delete from limiter");
    await server.anonymous.post("/api/password/forgot", { login: ordered });
    expect(server.outbox.filter(({ address }) => address === bearer.email)).toEqual([]);
  });

  test("takes a single name", async () => {
    const done = await assign(owner, waiting, { firstName: "Suharto", lastName: "" });
    expect([done.status, done.body.name]).toEqual([200, "Suharto"]);
  });

  test("of ten at once one is given, the others are refused", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, place) =>
        assign(owner, waiting, { lastName: `Numéro ${place}` }),
      ),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    const refused = answers.filter(({ body }) => body.code === "pro_card_assigned");
    expect(refused).toHaveLength(9);
    expect((await rowOf(waiting)).name).toBe(done[0]?.body.name);
  });

  test("refuses a card that served, a wrong phone, another company's, and changes nothing", async () => {
    const wrong = await assign(owner, waiting, { phonenumber: "12345" });
    expect(wrong.body).toMatchObject({ code: "phone_invalid" });
    expect((await assign(owner, waiting, { lastName: "  .  " })).status).toBe(400);
    expect((await assign(owner, waiting, { firstName: "", lastName: " " })).status).toBe(400);
    expect((await assign(await server.as("partnerShop"), waiting)).status).toBe(404);
    await begin(waiting);
    expect((await assign(owner, waiting)).body).toMatchObject({ code: "pro_card_used" });
    expect((await rowOf(waiting)).name).toBeNull();
  });
});

describe("the operator", () => {
  const run = async (...args: string[]) =>
    await proCardCommands[0]!.run(server.deps, args, "alice");

  test("prepares cards for a company; the next batch prints them", async () => {
    const made = await run(String(cast.partnerShop.cardnumber), "3");
    expect(made).toMatchObject({ ok: true });
    expect(made.lines).toHaveLength(4);
    const shop = await server.as("partnerShop");
    const { items } = (await shop.get("/api/pro-cards")).body;
    const states = items.filter((one: { name: string | null }) => one.name === null);
    expect(states.map(({ state }: { state: string }) => state)).toEqual(Array(3).fill("approved"));
  });

  test("refuses a number without a company, a wrong count, and more than a company may have", async () => {
    expect((await run(String(cast.guardian.cardnumber), "3")).ok).toBe(false);
    expect((await run(String(cast.partnerShop.cardnumber), "0")).ok).toBe(false);
    const shop = await personOf(cast.partnerShop.cardnumber);
    const { companyId } = (await companyOf(server.deps.db, shop))!;
    const at = server.deps.now();
    const full = inTx(server.deps.db, (tx) => issueProCards(tx, { companyId, count: 501, at }));
    await expect(full).rejects.toMatchObject({ code: "pro_card_full" });
  });
});
