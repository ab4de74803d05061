// A company's commitments of 24 hours are one sum, over grants, orders and payments and over all its people:
// from the threshold on a code is required.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { issueProCards } from "#server/companies/companies.ts";
import { inTx } from "#server/db/db.ts";
import { issueInvoice } from "#server/invoices/invoices.ts";
import { approve } from "#tests/approve.ts";
import { cast } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { leaveToSpend } from "#tests/wallet-money.ts";

let server: TestServer;
let owner: Client;
let companyId: string;
let bearer: number;

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;

beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  await furnishDirectory(server.deps);
  const [{ id }] = await query(
    `select company_id as id from company_member m join card c on c.person_id = m.person_id
     where c.number = $1`,
    cast.employer.cardnumber,
  );
  companyId = id;
  await query("update company set grant_credit_cents = 10000000 where id = $1", companyId);
  const at = server.clock.now();
  const bearers = [{ name: "Awa Diallo", email: null, phonenumber: null }];
  const made = await inTx(server.deps.db, (tx) =>
    issueProCards(tx, { companyId, count: 1, bearers, at }),
  );
  bearer = made[0] ?? 0;
  await query("update card set state = 'active', activated_at = now() where number = $1", bearer);
});
beforeEach(async () => {
  // Past what was committed before.
  server.clock.advance(25 * 3_600_000);
  server.deps.config.codeFromCents = 5000;
  owner = await server.as("employer");
});
afterAll(() => server.close());

/** A draft of a grant on credit; answers the path that gives it. */
async function draft(amountCents: number): Promise<string> {
  const { body, status, text } = await owner.post("/api/grants", {
    idgroup: 1,
    label: "Prime",
    expiresOn: addDays(parisDay(server.clock.now()), 60),
    cards: [{ cardnumber: bearer, amountCents }],
  });
  expect([status, body.byTransfer], text).toEqual([201, "credit"]);
  return `/api/grants/${body.id}/transfer`;
}
const outcomeOf = ({ status, body }: { status: number; body: any }) =>
  status === 200 ? 200 : body["code"];

// proves: company-commitments
test("of fifteen grants on credit just below the threshold one passes without a code, at once or in turn", async () => {
  const paths = [];
  for (let n = 0; n < 15; n++) paths.push(await draft(4999));
  await query("delete from limiter");
  const atOnce = await Promise.all(paths.slice(0, 8).map((path) => owner.post(path, {})));
  expect(atOnce.filter(({ status }) => status === 200)).toHaveLength(1);
  await query("delete from limiter");
  for (const path of paths.slice(8, 10)) {
    expect(outcomeOf(await owner.post(path, {}))).toBe("code_required");
  }
  const [{ granted }] = await query(
    "select count(*)::int as granted from company_grant where state = 'granted'",
  );
  expect(granted).toBe(1);
  await query("delete from limiter");
  expect(outcomeOf(await approve(server, owner, paths[8] ?? ""))).toBe(200);
  server.clock.advance(25 * 3_600_000);
  owner = await server.as("employer");
  expect(outcomeOf(await owner.post(paths[9] ?? "", {}))).toBe(200);
});

// proves: company-commitments
test("grants, orders of cards and invoices are one sum, of all who act for the company", async () => {
  const steps = "/api/card-orders/draft";
  await owner.post(`${steps}/persons`, { revision: 0, persons: [], blank: 1 });
  const design = { label: "Ateliers Corail", ink: "reef", printsNames: true };
  await owner.post(`${steps}/design`, { revision: 1, ...design });
  const { body } = await owner.post(`${steps}/delivery`, {
    revision: 2,
    to: "other",
    recipient: "Accueil",
    street: "3 quai du Port",
    postcode: "29982",
    town: "Pointe-Corail",
  });
  const { id, revision, price } = body.draft;
  const seen = { revision, totalCents: price.totalCents };
  const at = server.clock.now();
  const bill = () =>
    inTx(server.deps.db, (tx) =>
      issueInvoice(tx, server.deps, {
        companyId,
        kind: "invoice",
        subject: { kind: "commission", id: randomUUID() },
        lines: [{ label: "Commission", quantity: 1, unitCents: 1000, vat: "normal" }],
        issuedOn: parisDay(at),
        dueOn: addDays(parisDay(at), 30),
      }),
    );
  const [paid, open] = [await bill(), await bill()];
  // A colleague, whose own wallets paid nothing before.
  await query(
    `update company_member set company_id = $1, roles = '{accountant}'
     where person_id = (select person_id from card where number = $2)`,
    companyId,
    cast.partnerShop.cardnumber,
  );
  const colleague = await server.as("partnerShop");
  const wallets = `/api/wallets?cardnumber=${cast.partnerShop.cardnumber}`;
  const { objectID } = (await colleague.get(wallets)).body.items[0];
  await leaveToSpend(server, objectID, 10_000);
  const pays = (invoice: { id: string }) =>
    colleague.post(`/api/invoices/${invoice.id}/pay`, {
      method: "wallet",
      objectID,
      totalCents: 1200,
    });
  // The invoice, the grant and the order are one cent short of it.
  server.deps.config.codeFromCents = 1200 + 500 + price.totalCents + 1;
  expect(outcomeOf(await pays(paid))).toBe(200);
  expect(outcomeOf(await owner.post(await draft(500), {}))).toBe(200);
  expect(outcomeOf(await owner.post(`/api/card-orders/${id}/invoice`, seen))).toBe(200);
  expect(outcomeOf(await pays(open))).toBe("code_required");
  expect(outcomeOf(await owner.post(await draft(100), {}))).toBe("code_required");
  // Money taken back since then still counts.
  expect((await owner.post(`/api/card-orders/${id}/cancel`, {})).status).toBe(200);
  expect(outcomeOf(await owner.post(await draft(100), {}))).toBe("code_required");
});
