// A guardian's calls for a child while their tie ends: each call waits for the tie to end, and is then
// refused.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Transformer } from "@napi-rs/image";
import { parisDay } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { approve } from "#tests/approve.ts";
import { cast } from "#tests/cast.ts";
import { makeEvent } from "#tests/events.ts";
import { refusedAsTieEnds } from "#tests/family-ties.ts";
import { pdfFile } from "#tests/pdf-file.ts";
import { type Answered, openTestServer, type Client, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let thomas: Client;
beforeAll(async () => {
  server = await openTestServer();
});
beforeEach(async () => {
  await server.deps.db.deleteFrom("limiter").execute();
  thomas = await server.as("coGuardian");
});
afterAll(() => server.close());

const { cardnumber } = cast.child;
const iban = "FR76 3000 6000 0112 3456 7890 189";
const post = (path: string, body: object = {}) => thomas.post(path, body);
const approved = (path: string, body: Record<string, unknown>) =>
  approve(server, thomas, path, body);
const ofMember = `/api/family/members/${cardnumber}`;
const ofCard = `/api/cards/${cardnumber}`;
const today = () => parisDay(server.clock.now());
const askClosure = () =>
  approved("/api/privacy/closure", { cardnumber, iban, beneficiary: "Léo Moreau" });
async function prepareClosure(): Promise<void> {
  await server.deps.pool.query("delete from closure");
  expect((await askClosure()).status).toBe(201);
}
const mainWallet = async () =>
  (await thomas.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0].objectID;
const asBytes = { "content-type": "application/octet-stream" };

/** Prepares a call; returns the function that makes it. */
type PreparedCall = () => Promise<() => Promise<Answered<any>>>;

const preparedCalls: Record<string, PreparedCall> = {
  "the e-mail of a child": async () => () =>
    approved(`${ofMember}/email`, { email: "leo.autre@exemple.fr" }),
  "the phone of a child": async () => () =>
    approved(`${ofMember}/phone`, { phonenumber: "06 12 34 56 77" }),
  "limits of a card": async () => () =>
    post(`${ofMember}/limits`, { limits: { dayCents: 500, weekCents: null, groups: null } }),
  "a custody": async () => () =>
    post(`${ofMember}/custody`, { kind: "weeks", first: "me", fromOn: today() }),
  "a health record": async () => () =>
    post("/api/health-record", { cardnumber, allergens: ["milk"], note: "", consent: true }),
  "the end of a health record": async () => () =>
    post("/api/health-record/withdraw", { cardnumber }),
  "a picture": async () => {
    const picture = await Transformer.fromRgbaPixels(Buffer.alloc(400, 200), 10, 10).png();
    return () => thomas.post(`${ofCard}/avatar`, picture, asBytes);
  },
  "the end of a picture": async () => () => post(`${ofCard}/avatar/remove`),
  "a copy of all data": async () => () => approved("/api/privacy/exports", { cardnumber }),
  "a closing": async () => askClosure,
  "where the money of a closing goes": async () => {
    await prepareClosure();
    return () =>
      approved("/api/privacy/closure/iban", { cardnumber, iban, beneficiary: "Thomas Moreau" });
  },
  "the end of a closing": async () => {
    await prepareClosure();
    return () => post("/api/privacy/closure/cancel", { cardnumber });
  },
  "a purchase of a pass": async () => {
    await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
    return () => post("/api/passes/orders", { product: "lagon-mois", cardnumber });
  },
  "a proof": async () => {
    const pdf = { "content-type": "application/pdf" };
    const { body } = await thomas.post("/api/documents?name=carte.pdf", pdfFile(1), pdf);
    return () => post(`${ofMember}/proofs`, { kind: "schooling", documents: [body.id] });
  },
  "a place on a waiting list": async () => {
    const { session, full: category } = await makeEvent(server, { seats: 1 });
    const line = { session, category, cardnumber: cast.coGuardian.cardnumber, quantity: 1 };
    expect((await post("/api/tickets/cart/lines", line)).status).toBe(200);
    return () => post("/api/tickets/waiting-list", { ...line, cardnumber });
  },
  "money of a child": async () => {
    const fromWallet = await mainWallet();
    const to = cast.coGuardian.cardnumber;
    return () => post("/api/transfers", { fromWallet, toCardnumber: to, amountCents: 500 });
  },
  "automatic top-ups": async () => {
    const path = `/api/wallets/${await mainWallet()}/rules`;
    const when = { trigger: "threshold", thresholdCents: 1000 };
    const amounts = { mode: "amount", amountCents: 2000, monthlyCents: 10_000 };
    return () => approved(path, { when, ...amounts, paymentMethodId: null, consent: true });
  },
  "the suspension of a card": async () => () => post(`${ofCard}/suspend`),
  "an opposition": async () => () => post(`${ofCard}/oppose`, { reason: "lost" }),
  "a subscription": async () => () =>
    post("/api/subscriptions", { cardnumber, formula: "essentiel" }),
  "an answer to an invitation": async () => {
    const id = await invitationOfChild();
    return () => post(`/api/family/invitations/${id}/decline`);
  },
  "an invitation accepted for a child": async () => {
    const id = await invitationOfChild();
    return () => approved(`/api/family/invitations/${id}/accept`, {});
  },
  "the activation of a card": async () => {
    const camille = await server.as("guardian");
    expect((await camille.post(`${ofCard}/oppose`, { reason: "lost" })).status).toBe(200);
    const { rows } = await server.owner.pool.query(
      "update card set state = 'received' where replaces = $1 returning number",
      [cardnumber],
    );
    return () => post(`/api/cards/${rows[0].number}/activate`);
  },
};

async function invitationOfChild(): Promise<string> {
  await server.deps.pool.query("delete from family_invitation");
  const hugo = await server.as("stranger");
  const { body } = await hugo.post("/api/family/invitations", { cardnumber, role: "relative" });
  return body.id;
}

describe("as the tie of a guardian with a child ends", () => {
  test.each(Object.entries(preparedCalls))("%s is refused", async (_, ready) => {
    const call = await ready();
    expect(await refusedAsTieEnds(server, "coGuardian", "child", call)).toEqual([404, "not_found"]);
  });

  test("an invitation of another guardian is over", async () => {
    const body = { cardnumber: cast.stranger.cardnumber, role: "guardian", child: cardnumber };
    const { body: invitation } = await approved("/api/family/invitations", body);
    const hugo = await server.as("stranger");
    const call = () => approve(server, hugo, `/api/family/invitations/${invitation.id}/accept`);
    const refused = await refusedAsTieEnds(server, "coGuardian", "child", call);
    expect(refused).toEqual([410, "invitation_over"]);
  });
});
