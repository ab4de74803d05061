// One's own data: the export, the closing of an account and what stays of it, the register.
import { afterAll, beforeAll, expect, test } from "vitest";
import yauzl, { type Entry } from "yauzl";
import { inTx } from "#server/db/db.ts";
import { hold, verify, voidHold } from "#server/ledger/ledger.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import { approve } from "#tests/approve.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Client, type House, openHouse } from "#tests/house.ts";
import { closeDue } from "./closing.ts";
import { privacyCommands, sweepOld } from "./privacy.ts";
import { nobodys } from "./nobodys.ts";
import { register } from "./register.ts";

let house: House;
let thomas: Client;
beforeAll(async () => {
  house = await openHouse();
  thomas = await house.as("coGuardian");
});
afterAll(async () => {
  expect((await verify(house.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await house.close();
});

const day = 86_400_000;
const iban = "FR76 3000 6000 0112 3456 7890 189";
const number = (name: CastName) => cast[name].cardnumber;
const one = async (text: string, ...values: unknown[]) =>
  (await house.deps.pool.query(text, values)).rows[0];
const seen = async (client: Client, name: CastName) =>
  (await client.get(`/api/privacy?cardnumber=${number(name)}`)).body;
const operate = async (name: string, ...given: string[]) =>
  await privacyCommands.find((command) => command.name === name)?.run(house.deps, given);

const approved = (client: Client, path: string, body: Record<string, unknown>) =>
  approve(house, client, path, body);

async function filesOf(zip: Buffer): Promise<Map<string, Buffer>> {
  const file = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    yauzl.fromBuffer(zip, { lazyEntries: false }, (error, opened) =>
      error ? reject(error) : resolve(opened),
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

test("every table of the database is in the register, or said to be nobody's", async () => {
  const { rows } = await house.deps.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const known = new Set([...register.map(({ table }) => table), ...Object.keys(nobodys)]);
  expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  expect([...known].filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
});

test("an export: asked with a code, made once, everything of mine and no secret, nothing of others", async () => {
  const body = { cardnumber: number("coGuardian") };
  const asked = await approved(thomas, "/api/privacy/exports", body);
  expect(asked).toMatchObject({ status: 202, body: { readyAt: null } });
  const { id } = asked.body;
  const path = `/api/privacy/exports/${id}`;
  expect((await thomas.get(path)).body.code).toBe("export_waiting");
  const twice = await thomas.post("/api/privacy/exports", body);
  expect(twice).toMatchObject({ status: 409, body: { code: "export_waiting" } });
  await house.runJobs();
  const answer = await house.app.inject({
    method: "GET",
    url: path,
    headers: { authorization: `Bearer ${thomas.token}` },
  });
  expect(answer.headers["content-type"]).toBe("application/zip");
  const files = await filesOf(answer.rawPayload);
  expect([...files.keys()]).toEqual(["donnees.json", "releves/principale.pdf", "LISEZ-MOI.txt"]);
  expect(files.get("releves/principale.pdf")?.subarray(0, 5).toString()).toBe("%PDF-");
  const json = files.get("donnees.json")?.toString() ?? "";
  const data = JSON.parse(json);
  expect(data["Identité et coordonnées"][0]).toMatchObject({ name: "Thomas Moreau" });
  expect(Object.keys(data).length).toBeGreaterThanOrEqual(register.length);
  expect(json).not.toMatch(/argon2|password_hash|binding|"hmac"|hugo\.petit|Hugo Petit/);
  const hugo = await house.as("stranger");
  expect((await hugo.get(path)).status).toBe(404);
  house.clock.advance(8 * day);
  thomas = await house.as("coGuardian");
  expect((await thomas.get(path)).status).toBe(404);
  await sweepOld(house.deps);
  expect(await one("select from data_export where id = $1", id)).toBeUndefined();
});

test("a guardian alone, a booking and a professional keep an account open; nothing is asked then", async () => {
  const camille = await house.as("guardian");
  const close = (client: Client, name: CastName) =>
    client.post("/api/privacy/closure", { cardnumber: number(name), iban, beneficiary: "Moi" });
  const alone = await close(camille, "guardian");
  expect(alone).toMatchObject({ status: 409, body: { code: "closure_last_guardian" } });
  expect(alone.body.message).toContain("Jade Moreau");
  const shop = await house.as("partnerShop");
  expect((await close(shop, "partnerShop")).body.code).toBe("closure_professional");
  const { account_id: debit } = await one(
    `select l.account_id from wallet_lot l join wallet w on w.id = l.wallet_id
     join card c on c.person_id = w.person_id where c.number = $1 and l.kind = 'purchased'`,
    number("coGuardian"),
  );
  const booked = await inTx(house.deps.db, async (tx) =>
    hold(tx, {
      key: "booked",
      debit,
      credit: await schemeAccount(tx, "purchases"),
      amountCents: 100,
      kind: "meal",
    }),
  );
  expect((await close(thomas, "coGuardian")).body.code).toBe("closure_bookings");
  await inTx(house.deps.db, (tx) => voidHold(tx, booked.id));
  expect(await one("select from closure")).toBeUndefined();
});

test("an IBAN is needed when money is owed, and must be a real one", async () => {
  const body = { cardnumber: number("coGuardian") };
  const close = (more: Record<string, string>) =>
    thomas.post("/api/privacy/closure", { ...body, ...more });
  expect((await close({})).body.code).toBe("closure_iban_missing");
  expect((await close({ iban: "FR7630006000011234567890188", beneficiary: "T" })).status).toBe(400);
  const wrong = await close({ iban: "FR7630006000011234567890188", beneficiary: "Thomas" });
  expect(wrong).toMatchObject({ status: 422, body: { code: "iban_invalid" } });
  expect(await one("select from closure")).toBeUndefined();
});

test("asked, given up, asked again: on its day the money is owed, the person forgotten, the books whole", async () => {
  const body = { cardnumber: number("coGuardian"), iban, beneficiary: "Thomas Moreau" };
  const { refundCents } = await seen(thomas, "coGuardian");
  expect(refundCents).toBeGreaterThan(0);
  const first = await approved(thomas, "/api/privacy/closure", body);
  expect(first).toMatchObject({ status: 201, body: { ibanEnd: "0189" } });
  expect((await thomas.post("/api/privacy/closure", body)).body.code).toBe("closure_asked");
  const cancel = () =>
    thomas.post("/api/privacy/closure/cancel", { cardnumber: number("coGuardian") });
  expect((await cancel()).status).toBe(200);
  expect((await cancel()).body.code).toBe("closure_none");
  expect((await approved(thomas, "/api/privacy/closure", body)).status).toBe(201);
  const sealed = await one("select iban_sealed from closure where state = 'asked'");
  expect(Buffer.from(sealed.iban_sealed).toString("latin1")).not.toContain("0189");

  house.clock.advance(13 * day);
  expect(await closeDue(house.deps)).toBe(0);
  house.clock.advance(2 * day);
  expect(await closeDue(house.deps)).toBe(1);
  expect(await closeDue(house.deps)).toBe(0);
  expect((await thomas.get("/api/profile")).status).toBe(401);
  const person = await one(
    `select p.* from person p join card c on c.person_id = p.id where c.number = $1`,
    number("coGuardian"),
  );
  expect(person).toMatchObject({ name: "Compte fermé", email: null, phonenumber: null });
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
  expect(owed?.lines[0]).toContain("FR7630006000011234567890189");
  const which = owed?.lines[0]?.split(" ")[0] ?? "";
  expect((await operate("privacy paid", which))?.ok).toBe(false);
  expect((await operate("privacy paid", which, "VIR 1"))?.ok).toBe(true);
  expect((await operate("privacy paid", which, "VIR 1"))?.ok).toBe(false);
  expect(await operate("privacy refunds")).toMatchObject({ lines: ["Rien à rendre."] });
  const bank = await one(
    `select balance from ledger_account a join scheme_account s on s.account_id = a.id
     where s.name = 'bank'`,
  );
  expect(Number(bank.balance)).toBe(refundCents);
  const { iban_sealed: gone } = await one("select iban_sealed from closure where state = 'closed'");
  expect(gone).toBeNull();
});

test("what bars it on the day moves the day by a week, and says why", async () => {
  const hugo = await house.as("stranger");
  const body = { cardnumber: number("stranger"), iban, beneficiary: "Hugo Petit" };
  expect((await approved(hugo, "/api/privacy/closure", body)).status).toBe(201);
  const { pool } = house.deps;
  await pool.query(`update wallet set frozen_at = now(), frozen_why = 'litige' where person_id =
    (select person_id from closure where state = 'asked')`);
  const before = await one("select closes_on from closure where state = 'asked'");
  house.clock.advance(15 * day);
  expect(await closeDue(house.deps)).toBe(0);
  const after = await one("select closes_on from closure where state = 'asked'");
  expect(Date.parse(after.closes_on) - Date.parse(before.closes_on)).toBe(7 * day);
  const told = await one("select title, body from notification order by id desc limit 1");
  expect(told.title).toBe("Fermeture reportée");
  expect((await house.as("stranger")).token).not.toBe("");
});

test("what is older than the register says is deleted, what is younger stays", async () => {
  const before = await one("select count(*)::int as n from notification");
  expect(before.n).toBeGreaterThan(0);
  await sweepOld(house.deps);
  expect((await one("select count(*)::int as n from notification")).n).toBe(before.n);
  house.clock.advance(400 * day);
  await sweepOld(house.deps);
  expect((await one("select count(*)::int as n from notification")).n).toBe(0);
});
