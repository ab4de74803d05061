// One's own data: the export, the closing of an account and what remains of it, the register.
import { randomBytes } from "node:crypto";
import { Transformer } from "@napi-rs/image";
import { afterAll, beforeAll, expect, test } from "vitest";
import yauzl, { type Entry } from "yauzl";
import { parisDay } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { earnPoints } from "#server/till/till.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { hold, post, verify, voidHold } from "#server/ledger/ledger.ts";
import { openWallet, schemeAccount } from "#server/wallet/wallet.ts";
import { approve } from "#tests/approve.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { makeEvent } from "#tests/events.ts";
import { whileHeld } from "#tests/row-locks.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { leaveToSpend } from "#tests/wallet-money.ts";
import { closeDue } from "./closing.ts";
import { returnLateMoney } from "./late-money.ts";
import { privacyTasks, sweepOld } from "./privacy.ts";
import { privacyCommands } from "./operator.ts";
import { nonPersonalTables } from "./non-personal-tables.ts";
import { register } from "./register.ts";
import { runByTwo } from "#tests/two-operators.ts";

let server: TestServer;
let thomas: Client;
beforeAll(async () => {
  server = await openTestServer();
  thomas = await server.as("coGuardian");
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});

const day = 86_400_000;
/** Pasted together with the word before it. */
const iban = "IBAN :\u00a0FR76 3000 6000 0112 3456 7890 189";
const number = (name: CastName) => cast[name].cardnumber;
const one = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows[0];
const seen = async (client: Client, name: CastName) =>
  (await client.get(`/api/privacy?cardnumber=${number(name)}`)).body;
const operate = (name: string, ...args: string[]) =>
  runByTwo(
    server.deps,
    privacyCommands.find((command) => command.name === name),
    args,
  );

const approved = (client: Client, path: string, body: Record<string, unknown>) =>
  approve(server, client, path, body);

async function filesOf(zip: Buffer): Promise<Map<string, Buffer>> {
  const file = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    yauzl.fromBuffer(zip, { lazyEntries: false }, (error, zipFile) =>
      error ? reject(error) : resolve(zipFile),
    ),
  );
  const entries: Entry[] = [];
  file.on("entry", (entry: Entry) => entries.push(entry));
  await new Promise((resolve) => file.on("end", resolve));
  const found = new Map<string, Buffer>();
  for (const entry of entries) {
    const bytes = await new Promise<Buffer>((resolve, reject) =>
      file.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => resolve(Buffer.concat(chunks)));
      }),
    );
    found.set(entry.fileName, bytes);
  }
  return found;
}

// proves: data-export
test("every table of the database is in the register, or said to be nobody's", async () => {
  const { rows } = await server.deps.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const known = new Set([...register.map(({ table }) => table), ...Object.keys(nonPersonalTables)]);
  expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  expect([...known].filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
});

/** Sets a picture of one pixel on their profile. */
const setAvatar = async (client: Client, name: CastName) => {
  const file = await Transformer.fromRgbaPixels(Buffer.alloc(4, 200), 1, 1).png();
  const sent = await client.post(`/api/cards/${number(name)}/avatar`, file, {
    "content-type": "application/octet-stream",
  });
  expect(sent.status).toBe(200);
};

/** Adds a bus stop to their favourites. */
const setFavourite = (name: CastName) =>
  server.deps.pool.query(
    `with stop as (
       insert into transit_stop (gtfs_id, name, letters) values ('M', 'Mairie', 'mairie') returning id)
     insert into favourite_stop (person_id, stop_id, name, at)
       select c.person_id, stop.id, 'Mairie', now() from card c, stop where c.number = $1`,
    [number(name)],
  );

// proves: data-export
test("an export: asked with a code, made once, everything of mine and no secret, nothing of others", async () => {
  await setAvatar(thomas, "coGuardian");
  await setFavourite("coGuardian");
  const body = { cardnumber: number("coGuardian") };
  const response = await approved(thomas, "/api/privacy/exports", body);
  expect(response).toMatchObject({ status: 202, body: { readyAt: null } });
  const { id } = response.body;
  const path = `/api/privacy/exports/${id}`;
  expect((await thomas.get(path)).body.code).toBe("export_waiting");
  const twice = await thomas.post("/api/privacy/exports", body);
  expect(twice).toMatchObject({ status: 409, body: { code: "export_waiting" } });
  await server.runJobs();
  const answer = await server.app.inject({
    method: "GET",
    url: path,
    headers: { authorization: `Bearer ${thomas.token}` },
  });
  expect(answer.headers["content-type"]).toBe("application/zip");
  const files = await filesOf(answer.rawPayload);
  expect([...files.keys()]).toEqual([
    "donnees.json",
    "releves/principale.pdf",
    "photo.jpg",
    "LISEZ-MOI.txt",
  ]);
  expect(files.get("photo.jpg")?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  expect(files.get("releves/principale.pdf")?.subarray(0, 5).toString()).toBe("%PDF-");
  const json = files.get("donnees.json")?.toString() ?? "";
  const data = JSON.parse(json);
  expect(data["Identité et coordonnées"][0]).toMatchObject({ name: "Thomas Moreau" });
  expect(data["Arrêts favoris"]).toMatchObject([{ name: "Mairie" }]);
  expect(Object.keys(data).length).toBeGreaterThanOrEqual(register.length);
  expect(json).not.toMatch(/argon2|password_hash|binding|"hmac"|hugo\.petit|Hugo Petit/);
  const hugo = await server.as("stranger");
  expect((await hugo.get(path)).status).toBe(404);
  server.clock.advance(8 * day);
  thomas = await server.as("coGuardian");
  expect((await thomas.get(path)).status).toBe(404);
  await sweepOld(server.deps);
  expect(await one("select from data_export where id = $1", id)).toBeUndefined();
});

test("an export holds what waits for one's answer: a custody and an employer's invitation", async () => {
  const camille = await server.as("guardian");
  const { transport } = await furnishDirectory(server.deps);
  await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  const employer = await server.as("employer");
  await employer.post(`/api/commuting/offers/${transport}`, { employerPercent: 60 });
  const invited = { cardnumber: number("guardian"), name: "Camille Moreau" };
  const enrolments = `/api/commuting/offers/${transport}/enrolments`;
  expect((await employer.post(enrolments, invited)).body).toMatchObject({ state: "invited" });
  const today = parisDay(server.deps.now());
  const days = { kind: "days", first: "me", fromOn: today, toOn: today };
  const custody = `/api/family/members/${number("child")}/custody`;
  expect((await thomas.post(custody, days)).status).toBe(201);
  const body = { cardnumber: number("guardian") };
  const { id } = (await approved(camille, "/api/privacy/exports", body)).body;
  await server.runJobs();
  const { rawPayload } = await server.app.inject({
    method: "GET",
    url: `/api/privacy/exports/${id}`,
    headers: { authorization: `Bearer ${camille.token}` },
  });
  const data = JSON.parse((await filesOf(rawPayload)).get("donnees.json")?.toString() ?? "");
  expect(data["Inscriptions au transport par un employeur"]).toMatchObject([
    { state: "invited", name: "Camille Moreau" },
  ]);
  expect(data["Semaines de garde"]).toMatchObject([{ state: "proposed", kind: "days" }]);
  await server.deps.pool.query("delete from data_export");
});

// proves: export-size
test("an export is kept and sent in pieces, and the next one takes the place of the one before", async () => {
  const person = await one(
    "select person_id as id from card where number = $1",
    number("stranger"),
  );
  // Its content cannot be compressed: three megabytes in the zip, too.
  await server.deps.pool.query(
    `insert into document (person_id, name, type, bytes, content, sha256, at)
     values ($1, 'photo.png', 'image/png', $2, $3, '', now())`,
    [person?.id, 3 * 1024 ** 2, randomBytes(3 * 1024 ** 2)],
  );
  const hugo = await server.as("stranger");
  const ask = async () => {
    const body = { cardnumber: number("stranger") };
    const { id } = (await approved(hugo, "/api/privacy/exports", body)).body;
    await server.runJobs();
    const headers = { authorization: `Bearer ${hugo.token}` };
    const fetched = () =>
      server.app.inject({ method: "GET", url: `/api/privacy/exports/${id}`, headers });
    return { id, fetched };
  };
  const first = await ask();
  const answer = await first.fetched();
  expect(Number(answer.headers["content-length"])).toBe(answer.rawPayload.length);
  const photo = [...(await filesOf(answer.rawPayload))].find(([name]) => name.includes("photo"));
  expect(photo?.[1].length).toBe(3 * 1024 ** 2);
  const pieces = await server.deps.pool.query<{ length: number }>(
    "select length(bytes) from data_export_part where export_id = $1",
    [first.id],
  );
  expect(pieces.rows.length).toBeGreaterThan(8);
  expect(Math.max(...pieces.rows.map(({ length }) => length))).toBeLessThan(512 * 1024);

  const second = await ask();
  expect((await second.fetched()).statusCode).toBe(200);
  expect((await first.fetched()).statusCode).toBe(404);
  const left = await server.deps.pool.query("select distinct export_id from data_export_part");
  expect(left.rows).toEqual([{ export_id: second.id }]);
});

// proves: closed-account
test("a guardian alone, a booking and a professional keep an account open; nothing is asked then", async () => {
  const camille = await server.as("guardian");
  const close = (client: Client, name: CastName) =>
    client.post("/api/privacy/closure", { cardnumber: number(name), iban, beneficiary: "Moi" });
  const refusal = await close(camille, "guardian");
  expect(refusal).toMatchObject({ status: 409, body: { code: "closure_last_guardian" } });
  expect(refusal.body.message).toContain("Jade Moreau");
  const shop = await server.as("partnerShop");
  expect((await close(shop, "partnerShop")).body.code).toBe("closure_professional");
  const { account_id: debitAccount } = await one(
    `select l.account_id from wallet_lot l join wallet w on w.id = l.wallet_id
     join card c on c.person_id = w.person_id where c.number = $1 and l.kind = 'purchased'`,
    number("coGuardian"),
  );
  const booked = await inTx(server.deps.db, async (tx) =>
    hold(tx, {
      key: "booked",
      debitAccount,
      creditAccount: await schemeAccount(tx, "purchases"),
      amountCents: 100,
      kind: "meal",
    }),
  );
  expect((await close(thomas, "coGuardian")).body.code).toBe("closure_bookings");
  await inTx(server.deps.db, (tx) => voidHold(tx, booked.id));
  expect(await one("select from closure")).toBeUndefined();
});

// proves: guardian-decisions
test("a child closes nothing and keeps nothing open: a guardian does, and the trail says who", async () => {
  const child = await server.as("child");
  const body = { cardnumber: number("child"), iban, beneficiary: "Un autre" };
  expect(await child.post("/api/privacy/closure", body)).toMatchObject({
    status: 409,
    body: { code: "family_minor" },
  });
  expect(await one("select from closure")).toBeUndefined();
  expect((await approved(thomas, "/api/privacy/closure", body)).status).toBe(201);
  const cancel = (client: Client) =>
    client.post("/api/privacy/closure/cancel", { cardnumber: number("child") });
  expect((await cancel(child)).body.code).toBe("family_minor");
  expect((await cancel(thomas)).status).toBe(200);
  const line = await one("select actor from audit where action = 'privacy.keep' order by id desc");
  expect(line.actor).toMatch(/^guardian:\d+$/);
  await server.deps.pool.query("delete from closure");
});

test("an IBAN is needed when money is owed, and must be a real one", async () => {
  const body = { cardnumber: number("coGuardian") };
  const close = (more: Record<string, string>) =>
    thomas.post("/api/privacy/closure", { ...body, ...more });
  expect((await close({})).body.code).toBe("closure_iban_missing");
  expect((await close({ iban: "FR7630006000011234567890188", beneficiary: "T" })).status).toBe(400);
  const wrong = await close({ iban: "FR7630006000011234567890188", beneficiary: "Thomas" });
  expect(wrong).toMatchObject({ status: 422, body: { code: "iban_invalid" } });
  const unreadable = await close({ iban, beneficiary: "Θωμάς Μορώ" });
  expect(unreadable).toMatchObject({ status: 422, body: { code: "bank_holder_letters" } });
  expect(await one("select from closure")).toBeUndefined();
});

test("an export about a child is a former guardian's no more", async () => {
  const body = { cardnumber: number("child") };
  const response = await approved(thomas, "/api/privacy/exports", body);
  expect(response.status).toBe(202);
  await server.runJobs();
  const path = `/api/privacy/exports/${response.body.id}`;
  expect((await thomas.get(path)).status).toBe(200);
  expect((await thomas.post(`/api/family/members/${number("child")}/leave`)).status).toBe(200);
  expect((await thomas.get(path)).body).toMatchObject({ code: "not_found" });
  await server.deps.pool.query(
    `insert into family_tie (guardian_id, member_id, role)
     select g.person_id, m.person_id, 'child' from card g, card m where g.number = $1 and m.number = $2`,
    [number("coGuardian"), number("child")],
  );
});

// proves: closed-account
test("asked, given up, asked again: on its day the money is owed, the person forgotten, the books whole", async () => {
  const body = { cardnumber: number("coGuardian"), iban, beneficiary: "Thomas Moreau" };
  const { refundCents } = await seen(thomas, "coGuardian");
  expect(refundCents).toBeGreaterThan(0);
  const first = await approved(thomas, "/api/privacy/closure", body);
  expect(first).toMatchObject({ status: 201, body: { ibanEnd: "0189" } });
  expect((await thomas.post("/api/privacy/closure", body)).body.code).toBe("closure_requested");
  const cancel = () =>
    thomas.post("/api/privacy/closure/cancel", { cardnumber: number("coGuardian") });
  expect((await cancel()).status).toBe(200);
  expect((await cancel()).body.code).toBe("closure_none");
  expect((await approved(thomas, "/api/privacy/closure", body)).status).toBe(201);
  const sealed = await one("select iban_sealed from closure where state = 'requested'");
  expect(Buffer.from(sealed.iban_sealed).toString("latin1")).not.toContain("0189");

  server.clock.advance(13 * day);
  expect(await closeDue(server.deps)).toBe(0);
  server.clock.advance(2 * day);
  // Of concurrent actions for his child one waits for the other, never both.
  const thomasId = "(select person_id from card where number = $1)";
  const closing = await whileHeld(
    server,
    (held) =>
      held.query(`select from family_tie where guardian_id = ${thomasId} for share`, [
        number("coGuardian"),
      ]),
    () => closeDue(server.deps),
    (held) =>
      held.query(`select from person where person.id = ${thomasId} for key share nowait`, [
        number("coGuardian"),
      ]),
  );
  expect(closing).toEqual({ answer: 1, waited: true });
  expect(await closeDue(server.deps)).toBe(0);
  expect((await thomas.get("/api/profile")).status).toBe(401);
  const person = await one(
    `select p.* from person p join card c on c.person_id = p.id where c.number = $1`,
    number("coGuardian"),
  );
  expect(person).toMatchObject({ name: "Compte fermé", email: null, phonenumber: null });
  // The picture in the export above.
  expect(person.avatar).toBeNull();
  const pictures = await one(
    "select count(*)::int as n from avatar where person_id = $1",
    person.id,
  );
  expect(pictures.n).toBe(0);
  expect(await one("select from favourite_stop where person_id = $1", person.id)).toBeUndefined();
  expect(person.disabled_at).not.toBeNull();
  const left = await one(
    "select count(*)::int as n from notification where person_id = $1",
    person.id,
  );
  expect(left.n).toBe(0);
  // Léo keeps his other guardian; the ledger keeps every line.
  const ties = await one(
    "select count(*)::int as n from family_tie where guardian_id = $1",
    person.id,
  );
  expect(ties.n).toBe(0);
  const owed = await operate("privacy refunds");
  expect(owed.lines[0]).toContain("FR7630006000011234567890189");
  const which = owed.lines[0]?.split(" ")[0] ?? "";
  expect((await operate("privacy paid", which)).ok).toBe(false);
  expect((await operate("privacy paid", which, "VIR 1")).ok).toBe(true);
  expect((await operate("privacy paid", which, "VIR 1")).ok).toBe(false);
  expect(await operate("privacy refunds")).toMatchObject({ lines: ["Rien à rendre."] });
  const bank = await one(
    `select balance from ledger_account a join scheme_account s on s.account_id = a.id
     where s.name = 'bank'`,
  );
  expect(Number(bank.balance)).toBe(refundCents);
  const { iban_sealed: gone } = await one("select iban_sealed from closure where state = 'closed'");
  expect(gone).toBeNull();

  // One of their tickets is refunded afterwards.
  const lot = await one(
    `select l.account_id as id from wallet_lot l join wallet w on w.id = l.wallet_id
     where w.person_id = $1 and l.kind = 'purchased' order by 1 limit 1`,
    person.id,
  );
  const back = { kind: "refund", amountCents: 1500, memo: {}, at: server.clock.now() };
  await inTx(server.deps.db, async (tx) => {
    const debitAccount = await schemeAccount(tx, "bank");
    await post(tx, [{ ...back, key: "late", debitAccount, creditAccount: Number(lot.id) }]);
  });
  // Another wallet of theirs, frozen by a dispute, keeps its money, and the night's work goes on.
  const { pool } = server.deps;
  const group = await one(
    "insert into acceptance_group (name, slug, rule) values ('Essai', 'essai', 'Essai') returning id",
  );
  const other = await inTx(server.deps.db, (tx) =>
    openWallet(tx, { personId: person.id, groupId: Number(group.id) }),
  );
  const freeze = "update wallet set frozen_at = $2, frozen_why = $3 where id = $1";
  await pool.query(freeze, [other.id, server.clock.now(), "disputed"]);
  await privacyTasks(server.deps).close_accounts();
  expect(await operate("privacy refunds")).toMatchObject({ lines: ["Rien à rendre."] });
  await pool.query(freeze, [other.id, null, null]);
  await privacyTasks(server.deps).close_accounts();
  await privacyTasks(server.deps).close_accounts();
  const late = await operate("privacy refunds");
  expect(late.lines).toHaveLength(1);
  expect(late.lines[0]).toMatch(/15,00\s€ {2}IBAN à demander {2}Thomas Moreau$/);
  expect((await operate("privacy paid", late.lines[0]?.split(" ")[0] ?? "", "VIR 2")).ok).toBe(
    true,
  );
  expect(await operate("privacy refunds")).toMatchObject({ lines: ["Rien à rendre."] });
});

// proves: closed-account
test("what bars it on the day moves the day by a week, and says why", async () => {
  const hugo = await server.as("stranger");
  const body = { cardnumber: number("stranger"), iban, beneficiary: "Hugo Petit" };
  expect((await approved(hugo, "/api/privacy/closure", body)).status).toBe(201);
  const { pool } = server.deps;
  await pool.query(`update wallet set frozen_at = now(), frozen_why = 'litige' where person_id =
    (select person_id from closure where state = 'requested')`);
  const before = await one("select closes_on from closure where state = 'requested'");
  server.clock.advance(15 * day);
  expect(await closeDue(server.deps)).toBe(0);
  const after = await one("select closes_on from closure where state = 'requested'");
  expect(Date.parse(after.closes_on) - Date.parse(before.closes_on)).toBe(7 * day);
  const notice = await one("select title, body from notification order by id desc limit 1");
  expect(notice.title).toBe("Fermeture reportée");
  expect((await server.as("stranger")).token).not.toBe("");
  await pool.query("update wallet set frozen_at = null, frozen_why = null");
  await pool.query("delete from closure");
});

test("a child left alone by then is named in what is told", async () => {
  const at = new Date(server.clock.now().getTime() - 20 * day);
  await server.deps.pool.query(
    `insert into closure (person_id, requested_by, requested_at, closes_on)
     select person_id, person_id, $2::timestamptz, $2::date + 14 from card where number = $1`,
    [number("guardian"), at],
  );
  expect(await closeDue(server.deps)).toBe(0);
  const { body } = await one(
    "select body from notification where title = 'Fermeture reportée' order by id desc limit 1",
  );
  expect(body).toMatch(/^Vous êtes le seul responsable de .*Jade Moreau/);
  await server.deps.pool.query("delete from closure");
});

test("money that came after the closing was asked: told with its amount, ended by the IBAN", async () => {
  let hugo = await server.as("stranger");
  const { body: list } = await hugo.get(`/api/wallets?cardnumber=${number("stranger")}`);
  const { objectID } = list.items[0];
  await leaveToSpend(server, objectID, 0);
  const body = { cardnumber: number("stranger") };
  const account = { ...body, iban, beneficiary: "Hugo Petit" };
  const give = "/api/privacy/closure/iban";
  expect((await hugo.post(give, account)).body.code).toBe("closure_none");
  expect((await approved(hugo, "/api/privacy/closure", body)).status).toBe(201);
  await leaveToSpend(server, objectID, 1250);
  server.clock.advance(15 * day);
  expect(await closeDue(server.deps)).toBe(0);
  const { body: text } = await one("select body from notification order by id desc limit 1");
  expect(text).toMatch(/^Il vous revient 12,50\s€\. Indiquez l'IBAN/);

  hugo = await server.as("stranger");
  expect(await seen(hugo, "stranger")).toMatchObject({
    refundCents: 1250,
    closure: { ibanEnd: null },
  });
  const wrong = { ...account, iban: "FR7630006000011234567890188" };
  expect((await hugo.post(give, wrong)).body.code).toBe("iban_invalid");
  expect((await hugo.post(give, { ...account, beneficiary: "   " })).status).toBe(400);
  expect((await hugo.post(give, account)).body.code).toBe("code_required");
  expect((await seen(hugo, "stranger")).closure.ibanEnd).toBeNull();
  const response = await approved(hugo, give, account);
  expect(response).toMatchObject({
    status: 200,
    body: { ibanEnd: "0189", beneficiary: "Hugo Petit" },
  });
  server.clock.advance(7 * day);
  expect(await closeDue(server.deps)).toBe(1);
  expect((await one("select refund_cents::int as cents from closure")).cents).toBe(1250);
});

// proves: retention
test("what is older than the register says is deleted, what is younger stays", async () => {
  const before = await one("select count(*)::int as n from notification");
  expect(before.n).toBeGreaterThan(0);
  // Of the employer's enrolments only those that nobody accepted are deleted.
  await server.deps.pool.query(
    `with other as (
       insert into commuting_enrolment
         (plan_id, state, name, cardnumber, invited_by, invited_at, expires_at)
       select plan_id, 'invited', 'Jade', $1, invited_by, invited_at, expires_at
         from commuting_enrolment)
     update commuting_enrolment set state = 'active', accepted_at = invited_at,
       holder_id = (select person_id from card where number = $2)`,
    [number("secondChild"), number("guardian")],
  );
  await sweepOld(server.deps);
  expect((await one("select count(*)::int as n from notification")).n).toBe(before.n);
  server.clock.advance(400 * day);
  await sweepOld(server.deps);
  expect((await one("select count(*)::int as n from notification")).n).toBe(0);
  const { rows } = await server.deps.pool.query("select state from commuting_enrolment");
  expect(rows).toEqual([{ state: "active" }]);
});

test("tickets to come and points are counted among what a closing loses", async () => {
  const camille = await server.as("guardian");
  expect(await seen(camille, "guardian")).toMatchObject({ ticketsToCome: 0, points: 0 });
  const { personId, companyId } = await one(
    `select c.person_id as "personId", m.company_id as "companyId"
       from card c, company_member m join card p on p.person_id = m.person_id
      where c.number = $1 and p.number = $2`,
    number("guardian"),
    number("employer"),
  );
  const at = server.clock.now();
  const earned = { personId: Number(personId), companyId, points: 40, key: "gift", label: "", at };
  await inTx(server.deps.db, (tx) => earnPoints(tx, earned));
  expect(await seen(camille, "guardian")).toMatchObject({ points: 40 });
  const event = await makeEvent(server, { title: "Concert d’été" });
  const cardnumber = number("guardian");
  const seats = { session: event.session, category: event.full, cardnumber, quantity: 2 };
  const { cart } = (await camille.post("/api/tickets/cart/lines", seats)).body;
  const [wallet] = (await camille.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items;
  await leaveToSpend(server, wallet.objectID, 2400);
  const payment = { method: "wallet", order: cart.id, objectID: wallet.objectID, totalCents: 2400 };
  expect((await camille.post("/api/tickets/cart/pay", payment)).status).toBe(200);
  expect(await seen(camille, "guardian")).toMatchObject({ ticketsToCome: 2 });
});

test("a closed account whose wallet is frozen keeps no other's late money", async () => {
  const { pool } = server.deps;
  const { rows: people } = await pool.query<{ id: number }>(
    `select w.person_id as id
       from wallet w join wallet_lot l on l.wallet_id = w.id join ledger_account a on a.id = l.account_id
      where not exists (select from closure c where c.person_id = w.person_id)
      group by w.person_id having sum(a.balance) > 0 and sum(a.held) = 0 order by 1 limit 2`,
  );
  const [frozen, free] = people.map(({ id }) => id);
  const at = server.clock.now();
  await pool.query(
    `insert into closure (person_id, requested_by, requested_at, closes_on, state, answered_at)
     select id, id, $2::timestamptz, $2::date, 'closed', $2 from unnest($1::bigint[]) as id`,
    [[frozen, free], at],
  );
  await pool.query("update wallet set frozen_at = $2, frozen_why = 'litige' where person_id = $1", [
    frozen,
    at,
  ]);
  await returnLateMoney(server.deps, { atOnce: 1 });
  const { rows } = await pool.query<{ left: boolean }>(
    `select sum(a.balance) > 0 as left
       from wallet w join wallet_lot l on l.wallet_id = w.id join ledger_account a on a.id = l.account_id
      where w.person_id = any ($1) group by w.person_id order by w.person_id`,
    [[frozen, free]],
  );
  expect(rows).toEqual([{ left: true }, { left: false }]);
});
