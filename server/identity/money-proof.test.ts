// One proof allows the money operations of its session for a while: up to a sum, for some minutes, nowhere
// else; and valid proofs never lock anybody out.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { moneyProof, ofOneAddress } from "#contract/identity/limits.ts";
import { approve } from "#tests/approve.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { leaveToSpend } from "#tests/wallet-money.ts";

let server: TestServer;
let camille: Client;
let from: string;
beforeAll(async () => {
  server = await openTestServer({ walletCapCents: 10_000_000 });
  server.clock.freeze();
});
beforeEach(async () => {
  // A day later no spending counts any more, and the sessions of the day before are over.
  server.clock.advance(25 * 3_600_000);
  await server.deps.db.deleteFrom("limiter").execute();
  camille = await server.as("guardian");
  const { body } = await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  from = body.items.find(({ main }: { main: boolean }) => main).objectID;
  await leaveToSpend(server, from, 1_000_000);
  server.outbox.length = 0;
});
afterAll(() => server.close());

const transferBody = (amountCents: number) => ({
  fromWallet: from,
  toCardnumber: cast.child.cardnumber,
  amountCents,
});
const send = (amountCents: number, more: object = {}, client = camille) =>
  client.post("/api/transfers", { ...transferBody(amountCents), ...more });
const proved = (amountCents: number) =>
  approve(server, camille, "/api/transfers", transferBody(amountCents));

// proves: money-proof
test("after one proof the acts of that session pass, up to the sum that was said", async () => {
  const refusal = await send(6000);
  expect(refusal.body).toMatchObject({
    code: "code_required",
    details: {
      what: expect.stringMatching(/^envoyer 60,00\s€ à Léo Moreau$/),
      password: true,
      opensMinutes: moneyProof.minutes,
      opensCents: moneyProof.cents,
    },
  });
  expect((await proved(6000)).status).toBe(201);
  const sent = server.outbox.length;
  expect((await send(10_000)).status).toBe(201);
  expect((await send(19_999)).status).toBe(201);
  // A cent more than what is left of it.
  expect((await send(2)).body.code).toBe("code_required");
  expect((await send(1)).status).toBe(201);
  expect(server.outbox.length).toBe(sent + 1);
});

// proves: money-proof
test("two acts at once never share what is left", async () => {
  expect((await proved(6000)).status).toBe(201);
  const answers = await Promise.all([send(16_000), send(16_001)]);
  expect(answers.map(({ body, status }) => String(body.code ?? status)).toSorted()).toEqual([
    "201",
    "code_required",
  ]);
});

// proves: money-proof
test("it ends with its minutes, and opens nothing for another session", async () => {
  expect((await proved(6000)).status).toBe(201);
  const other = await server.as("guardian");
  expect((await send(5000, {}, other)).body.code).toBe("code_required");
  server.clock.advance(moneyProof.minutes * 60_000);
  expect((await send(5001)).body.code).toBe("code_required");
});

// proves: money-proof
test("a code alone, a wrong password and a wrong code open nothing", async () => {
  const { challenge } = (await send(6000)).body.details;
  const code = server.lastCode();
  expect((await send(6000, { challenge, code })).body.code).toBe("password_required");
  const wrong = await send(6000, { challenge, code, password: "pas le bon" });
  expect(wrong.body.code).toBe("wrong_password");
  const bad = code === "000000" ? "000001" : "000000";
  const typed = await send(6000, { challenge, code: bad, password: castPassword });
  expect(typed.body.code).toBe("code_wrong");
  expect((await send(5002)).body.code).toBe("code_required");
});

interface Session {
  id: string;
  current: boolean;
  moneyProof: { until: string; leftCents: number } | null;
}
const sessionsOf = async (client: Client): Promise<Session[]> =>
  (await client.get("/api/profile/sessions")).body.items;
const endOf = (session: string) => `/api/profile/sessions/${session}/money-proof/end`;

// proves: money-proof
test("one's sessions say what is open in each, how much is left of it and until when", async () => {
  const other = await server.as("guardian");
  expect((await sessionsOf(camille)).map(({ moneyProof: open }) => open)).toEqual([null, null]);
  const at = server.clock.now().getTime();
  expect((await proved(6000)).status).toBe(201);
  expect((await send(10_000)).status).toBe(201);
  const until = new Date(at + moneyProof.minutes * 60_000).toISOString();
  const open = { until, leftCents: moneyProof.cents - 10_000 };
  expect(await sessionsOf(camille)).toMatchObject([
    { current: true, moneyProof: open },
    { current: false, moneyProof: null },
  ]);
  expect((await sessionsOf(other)).map((one) => one.moneyProof)).toEqual([null, open]);
  expect((await send(20_000)).status).toBe(201);
  expect((await sessionsOf(camille))[0]?.moneyProof).toBeNull();
  expect((await proved(6001)).status).toBe(201);
  server.clock.advance(moneyProof.minutes * 60_000);
  expect((await sessionsOf(camille))[0]?.moneyProof).toBeNull();
});

// proves: money-proof
test("it is ended from any of one's sessions, at once; nobody else ends it", async () => {
  const [own] = await sessionsOf(camille);
  const session = own?.id ?? "";
  expect((await proved(6000)).status).toBe(201);
  const thief = await server.as("coGuardian");
  expect((await thief.post(endOf(session))).status).toBe(404);
  expect((await send(1000)).status).toBe(201);
  const phone = await server.as("guardian");
  const ended = await phone.post(endOf(session));
  expect([ended.status, ended.body.message]).toEqual([
    200,
    "Les paiements qui demandent une confirmation la demanderont de nouveau.",
  ]);
  expect((await send(5003)).body.code).toBe("code_required");
  expect((await sessionsOf(phone)).map((one) => one.moneyProof)).toEqual([null, null]);
  expect((await phone.post(endOf(session))).status).toBe(200);
  const { items } = (await phone.get("/api/profile/activity")).body;
  const labels = items.map(({ label }: { label: string }) => label);
  const ends = labels.filter((label: string) => label.startsWith("Paiements sans nouvelle"));
  expect(ends.length).toBe(1);
  // The session itself goes on, and may prove again.
  expect((await proved(5004)).status).toBe(201);
});

test("ten proofs within a quarter of an hour are asked and accepted; codes that nobody proves are refused", async () => {
  for (let n = 0; n < 10; n++) {
    expect((await proved(moneyProof.cents + 1 + n)).status).toBe(201);
  }
  for (let n = 0; n < 3; n++) {
    expect((await send(40_000 + n)).body.code).toBe("code_required");
  }
  const closed = await send(41_000);
  expect(closed).toMatchObject({ status: 403, body: { code: "code_sends_exhausted" } });
});

test("from one address so many codes are asked, proved or not, and no more", async () => {
  await leaveToSpend(server, from, 3_000_000);
  for (let time = 1; time <= ofOneAddress.codesSent; time++) {
    expect((await proved(moneyProof.cents + time)).status).toBe(201);
  }
  const sent = server.outbox.length;
  const closed = await send(moneyProof.cents + ofOneAddress.codesSent + 1);
  expect(closed).toMatchObject({ status: 403, body: { code: "code_sends_exhausted" } });
  expect(server.outbox.length).toBe(sent);
});
