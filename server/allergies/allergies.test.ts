// Health data: given with consent, sealed in the table, gone when consent is withdrawn.
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
let leo: Client;
beforeAll(async () => {
  server = await openTestServer();
  [camille, leo] = await Promise.all([server.as("guardian"), server.as("child")]);
});
afterAll(() => server.close());

const path = "/api/health-record";
const cardnumber = cast.child.cardnumber;
const read = async (client: Client) => (await client.get(`${path}?cardnumber=${cardnumber}`)).body;
const rows = async () => (await server.deps.pool.query("select * from health_record")).rows;
const input = {
  cardnumber,
  allergens: ["milk", "peanuts", "milk"],
  note: " Trousse au secrétariat ",
};

// proves: allergies
test("without consent nothing is kept", async () => {
  const answer = await camille.post(path, { ...input, consent: false });
  expect(answer).toMatchObject({ status: 422, body: { code: "health_consent" } });
  expect(await read(camille)).toEqual({ record: null });
  expect(await rows()).toEqual([]);
});

// proves: allergies
test("given for a child by a guardian: both read it, and the table says nothing", async () => {
  const answer = await camille.post(path, { ...input, consent: true });
  expect(answer).toMatchObject({
    status: 200,
    body: { record: { allergens: ["peanuts", "milk"], note: "Trousse au secrétariat" } },
  });
  expect(await read(leo)).toEqual(answer.body);
  const [row] = await rows();
  const stored = Buffer.from(row.sealed).toString("latin1");
  expect(stored).not.toMatch(/milk|peanuts|Trousse/);
  const { rows: lines } = await server.deps.pool.query(
    "select details::text from audit where action = 'health.keep'",
  );
  expect(lines).toEqual([{ details: "{}" }]);
});

// proves: allergies
test("a row copied to somebody else does not open", async () => {
  const { pool } = server.deps;
  await pool.query(
    `insert into health_record select p.person_id, h.sealed, h.consented_by,
    h.consented_at, h.updated_at from health_record h, card p where p.number = $1`,
    [cast.stranger.cardnumber],
  );
  const hugo = await server.as("stranger");
  const answer = await hugo.get(`${path}?cardnumber=${cast.stranger.cardnumber}`);
  expect(answer.status).toBe(500);
  await pool.query("delete from health_record where person_id <> $1", [
    (await rows())[0].person_id,
  ]);
});

// proves: allergies
test("withdrawn: deleted at once, and written down", async () => {
  expect((await leo.post(`${path}/withdraw`, { cardnumber })).status).toBe(200);
  expect(await read(camille)).toEqual({ record: null });
  expect(await rows()).toEqual([]);
});

test("a stranger's card is not found, an unknown allergen is refused", async () => {
  const hugo = await server.as("stranger");
  expect((await hugo.get(`${path}?cardnumber=${cardnumber}`)).status).toBe(404);
  expect((await hugo.post(path, { ...input, consent: true })).status).toBe(404);
  const wrong = await camille.post(path, { ...input, allergens: ["dust"], consent: true });
  expect(wrong).toMatchObject({ status: 400, body: { code: "invalid_input" } });
  expect(await rows()).toEqual([]);
});
