// The card of a colleague who leaves: closed for good by an owner, with a proof and without another card.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { openWallet } from "#server/wallet/wallet.ts";
import { approve, approveIfRequired } from "#tests/approve.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";
import { companyOf, issueProCards, proCardsLeft } from "./companies.ts";

let server: TestServer;
let owner: Client;
let companyId: string;
/** A cashier's card, in use. */
let awa: number;

const email = "awa@ateliers-corail.exemple.fr";
const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const personOf = async (cardnumber: number) =>
  (await query("select person_id as id from card where number = $1", cardnumber))[0].id as number;
const closing = (cardnumber: number) => `/api/pro-cards/${cardnumber}/closing`;
const close = (cardnumber: number) => `/api/pro-cards/${cardnumber}/close`;
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body["code"]];
const signIn = async () =>
  await server.anonymous.post("/api/login", { login: awa, password: castPassword });
const numbers = async (client = owner) =>
  (await client.get("/api/pro-cards")).body.items.map(
    ({ cardnumber }: { cardnumber: number }) => cardnumber,
  );

beforeAll(async () => {
  server = await openTestServer();
  const company = await companyOf(server.deps.db, await personOf(cast.employer.cardnumber));
  companyId = company?.companyId ?? "";
});
afterAll(() => server.close());
beforeEach(async () => {
  await query("delete from limiter");
  await query("update company set owner_left_at = null");
  owner = await server.as("employer");
  const at = server.deps.now();
  const made = await inTx(server.deps.db, (tx) => issueProCards(tx, { companyId, count: 1, at }));
  [awa] = made as [number];
  const bearer = { firstName: "Awa", lastName: "Diallo", email, phonenumber: null };
  await approveIfRequired(server, owner, `/api/pro-cards/${awa}/assign`, {
    ...bearer,
    roles: ["cashier"],
  });
  await query("update card set state = 'active', activated_at = now() where number = $1", awa);
  await query(
    `update person set must_reset = false, password_hash = (
       select password_hash from person join card on card.person_id = person.id where number = $2)
     where id = (select person_id from card where number = $1)`,
    awa,
    cast.employer.cardnumber,
  );
  server.outbox.length = 0;
});

// proves: card-of-leaver
test("nothing is closed without a code and the password; then card and role end, and no card is asked for", async () => {
  const left = await proCardsLeft(server.deps.db, companyId);
  const { token } = (await signIn()).body;
  const colleague = server.withToken(token.jeton);
  expect((await owner.get(closing(awa))).body).toEqual({ returnedCents: 0 });
  expect(codeOf(await owner.post(close(awa), {}))).toEqual([403, "code_required"]);
  expect(await numbers()).toContain(awa);
  await query("delete from limiter");
  const done = await approve(server, owner, close(awa), {});
  expect(done.status, done.text).toBe(200);
  expect(done.body.message).toContain("La carte d’Awa Diallo est fermée.");
  expect(await numbers()).not.toContain(awa);
  const cards = await query(
    "select state from card where person_id = (select person_id from card where number = $1)",
    awa,
  );
  expect(cards).toEqual([{ state: "expired" }]);
  expect(await proCardsLeft(server.deps.db, companyId)).toBe(left + 1);
  const people = (await owner.get("/api/company/people")).body.items;
  expect(people.some(({ name }: { name: string }) => name === "Awa Diallo")).toBe(false);
  expect((await colleague.get("/api/cards")).status).toBe(401);
  const messages = server.outbox.filter(({ subject }) => subject?.includes("carte pro est fermée"));
  expect(messages.map(({ address }) => address)).toEqual([email]);
  expect(await query("select actor from audit where action = 'pro_card.close'")).toHaveLength(2);
});

test("the leaver still reads what is theirs, acts for nobody and spends nothing; the owner acts on it no more", async () => {
  await approve(server, owner, close(awa), {});
  const { token } = (await signIn()).body;
  const leaver = server.withToken(token.jeton);
  expect((await leaver.get("/api/company")).body).toEqual({ company: null });
  expect((await leaver.get(`/api/wallets?cardnumber=${awa}`)).status).toBe(200);
  expect((await leaver.get(`/api/cards/${awa}/qr`)).body).toMatchObject({ code: "card_state" });
  for (const act of ["suspend", "resume"])
    expect((await owner.post(`/api/cards/${awa}/${act}`, {})).status).toBe(404);
  expect((await owner.post(`/api/cards/${awa}/oppose`, { reason: "lost" })).status).toBe(404);
  expect(codeOf(await owner.post(close(awa), {}))).toEqual([404, "not_found"]);
});

test("a card on order in the place of a lost one is not made any more", async () => {
  await owner.post(`/api/cards/${awa}/oppose`, { reason: "stolen" });
  expect((await approve(server, owner, close(awa), {})).status).toBe(200);
  const states = await query(
    "select state from card where person_id = (select person_id from card where number = $1) order by number = $1 desc",
    awa,
  );
  expect(states).toEqual([{ state: "opposed" }, { state: "expired" }]);
});

test("an automatic top-up of the card charges nobody any more", async () => {
  const rule = "select state from top_up_rule";
  const personId = await personOf(awa);
  const at = server.deps.now();
  const { id } = await inTx(server.deps.db, (tx) => openWallet(tx, { personId, at }));
  await query(
    `insert into top_up_rule (wallet_id, person_id, trigger, day_of_month, mode, amount_cents, monthly_cents,
       state, consent_at, created_at)
     values ($1, $2, 'day', 5, 'amount', 2000, 9000, 'waiting', now(), now())`,
    id,
    personId,
  );
  await approve(server, owner, close(awa), {});
  expect(await query(rule)).toEqual([{ state: "deleted" }]);
});

test("one's own card, another company's, and without the right: refused, and nothing changes", async () => {
  expect(codeOf(await owner.post(close(cast.employer.cardnumber), {}))).toEqual([
    409,
    "pro_card_close_own",
  ]);
  const shop = await server.as("partnerShop");
  expect(codeOf(await shop.post(close(awa), {}))).toEqual([404, "not_found"]);
  expect(codeOf(await shop.get(closing(awa)))).toEqual([404, "not_found"]);
  for (const role of ["cashier", "accountant"]) {
    await query(
      "update company_member set roles = array[$1] where person_id = $2",
      role,
      await personOf(awa),
    );
    const colleague = server.withToken((await signIn()).body.token.jeton);
    const { cardnumber } = cast.employer;
    expect(codeOf(await colleague.post(close(cardnumber), {}))).toEqual([403, "company_role"]);
  }
  expect(await numbers()).toContain(awa);
});

test("another owner's is closed too; for a while the bank account is not changed by one alone", async () => {
  await query(
    "update company_member set roles = '{owner}' where person_id = $1",
    await personOf(awa),
  );
  expect((await approve(server, owner, close(awa), {})).status).toBe(200);
  const [{ left }] = await query(
    "select owner_left_at is not null as left from company where id = $1",
    companyId,
  );
  expect(left).toBe(true);
});
