// Messages about a purchase: the payer gets a receipt, the other parent of a child is told of that child
// alone.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parisDay, parisTime } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { verify } from "#server/ledger/ledger.ts";
import { onAttachmentDrawn } from "#server/notifications/notifications.ts";
import { putOnSale } from "#server/passes/passes.ts";
import type { Attachment } from "#server/process/attachment.ts";
import { cast } from "#tests/cast.ts";
import { makeEvent } from "#tests/events.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
let thomas: Client;
const own: number = cast.guardian.cardnumber;
const leo: number = cast.child.cardnumber;

beforeAll(async () => {
  server = await openTestServer();
  await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  [camille, thomas] = await Promise.all([server.as("guardian"), server.as("coGuardian")]);
});
beforeEach(() => {
  server.deps.config.codeFromCents = 1_000_000;
});
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
});

const mainOf = async (): Promise<{ objectID: string; balanceCents: number }> =>
  (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items[0];
const latest = async (client: Client): Promise<{ title: string; body: string }> =>
  (await client.get("/api/notifications")).body.items[0];
const mailsOf = (title: string, since: number) =>
  server.outbox.slice(since).filter(({ subject }) => subject === title);

// proves: receipts
test("tickets for two and for a child: a receipt to whoever paid, the child's alone to the other parent", async () => {
  const event = await makeEvent(server);
  const line = { session: event.session, category: event.full };
  await camille.post("/api/tickets/cart/lines", { ...line, cardnumber: own, quantity: 2 });
  const { cart } = (
    await camille.post("/api/tickets/cart/lines", { ...line, cardnumber: leo, quantity: 1 })
  ).body;
  const { objectID, balanceCents } = await mainOf();
  const before = server.outbox.length;
  const { totalCents } = cart;
  const payment = { order: cart.id, totalCents, method: "wallet", objectID };
  const paid = await camille.post("/api/tickets/cart/pay", payment);
  expect(paid.status, paid.text).toBe(200);
  expect((await latest(camille)).body).toMatch(/^3 billets/);
  expect((await latest(thomas)).body).toMatch(/^1 billet,/);
  const mails = mailsOf("Vos billets sont prêts", before);
  expect(mails.map(({ address }) => address)).toEqual([cast.guardian.email]);
  const money = (cents: number) => `${(cents / 100).toFixed(2).replace(".", ",")}\u202f€`;
  expect(mails[0]?.body).toContain(`Montant : ${money(totalCents)}`);
  expect(mails[0]?.body).toMatch(/Payé avec Cagnotte principale, Camille Moreau/);
  expect(mails[0]?.body).toContain(`il reste ${money(balanceCents - totalCents)}`);
});

// proves: receipts
test("a child's ticket is cancelled: the wallet that is paid back is told to its owner alone", async () => {
  const { body } = await camille.get(`/api/tickets?cardnumber=${leo}`);
  const [ticket] = body.items;
  const path = `/api/tickets/${ticket.id}`;
  const { refundCents } = (await camille.get(`${path}/refund`)).body;
  const done = await camille.post(`${path}/cancel`, { refundCents });
  expect(done.status, done.text).toBe(200);
  expect((await latest(camille)).body).toMatch(/Remboursé.*sur Cagnotte principale, Camille/);
  const notice = await latest(thomas);
  expect(notice.title).toBe("Billet annulé");
  expect(notice.body).not.toMatch(/€|Cagnotte/);
});

// proves: receipts
test("a pass: its receipt goes to the buyer, the other parent hears that it is ready", async () => {
  const begun = { product: "lagon-mois", cardnumber: leo };
  const { body: first } = await camille.post("/api/passes/orders", begun);
  const path = `/api/passes/orders/${first.id}`;
  const { body: order } = await camille.post(path, { startOn: first.start.from });
  const { objectID } = await mainOf();
  const before = server.outbox.length;
  const { revision, price } = order;
  const payment = { revision, totalCents: price.totalCents, method: "wallet", objectID };
  expect((await camille.post(`${path}/pay`, payment)).status).toBe(200);
  const mails = mailsOf("Titre de transport prêt", before);
  expect(mails.map(({ address }) => address)).toEqual([cast.guardian.email]);
  expect(mails[0]?.body).toMatch(/Achat : [^]*Montant : [^]*il reste [^]*Reçu n° \d/);
  expect((await latest(thomas)).body).not.toMatch(/€/);
});

test("tickets: whoever paid gets them as a PDF and a calendar file, what was cancelled since left out", async () => {
  const event = await makeEvent(server, { title: "Été, mer ; et vent" });
  const line = { session: event.session, category: event.full };
  await camille.post("/api/tickets/cart/lines", { ...line, cardnumber: own, quantity: 1 });
  const { cart } = (
    await camille.post("/api/tickets/cart/lines", { ...line, cardnumber: leo, quantity: 1 })
  ).body;
  const { objectID } = await mainOf();
  const before = server.outbox.length;
  const payment = { order: cart.id, totalCents: cart.totalCents, method: "wallet", objectID };
  expect((await camille.post("/api/tickets/cart/pay", payment)).status).toBe(200);
  const [mail, ...others] = mailsOf("Vos billets sont prêts", before);
  expect(others).toEqual([]);
  expect(mail?.html).toContain("Voir mes billets</a>");
  expect(mail?.html).toContain("/services/E-Billet?onglet=billets");
  expect(mail?.body).toContain("Appelez le 01\u00a099\u00a000\u00a000\u00a000");
  const files = await Promise.all((mail?.attachments ?? []).map(drawn));
  expect(files.map(({ filename }) => filename)).toEqual(["billets.pdf", "billets.ics"]);
  const [pdf = "", calendar = ""] = files.map(({ bytes }) => bytes?.toString() ?? "");
  expect(pages(pdf)).toBe(2);
  const written = calendar.replaceAll("\r\n ", "");
  expect(written).toContain(String.raw`SUMMARY:Été\, mer \; et vent`);
  expect(written).toMatch(/DESCRIPTION:2 billets.: Camille Moreau\\, Léo Moreau\./);
  const { items } = (await camille.get(`/api/tickets?cardnumber=${own}`)).body;
  const mine = items.filter(({ title }: { title: string }) => title.startsWith("Été"));
  const startsAt = new Date(mine[0].startsAt);
  const start = `${parisDay(startsAt)}T${parisTime(startsAt)}`.replaceAll(/[-:]/g, "");
  expect(written).toContain(`DTSTART;TZID=Europe/Paris:${start}00`);
  expect(written.match(/BEGIN:VEVENT/g)).toHaveLength(1);

  for (const ticket of mine) {
    const { refundCents } = (await camille.get(`/api/tickets/${ticket.id}/refund`)).body;
    await camille.post(`/api/tickets/${ticket.id}/cancel`, { refundCents });
  }
  const later = await Promise.all((mail?.attachments ?? []).map(drawn));
  expect(pages(later[0]?.bytes?.toString() ?? "")).toBe(1);
  expect(later[1]?.bytes?.toString().replaceAll("\r\n ", "")).toMatch(/1 billet.: Léo Moreau/);
});

test("tickets: after a transfer neither the order nor a late message holds the code of its new owner", async () => {
  const event = await makeEvent(server, { title: "Nuit des phares" });
  const { cart } = (
    await camille.post("/api/tickets/cart/lines", {
      session: event.session,
      category: event.full,
      cardnumber: own,
      quantity: 1,
    })
  ).body;
  const { objectID } = await mainOf();
  const before = server.outbox.length;
  const payment = { order: cart.id, totalCents: cart.totalCents, method: "wallet", objectID };
  expect((await camille.post("/api/tickets/cart/pay", payment)).status).toBe(200);
  const [mail] = mailsOf("Vos billets sont prêts", before);
  const { items } = (await camille.get(`/api/tickets?cardnumber=${own}`)).body;
  const { id } = items.find(({ title }: { title: string }) => title === "Nuit des phares");
  const toCardnumber = cast.coGuardian.cardnumber;
  const sent = await camille.post(`/api/tickets/${id}/transfer`, { toCardnumber });
  expect(sent.status, sent.text).toBe(201);
  const accepted = await thomas.post(`/api/tickets/transfers/${sent.body.id}/accept`);
  expect(accepted.status, accepted.text).toBe(200);
  const { tickets } = (await camille.get(`/api/tickets/orders/${cart.id}`)).body;
  expect(tickets).toMatchObject([{ id, state: "transferred", token: null }]);
  const files = await Promise.all((mail?.attachments ?? []).map(drawn));
  expect(files.map(({ bytes }) => bytes)).toEqual([null, null]);
});

const pages = (pdf: string): number => pdf.match(/\/Type \/Page\b/g)?.length ?? 0;

/** Renders an attachment as the delivery of a message does. */
async function drawn(attachment: Attachment): Promise<{ filename: string; bytes: Buffer | null }> {
  if (!("source" in attachment)) throw new Error("its bytes lie in the outbox");
  const { filename, source, id } = attachment;
  return { filename, bytes: (await onAttachmentDrawn[source]?.(server.deps, id)) ?? null };
}
