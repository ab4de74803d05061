// Partnerships over HTTP: invitations that disclose nothing, whose acceptance is needed, which discount the
// till gives and from when, who may read and decide.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { partnerships as limits } from "#contract/partners/partnership-limits.ts";
import { cast } from "#tests/cast.ts";
import { countStatements } from "#tests/statement-count.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { callLosingRoles } from "#tests/role-removal.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let shop: Client;
let employer: Client;
let provider: Client;

const path = "/api/partnerships";
const siretOf = { shop: "90023456800013", employer: "90034567900014", provider: "90012345600015" };
const offered = { givesPercent: 10, getsPercent: 4, note: "Bonjour, faisons affaire." };
const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const personOf = async (cardnumber: number) =>
  (await query("select person_id as id from card where number = $1", cardnumber))[0].id as number;
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body["code"]];
const invite = (client: Client, to: object, terms: object = offered) =>
  client.post(path, { ...to, ...terms });
const list = async (client: Client, kind = "waiting") =>
  (await client.get(`${path}?kind=${kind}`)).body;
const one = async (client: Client, id: string) => (await client.get(`${path}/${id}`)).body;

/** The shop's partnership with the employer, accepted. */
async function agree(): Promise<string> {
  const { body } = await invite(shop, { siret: siretOf.employer });
  const done = await employer.post(`${path}/${body.id}/answer`, { accept: true });
  expect(done.status, done.text).toBe(200);
  return body.id;
}

const setRole = async (cardnumber: number, role: string) =>
  query(
    "update company_member set roles = array[$1] where person_id = $2",
    role,
    await personOf(cardnumber),
  );

beforeAll(async () => {
  server = await openTestServer();
  await furnishDirectory(server.deps);
  server.clock.freeze();
});
afterAll(() => server.close());
beforeEach(async () => {
  await query("delete from partnership");
  await query("delete from limiter");
  server.clock.advance(3_600_000);
  shop = await server.as("partnerShop");
  employer = await server.as("employer");
  provider = await server.as("canteenProvider");
  server.outbox.length = 0;
});

describe("an invitation", () => {
  test("waits on the home of the owners it reached, until it is answered", async () => {
    const toDos = async () => (await employer.get("/api/home/professional")).body.toDos;
    const { body } = await invite(shop, { siret: siretOf.employer });
    expect(await toDos()).toMatchObject([
      { kind: "partnership", id: body.id, what: cast.partnerShop.name },
    ]);
    expect((await shop.get("/api/home/professional")).body.toDos).toEqual([]);
    await setRole(cast.employer.cardnumber, "accountant");
    expect(await toDos()).toEqual([]);
    await setRole(cast.employer.cardnumber, "owner");
    await employer.post(`${path}/${body.id}/answer`, { accept: false });
    expect(await toDos()).toEqual([]);
  });

  test("reaches the company by SIRET or by one of its cards, which answers", async () => {
    const numbers = [{ siret: siretOf.employer }, { toCardnumber: cast.employer.cardnumber }];
    for (const to of numbers) {
      const { status, body } = await invite(shop, to);
      expect(status).toBe(200);
      const received = (await list(employer)).items;
      expect(received).toMatchObject([
        {
          id: body.id,
          state: "invited",
          isInviter: false,
          name: "Librairie des Embruns",
          invited: null,
          givesPercent: 4,
          getsPercent: 10,
          isWaiting: true,
        },
      ]);
      // The inviting side does not know yet whose number it is.
      const [sent] = (await list(shop)).items;
      expect(sent).toMatchObject({ isInviter: true, name: null, town: null, isWaiting: false });
      expect(JSON.stringify(await one(shop, body.id))).not.toContain("Ateliers Corail");
      const accepted = await employer.post(`${path}/${body.id}/answer`, { accept: true });
      expect(accepted.body).toMatchObject({ state: "active", terms: { version: 1 } });
      expect(await one(shop, body.id)).toMatchObject({
        name: "Ateliers Corail",
        siren: "900345679",
        terms: { givesPercent: 10, getsPercent: 4 },
      });
      await query("delete from partnership");
    }
    const messages = server.outbox.filter(({ subject }) => subject?.includes("Invitation à un"));
    expect(messages.map(({ address }) => address)).toEqual([
      cast.employer.email,
      cast.employer.email,
    ]);
  });

  // proves: partnership-invitation
  test("says the same to a number that nobody has", async () => {
    const known = await invite(shop, { siret: siretOf.employer });
    const unknown = await invite(shop, { siret: "73282932000074" });
    const holder = await invite(shop, { toCardnumber: cast.guardian.cardnumber });
    const nobody = await invite(shop, { toCardnumber: 2000000048 });
    for (const { status, body } of [unknown, holder, nobody]) {
      expect([status, body.message]).toEqual([known.status, known.body.message]);
    }
    const shapes = await Promise.all(
      [known, unknown].map(async ({ body }) => {
        const { id, invited, ...rest } = await one(shop, body.id);
        return { ...rest, keys: [typeof id, typeof invited] };
      }),
    );
    expect(shapes[0]).toEqual(shapes[1]);
    expect((await list(shop)).items).toHaveLength(4);
  });

  test("costs the list no statement of its own", async () => {
    const listed = () => countStatements(server.deps.pool, () => list(shop));
    await invite(shop, { siret: siretOf.employer });
    const ofOne = await listed();
    await invite(shop, { siret: "73282932000074" });
    await invite(shop, { toCardnumber: 2000000048 });
    const { items } = await list(shop);
    expect(items.map(({ givesPercent }: { givesPercent: number }) => givesPercent)).toEqual([
      10, 10, 10,
    ]);
    expect(await listed()).toBe(ofOne);
  });

  // proves: partnership-invitation
  test("is not for oneself, not twice, and not for a partner; a card tells nothing of it", async () => {
    expect(codeOf(await invite(shop, { siret: siretOf.shop }))).toEqual([422, "partnership_own"]);
    const own = await invite(shop, { toCardnumber: cast.partnerShop.cardnumber });
    expect(codeOf(own)).toEqual([422, "partnership_own"]);
    expect(codeOf(await invite(shop, {}))).toEqual([400, "invalid_input"]);
    const both = { siret: siretOf.employer, toCardnumber: cast.employer.cardnumber };
    expect(codeOf(await invite(shop, both))).toEqual([400, "invalid_input"]);
    expect(codeOf(await invite(shop, { siret: "90034567900015" }))).toEqual([400, "invalid_input"]);
    await agree();
    const again = await invite(shop, { siret: siretOf.employer });
    expect(codeOf(again)).toEqual([409, "partnership_known"]);
    expect((await invite(shop, { toCardnumber: cast.employer.cardnumber })).status).toBe(200);
    expect((await list(employer)).items).toEqual([]);
    const twice = await invite(shop, { toCardnumber: cast.employer.cardnumber });
    expect(codeOf(twice)).toEqual([409, "partnership_waiting"]);
    expect((await list(shop)).counts).toEqual({ waiting: 1, active: 1, past: 0 });
  });

  test("of a company that has invited this side is refused with that invitation to answer", async () => {
    const { id } = (await invite(employer, { siret: siretOf.shop })).body;
    const crossed = await invite(shop, { siret: siretOf.employer });
    expect(codeOf(crossed)).toEqual([409, "partnership_invited"]);
    expect(crossed.body.message).toContain("répondez-lui dans «\u00a0En attente\u00a0»");
    expect(crossed.body.details).toEqual({ id });
    expect((await list(shop)).counts).toEqual({ waiting: 1, active: 0, past: 0 });
    expect((await shop.post(`${path}/${id}/answer`, { accept: true })).status).toBe(200);
    expect(codeOf(await invite(shop, { siret: siretOf.employer }))).toEqual([
      409,
      "partnership_known",
    ]);
  });

  test("of two companies that invite each other at once, one partnership comes", async () => {
    await Promise.all([
      invite(shop, { siret: siretOf.employer }),
      invite(employer, { siret: siretOf.shop }),
    ]);
    const reached = await query("select id from partnership where invited_id is not null");
    expect(reached).toHaveLength(1);
  });

  test("is refused, taken back, or expires; then it may be sent anew", async () => {
    const first = (await invite(shop, { siret: siretOf.employer })).body.id;
    expect((await employer.post(`${path}/${first}/answer`, { accept: false })).body).toMatchObject({
      state: "refused",
    });
    expect(codeOf(await employer.post(`${path}/${first}/answer`, { accept: true }))).toEqual([
      409,
      "partnership_state",
    ]);
    const second = (await invite(shop, { siret: siretOf.employer })).body.id;
    expect((await shop.post(`${path}/${second}/withdraw`, {})).body.state).toBe("withdrawn");
    expect(codeOf(await shop.post(`${path}/${second}/withdraw`, {}))).toEqual([
      409,
      "partnership_state",
    ]);
    const third = (await invite(shop, { siret: siretOf.employer })).body.id;
    server.clock.advance(30 * 86_400_000);
    shop = await server.as("partnerShop");
    employer = await server.as("employer");
    expect((await one(employer, third)).state).toBe("expired");
    expect(codeOf(await employer.post(`${path}/${third}/answer`, { accept: true }))).toEqual([
      409,
      "partnership_state",
    ]);
    expect((await invite(shop, { siret: siretOf.employer })).status).toBe(200);
    expect((await list(shop, "past")).items).toHaveLength(3);
  });

  // proves: partnership-invitation
  test("twenty a day and no more, whatever becomes of them", async () => {
    for (let sent = 0; sent < 20; sent++) {
      const { body, status } = await invite(shop, { siret: siretOf.employer });
      expect(status).toBe(200);
      await shop.post(`${path}/${body.id}/withdraw`, {});
    }
    expect((await invite(shop, { siret: siretOf.employer })).status).toBe(429);
  });
});

describe("terms", () => {
  // proves: partnership-terms
  test("a new version is in force once the other side accepts it, and not before", async () => {
    const id = await agree();
    const proposed = await shop.post(`${path}/${id}/terms`, {
      givesPercent: 20,
      getsPercent: 0,
      note: "Pour la rentrée",
    });
    expect(proposed.body).toMatchObject({
      terms: { version: 1, givesPercent: 10 },
      proposal: { version: 2, givesPercent: 20, isOurs: true },
    });
    expect((await list(employer, "active")).items).toMatchObject([{ isWaiting: true }]);
    const open = await employer.post(`${path}/${id}/terms`, { ...offered, givesPercent: 1 });
    expect(codeOf(open)).toEqual([409, "partnership_terms_open"]);
    const answer = (client: Client, accept: boolean, version = 2) =>
      client.post(`${path}/${id}/terms/${version}/answer`, { accept });
    expect(codeOf(await answer(shop, true))).toEqual([409, "partnership_state"]);
    expect(codeOf(await answer(employer, true, 1))).toEqual([409, "partnership_state"]);
    server.clock.advance(60_000);
    const done = await answer(employer, true);
    expect(done.body).toMatchObject({
      proposal: null,
      terms: { version: 2, givesPercent: 0, getsPercent: 20, isOurs: false },
      versions: [{ version: 2 }, { version: 1 }],
    });
    expect(codeOf(await answer(employer, true))).toEqual([409, "partnership_state"]);
    const same = await shop.post(`${path}/${id}/terms`, {
      givesPercent: 20,
      getsPercent: 0,
      note: null,
    });
    expect(codeOf(same)).toEqual([422, "partnership_terms_same"]);
  });

  // proves: strangers-write
  test("proposed and taken back over and over, one soon waits: each time the other side is written to", async () => {
    const id = await agree();
    const propose = (givesPercent: number) =>
      shop.post(`${path}/${id}/terms`, { givesPercent, getsPercent: 4, note: "" });
    const cycle = async (time: number) => {
      const { status, body } = await propose(20 + time);
      if (status !== 200) return body.code;
      return (
        await shop.post(`${path}/${id}/terms/${body.proposal.version}/answer`, { accept: false })
      ).status;
    };
    server.outbox.length = 0;
    const answers = [];
    for (let time = 0; time <= limits.proposalsPerDay; time += 1) answers.push(await cycle(time));
    expect(answers).toEqual([200, 200, 200, 200, 200, "partnership_terms_often"]);
    expect(server.outbox).toHaveLength(2 * limits.proposalsPerDay);
    // The other side still may, and the next day both.
    const theirs = await employer.post(`${path}/${id}/terms`, {
      givesPercent: 50,
      getsPercent: 4,
      note: "",
    });
    expect(theirs.status).toBe(200);
    await employer.post(`${path}/${id}/terms/${theirs.body.proposal.version}/answer`, {
      accept: false,
    });
    // Many versions later the one in force is still read, and the list does not read them all.
    await query(
      `insert into partnership_terms (partnership_id, version, inviter_percent, invited_percent,
         by_inviter, proposed_by, proposed_at, closed)
       select partnership_id, n, 20, 4, true, proposed_by, proposed_at - interval '9 days', 'withdrawn'
       from partnership_terms, generate_series(100, 400) n
       where partnership_id = $1 and version = 1`,
      id,
    );
    const seen = await one(shop, id);
    expect(seen.versions).toHaveLength(limits.versionsShown + 1);
    expect(seen.versions.at(-1)).toMatchObject({ version: 1, fromAt: expect.any(String) });
    expect(seen.terms).toMatchObject({ version: 1, givesPercent: 10 });
    expect((await list(shop, "active")).items).toMatchObject([
      { givesPercent: 10, getsPercent: 4 },
    ]);
  });

  test("refused by the other side or taken back by its own, the former go on", async () => {
    const id = await agree();
    const propose = () => shop.post(`${path}/${id}/terms`, { ...offered, givesPercent: 30 });
    await propose();
    const refused = await employer.post(`${path}/${id}/terms/2/answer`, { accept: false });
    expect(refused.body).toMatchObject({ terms: { version: 1 }, proposal: null });
    expect(refused.body.versions[0]).toMatchObject({ version: 2, closed: "refused", fromAt: null });
    await propose();
    const back = await shop.post(`${path}/${id}/terms/3/answer`, { accept: false });
    expect(back.body.versions[0]).toMatchObject({ version: 3, closed: "withdrawn" });
  });

  // proves: partnership-terms
  test("the till takes off what was agreed for the partner's cards, the better of two, until the end", async () => {
    const [counter] = await query(
      "select id from partner where reference = 'librairie-des-embruns'",
    );
    const charge = async () => {
      const sold = await shop.post("/api/till/sales", {
        id: randomUUID(),
        partner: counter.id,
        amountCents: 1000,
        cardnumber: cast.employer.cardnumber,
      });
      expect(sold.status, sold.text).toBe(200);
      await shop.post(`/api/till/sales/${sold.body.id}/withdraw`, {});
      // A card whose number was typed in vain must wait; this test is about the discount.
      await query("update till_sale set requested_at = requested_at - interval '1 hour'");
      return sold.body.discountCents as number;
    };
    expect(await charge()).toBe(0);
    const id = await agree();
    expect(await charge()).toBe(100);
    await query(
      `insert into partner_terms (partner_id, version, discount_percent, commission_basis_points, written_by, from_at)
       values ($1, 1, 15, 0, 'test', $2)`,
      counter.id,
      new Date(0),
    );
    expect(await charge()).toBe(150);
    await query("delete from partner_terms where partner_id = $1", counter.id);
    await shop.post(`${path}/${id}/terms`, { ...offered, givesPercent: 25 });
    expect(await charge()).toBe(100);
    await employer.post(`${path}/${id}/terms/2/answer`, { accept: true });
    expect(await charge()).toBe(250);
    // A holder's card is no card of the partner.
    const holder = await shop.post("/api/till/sales", {
      id: randomUUID(),
      partner: counter.id,
      amountCents: 1000,
      cardnumber: cast.guardian.cardnumber,
    });
    expect(holder.body.discountCents).toBe(0);
    const ended = await employer.post(`${path}/${id}/end`, { reason: "Fin de saison" });
    expect(ended.body).toMatchObject({ state: "ended", endedByUs: true, terms: null });
    expect(await charge()).toBe(0);
    expect(await one(shop, id)).toMatchObject({ endedByUs: false, endedWhy: "Fin de saison" });
    expect(codeOf(await shop.post(`${path}/${id}/end`, { reason: "" }))).toEqual([
      409,
      "partnership_state",
    ]);
  });

  test("a pro card pays at a partner's till from its phone, and its sales are the seller's figures", async () => {
    const id = await agree();
    const [counter] = await query(
      "select id from partner where reference = 'librairie-des-embruns'",
    );
    const up = await employer.get(`/api/wallets?cardnumber=${cast.employer.cardnumber}`);
    const wallet = up.body.items[0].objectID;
    expect(wallet).toBeTruthy();
    await query(
      `insert into till_sale (id, partner_id, cashier_id, holder_id, cardnumber, wallet_id, state,
         amount_cents, discount_cents, requested_at, paid_at)
       select gen_random_uuid(), $1, $2, $3, $4, w.id, 'paid', 1000, 100, $5, $5
       from wallet w where w.object_id = $6`,
      counter.id,
      await personOf(cast.partnerShop.cardnumber),
      await personOf(cast.employer.cardnumber),
      cast.employer.cardnumber,
      server.clock.now(),
      wallet,
    );
    const figures = await shop.get(`/api/till/partnerships/${id}`);
    expect(figures.body).toMatchObject({ sales: 1, paidCents: 900, discountCents: 100 });
    expect((await employer.get(`/api/till/partnerships/${id}`)).body).toMatchObject({ sales: 0 });
    await setRole(cast.partnerShop.cardnumber, "cashier");
    const refused = await shop.get(`/api/till/partnerships/${id}`);
    await setRole(cast.partnerShop.cardnumber, "owner");
    expect(codeOf(refused)).toEqual([403, "company_role"]);
    expect(codeOf(await provider.get(`/api/till/partnerships/${id}`))).toEqual([404, "not_found"]);
    await query("delete from till_sale where state = 'paid' and amount_cents = 1000");
  });
});

describe("who", () => {
  test("an accountant reads and writes messages, a cashier reads the terms alone, neither decides", async () => {
    const id = await agree();
    for (const role of ["accountant", "cashier"]) {
      await setRole(cast.employer.cardnumber, role);
      expect(await one(employer, id)).toMatchObject({ canDecide: false });
      for (const [to, body] of [
        [path, { siret: siretOf.provider, ...offered }],
        [`${path}/${id}/answer`, { accept: true }],
        [`${path}/${id}/withdraw`, {}],
        [`${path}/${id}/end`, { reason: "" }],
        [`${path}/${id}/terms`, offered],
        [`${path}/${id}/terms/1/answer`, { accept: true }],
      ] as const) {
        expect(codeOf(await employer.post(to, body)), to).toEqual([403, "company_role"]);
      }
    }
    expect(codeOf(await employer.get(`${path}/${id}/messages`))).toEqual([403, "company_role"]);
    expect(codeOf(await employer.post(`${path}/${id}/messages`, { text: "Bonjour" }))).toEqual([
      403,
      "company_role",
    ]);
    await setRole(cast.employer.cardnumber, "accountant");
    expect((await employer.post(`${path}/${id}/messages`, { text: "Bonjour" })).status).toBe(200);
    await setRole(cast.employer.cardnumber, "owner");
    expect((await shop.get(`${path}/${id}/messages`)).body.items).toMatchObject([
      { text: "Bonjour", isOurs: false, by: null },
    ]);
    expect(await one(shop, id)).toMatchObject({ state: "active", terms: { version: 1 } });
  });

  test("whoever loses the role meanwhile decides and writes nothing", async () => {
    const { body } = await invite(shop, { siret: siretOf.employer });
    const of = `${path}/${body.id}`;
    const taken = async (to: string, input: object, by = employer) => {
      const { answer } = await callLosingRoles(server, {
        cardnumber: by === shop ? cast.partnerShop.cardnumber : cast.employer.cardnumber,
        left: ["kitchen"],
        send: () => by.post(to, input),
      });
      return answer;
    };
    const refused = [403, "company_role"];
    expect(codeOf(await taken(`${of}/answer`, { accept: true }))).toEqual(refused);
    expect(codeOf(await taken(`${of}/withdraw`, {}, shop))).toEqual(refused);
    const again = { toCardnumber: cast.canteenProvider.cardnumber, ...offered };
    expect(codeOf(await taken(path, again, shop))).toEqual(refused);
    expect((await list(shop)).counts).toEqual({ waiting: 1, active: 0, past: 0 });
    await employer.post(`${of}/answer`, { accept: true });
    const terms = { givesPercent: 5, getsPercent: 5, note: "" };
    expect(codeOf(await taken(`${of}/terms`, terms))).toEqual(refused);
    expect(codeOf(await taken(`${of}/messages`, { text: "Bonjour." }))).toEqual(refused);
    expect(codeOf(await taken(`${of}/end`, { reason: "" }))).toEqual(refused);
    expect(await one(shop, body.id)).toMatchObject({ state: "active", proposal: null });
    expect((await shop.get(`${of}/messages`)).body.items).toEqual([]);
  });

  test("a third company finds none of it", async () => {
    const id = await agree();
    for (const [to, body] of [
      [`${path}/${id}/answer`, { accept: true }],
      [`${path}/${id}/withdraw`, {}],
      [`${path}/${id}/end`, { reason: "" }],
      [`${path}/${id}/terms`, { ...offered, givesPercent: 90 }],
      [`${path}/${id}/terms/1/answer`, { accept: true }],
      [`${path}/${id}/messages`, { text: "Bonjour" }],
    ] as const) {
      expect(codeOf(await provider.post(to, body)), to).toEqual([404, "not_found"]);
    }
    expect(codeOf(await provider.get(`${path}/${id}`))).toEqual([404, "not_found"]);
    expect(codeOf(await provider.get(`${path}/${id}/messages`))).toEqual([404, "not_found"]);
    expect((await list(provider, "active")).items).toEqual([]);
    expect(await one(shop, id)).toMatchObject({ state: "active" });
  });

  test("messages are read page by page, and none is written once it is over", async () => {
    const id = await agree();
    for (const text of ["un", "deux", "trois"]) {
      await shop.post(`${path}/${id}/messages`, { text });
    }
    const first = (await employer.get(`${path}/${id}/messages?limit=2`)).body;
    expect(first.items.map(({ text }: { text: string }) => text)).toEqual(["trois", "deux"]);
    const rest = (await employer.get(`${path}/${id}/messages?limit=2&before=${first.next}`)).body;
    expect(rest).toMatchObject({ items: [{ text: "un" }], next: null });
    expect(codeOf(await shop.post(`${path}/${id}/messages`, { text: "  " }))).toEqual([
      400,
      "invalid_input",
    ]);
    await shop.post(`${path}/${id}/end`, { reason: "" });
    expect(codeOf(await shop.post(`${path}/${id}/messages`, { text: "Bonjour" }))).toEqual([
      409,
      "partnership_state",
    ]);
  });
});
