// Review of membership requests: submission, questions and answers, the decision, what is deleted.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dayMs } from "#contract/days.ts";
import { partnerCommands } from "#server/partners/operator.ts";
import { cast } from "#tests/cast.ts";
import { sweepMemberships } from "./memberships.ts";
import {
  clearMemberships,
  company,
  membershipActs,
  path,
  phone,
  representative,
} from "#tests/memberships.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let hugo: Client;
let acts: ReturnType<typeof membershipActs>;
beforeAll(async () => {
  server = await openTestServer();
  hugo = await server.as("stranger");
  acts = membershipActs(server);
});
afterAll(() => server.close());
beforeEach(() => clearMemberships(server));

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const operator = (name: string, ...args: string[]) => acts.operator(name, ...args);
const upload = (client: Client, mark: string) => acts.upload(client, mark);
const read = (client: Client) => acts.read(client);
const versionOf = (client: Client) => acts.versionOf(client);
const act = (client: Client, what: string, more?: object) => acts.act(client, what, more);
const fill = (client: Client) => acts.fill(client);
const submitted = (client: Client) => acts.submitted(client);

describe("the study", () => {
  test("a request that nobody took up is answered with the command that does", async () => {
    const number = String(await submitted(hugo));
    for (const words of [["approve"], ["reject", "Non"], ["ask", "Pourquoi ?"]]) {
      const [name = "", ...more] = words;
      const { ok, lines } = await operator(name, number, ...more);
      expect([ok, lines[0]]).toEqual([
        false,
        `Cette demande est envoyée, pas encore à l'étude. Prenez-la d'abord : memberships review ${number}.`,
      ]);
    }
    expect(await read(hugo)).toMatchObject({ state: "submitted" });
  });

  test("sent twice at once is one request; it is announced, audited and no longer written", async () => {
    await fill(hugo);
    server.outbox.length = 0;
    const version = await versionOf(hugo);
    const send = () => hugo.post(`${path}/submit`, { version });
    const both = await Promise.all([send(), send()]);
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
    expect(server.outbox.map(({ subject }) => subject)).toEqual([
      expect.stringContaining("Demande d’adhésion envoyée"),
    ]);
    for (const [what, more] of [
      ["company", company],
      ["representative", representative],
      ["submit", {}],
      ["discard", {}],
      ["answer", { text: "?", documents: [] }],
      ["documents/remove", { kind: "identity" }],
    ] as const) {
      expect([what, (await act(hugo, what, more)).body.code]).toEqual([what, "membership_closed"]);
    }
    expect((await read(hugo)).documents).toHaveLength(2);
    const lines = await query(
      "select action from audit where action like 'membership.%' order by id desc limit 1",
    );
    expect(lines).toEqual([{ action: "membership.submit" }]);
  });

  test("a question opens what it asks for, is to do, and is answered with a document", async () => {
    const number = await submitted(hugo);
    expect((await operator("ask", String(number), "Lisible ?")).lines[0]).toContain(
      "memberships review",
    );
    expect((await operator("approve", String(number))).ok).toBe(false);
    expect(await operator("review", String(number))).toMatchObject({ ok: true });
    server.outbox.length = 0;
    expect((await operator("ask", String(number), "Kbis illisible.", "autre")).ok).toBe(false);
    expect((await operator("ask", String(number), "")).ok).toBe(false);
    const result = await operator("ask", String(number), "Kbis illisible.", "documents");
    expect(result).toMatchObject({ ok: true });
    expect(server.outbox[0]?.body).toContain("Kbis illisible. À revoir : documents.");
    const { toDos } = (await hugo.get(`/api/home?cardnumber=${cast.stranger.cardnumber}`)).body;
    expect(toDos).toContainEqual(
      expect.objectContaining({
        kind: "membership",
        id: "devenir-partenaire",
        from: "Service clients",
      }),
    );
    expect(await read(hugo)).toMatchObject({
      state: "clarification",
      requestedParts: ["documents"],
    });
    // The operator asked: their list does not address the person.
    expect((await operator("list")).lines.join()).toMatch(
      new RegExp(`${number} .*Précision demandée`),
    );
    expect((await operator("approve", String(number))).lines[0]).toContain("Précision demandée");
    // Only what was asked for may be written.
    expect((await act(hugo, "company", company)).body.code).toBe("membership_closed");
    await hugo.post(`${path}/documents/remove`, { kind: "registration" });
    const early = await act(hugo, "answer", { text: "Voici.", documents: [] });
    expect(early.body.code).toBe("membership_incomplete");
    const document = await upload(hugo, "kbis-net");
    await hugo.post(`${path}/documents`, { kind: "registration", document });
    const letter = await upload(hugo, "lettre");
    const blank = await act(hugo, "answer", { text: "  ", documents: [] });
    expect(blank.body.code).toBe("invalid_input");
    const answered = await act(hugo, "answer", { text: "Voici.", documents: [letter] });
    expect(answered.body.membership).toMatchObject({ state: "review", requestedParts: [] });
    expect(answered.body.membership.exchanges).toMatchObject([
      { from: "team", text: "Kbis illisible.", parts: ["documents"], documents: [] },
      { from: "me", text: "Voici.", documents: [{ id: letter }] },
    ]);
    const details = (await operator("show", String(number))).lines.join("\n");
    expect(details).toContain("Crêperie du Phare, SARL");
    expect(details).toContain(letter);
    expect(details).toContain(document);
    expect((await operator("list")).lines[0]).toContain("En cours d’étude");
  });

  test("approved twice at once opens one company, with one professional number that signs in", async () => {
    const number = String(await submitted(hugo));
    await operator("review", number);
    server.outbox.length = 0;
    const both = await Promise.all([operator("approve", number), operator("approve", number)]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    const done = both.find(({ ok }) => ok)?.lines[0] ?? "";
    const [, cardnumber, secret] = /carte (\d{10})  secret ([\d-]{14})/.exec(done) ?? [];
    expect(Number(cardnumber)).toBeGreaterThan(2_000_000_000);
    expect(server.outbox).toHaveLength(1);
    expect(server.outbox[0]).toMatchObject({ address: cast.stranger.email });
    const page = (await hugo.get(path)).body.membership;
    expect(page).toMatchObject({ state: "approved", cardnumber: Number(cardnumber) });
    const [made] = await query(
      `select p.type, p.name, p.phonenumber, p.email, m.roles, c.name as company, c.vat_number as vat
       from card join person p on p.id = card.person_id join company_member m on m.person_id = p.id
       join company c on c.id = m.company_id where card.number = $1`,
      Number(cardnumber),
    );
    expect(made).toEqual({
      type: 2,
      name: "Hugo Petit",
      phonenumber: phone,
      email: cast.stranger.email,
      roles: ["owner"],
      company: "Crêperie du Phare",
      vat: "FR44732829320",
    });
    // Its sheet is there to be completed, and nobody finds it before the operator shows it.
    const [sheet] = await query(`select p.* from partner p join company c on c.id = p.company_id
      where c.name = 'Crêperie du Phare'`);
    expect(sheet).toMatchObject({
      reference: "creperie-du-phare",
      category_id: company.category,
      street: company.street,
      listed: false,
    });
    expect(both.find(({ ok }) => ok)?.lines[1]).toContain("partners unhide creperie-du-phare");
    expect((await hugo.get(`/api/partners/${sheet.id}`)).status).toBe(404);
    // It sells nothing before its terms are agreed, and the till says so.
    const frozenWhy = async () =>
      (await query("select frozen_why from partner where id = $1", sheet.id))[0].frozen_why;
    expect(await frozenWhy()).toContain("conditions de vente");
    const terms = partnerCommands.find(({ name }) => name === "partners terms");
    const rows = await query(
      "select frozen_at is not null as frozen from partner where id = $1",
      sheet.id,
    );
    expect(rows).toEqual([{ frozen: true }]);
    expect((await terms?.run(server.deps, ["creperie-du-phare", "0", "2,5"], "alice"))?.ok).toBe(
      true,
    );
    expect(await frozenWhy()).toBeNull();
    const [agreed] = await query("select title, body from notification order by id desc limit 1");
    expect(agreed.title).toBe("Vos conditions sont fixées");
    const command = partnerCommands.find(({ name }) => name === "partners unhide");
    const unhide = (...args: string[]) => command?.run(server.deps, args, "alice");
    expect((await unhide("creperie-du-phare"))?.lines.join()).toContain("pas de position");
    expect((await unhide("creperie-du-phare", "47,87", "-3,9"))?.ok).toBe(true);
    expect((await hugo.get(`/api/partners/${sheet.id}`)).body).toMatchObject({
      name: "Crêperie du Phare",
    });
    const [notice] = await query(
      `select n.title, n.path from notification n join card c on c.person_id = n.person_id
       where c.number = $1 and n.kind = 'membership'`,
      Number(cardnumber),
    );
    expect(notice).toEqual({
      title: "Une fiche à compléter",
      path: `/professional/category?fiche=${sheet.id}`,
    });
    // The card is sent, then the printed secret signs in once.
    await query("update card set state = 'shipped' where number = $1", Number(cardnumber));
    const login = { login: Number(cardnumber), password: secret };
    const first = await server.anonymous.post("/api/login", login);
    expect(first.body.data).toMatchObject({ type: 2, isReset: true });
    expect((await hugo.get("/api/profile")).status).toBe(200);
    expect((await operator("reject", number, "Trop tard")).ok).toBe(false);
  });

  // proves: partner-first-password
  test("approved, its address that a code proved chooses the first password at once; the card follows", async () => {
    await query("delete from limiter");
    const number = String(await submitted(hugo));
    await operator("review", number);
    server.outbox.length = 0;
    const { lines } = await operator("approve", number);
    const [, digits = ""] = /carte (\d{10})/.exec(lines[0] ?? "") ?? [];
    const cardnumber = Number(digits);
    const message = server.outbox.find(({ address }) => address === cast.stranger.email);
    expect(message?.body).toContain(`/identify#${cardnumber}`);
    server.outbox.length = 0;
    const { body: recovery } = await server.anonymous.post("/api/password/forgot", {
      login: cardnumber,
    });
    expect(server.outbox).toHaveLength(1);
    const password = "Un-phare-tourne-4-fois";
    const chosen = await server.anonymous.post("/api/password/forgot/reset", {
      challenge: recovery.challenge,
      code: server.lastCode(),
      password,
    });
    expect(chosen.status, chosen.text).toBe(200);
    const entered = await server.anonymous.post("/api/login", { login: cardnumber, password });
    expect(entered.body.data, entered.text).toMatchObject({ type: 2, isReset: false });
    const owner = server.withToken(entered.body.token.jeton);
    const home = (await owner.get("/api/home/professional")).body;
    expect(home.company).toMatchObject({ roles: ["owner"] });
    expect(home.firstSteps.map(({ done }: { done: boolean }) => done)).toEqual([
      false,
      false,
      false,
    ]);
    // The card is not in use: it shows no QR code before it has arrived and is activated.
    const state = async () =>
      (await query("select state from card where number = $1", cardnumber))[0].state;
    expect(await state()).toBe("approved");
    expect((await owner.get(`/api/cards/${cardnumber}/qr`)).status).toBe(409);
    await query("update card set state = 'shipped' where number = $1", cardnumber);
    expect((await owner.post(`/api/cards/${cardnumber}/activate`, {})).status).toBe(200);
    expect(await state()).toBe("active");
    expect(
      (await server.anonymous.post("/api/login", { login: cardnumber, password })).status,
    ).toBe(200);
    // The code is for the first password; a password that was abandoned needs the printed secret.
    await query(
      "update person set must_reset = true where id = (select person_id from card where number = $1)",
      cardnumber,
    );
    await query("delete from limiter");
    server.outbox.length = 0;
    await server.anonymous.post("/api/password/forgot", { login: cardnumber });
    expect(server.outbox).toEqual([]);
  });

  test("a company that came meanwhile is refused at the approval, and its request rejected", async () => {
    const number = String(await submitted(hugo));
    await operator("review", number);
    await query(
      `insert into company (siren, siret, name, street, postcode, town, created_at)
       values ('732829320', '73282932000074', 'Déjà', 'rue', '35400', 'Port-Lagune', now())`,
    );
    const people = await query("select count(*)::int as count from person");
    const refused = await operator("approve", number);
    expect(refused).toMatchObject({
      ok: false,
      lines: [expect.stringContaining("a déjà son compte")],
    });
    expect(await query("select count(*)::int as count from person")).toEqual(people);
    expect((await operator("reject", number, "")).ok).toBe(false);
    expect(await operator("reject", number, "Compte existant.")).toMatchObject({ ok: true });
    await query("delete from company where siren = '732829320'");
    expect(await read(hugo)).toMatchObject({ state: "rejected", reason: "Compte existant." });
    // Another request may follow.
    const again = await hugo.post(`${path}/company`, { ...company, version: 0 });
    expect(again.body.membership).toMatchObject({ state: "draft", documents: [] });
  });

  test("a professional without a company becomes its owner with the number they have", async () => {
    const shop = await server.as("partnerShop");
    const { cardnumber } = cast.partnerShop;
    const mine = "person_id = (select person_id from card where number = $1)";
    const [own] = await query(`select * from company_member where ${mine}`, cardnumber);
    await query(`delete from company_member where ${mine}`, cardnumber);
    await query(`delete from pro_card where ${mine}`, cardnumber);
    const number = String(await submitted(shop));
    await operator("review", number);
    const { lines } = await operator("approve", number);
    expect(lines[0]).toContain(`carte ${cardnumber}`);
    expect((await shop.get("/api/company")).body.company).toMatchObject({ roles: ["owner"] });
    await query(`delete from company_member where ${mine}`, cardnumber);
    await query(
      "insert into company_member (person_id, company_id, roles, since) values ($1, $2, $3, $4)",
      own.person_id,
      own.company_id,
      own.roles,
      own.since,
    );
  });
});

test("what is no longer needed is deleted: stale drafts, documents after a decision, old refusals", async () => {
  await fill(hugo);
  server.clock.advance(61 * dayMs);
  const late = await server.as("stranger");
  await sweepMemberships(server.deps);
  expect(await read(late)).toBeNull();
  expect(await query("select id from document")).toEqual([]);

  const number = String(await submitted(late));
  await operator("review", number);
  await operator("reject", number, "Incomplet.");
  await sweepMemberships(server.deps);
  expect((await read(late)).documents).toHaveLength(2);
  server.clock.advance(61 * dayMs);
  await sweepMemberships(server.deps);
  const later = await server.as("stranger");
  expect(await read(later)).toMatchObject({ state: "rejected", documents: [] });
  server.clock.advance(400 * dayMs);
  await sweepMemberships(server.deps);
  expect(await read(await server.as("stranger"))).toBeNull();
});

test("the operator chooses which documents a request needs", async () => {
  const later = await server.as("stranger");
  const chosen = await operator("documents", "devenir-partenaire", "registration,mandate");
  expect(chosen).toMatchObject({ ok: true, lines: [expect.stringContaining("Pouvoir")] });
  expect((await later.get(path)).body.service.documents).toEqual(["registration", "mandate"]);
  expect((await operator("documents", "annuaire", "identity")).ok).toBe(false);
  expect((await operator("documents", "devenir-partenaire", "rib")).ok).toBe(false);
  await operator("documents", "devenir-partenaire", "registration,identity");
});
