// A whole portal whose people have some history, so that the audit sees screens full, empty and in trouble.
import { sql } from "kysely";
import { orderCards, orderedCards } from "#server/demo/card-orders.ts";
import { contactCommands } from "#server/contact/operator.ts";
import { inTx } from "#server/db/db.ts";
import {
  agreeOnCustody,
  demoFares,
  openNetwork,
  openPartnerships,
  openProCards,
  sendPapers,
} from "#server/demo/demo.ts";
import { fareGroups } from "#server/passes/catalogue.ts";
import { writeMenus } from "#server/demo/menus.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { notify } from "#server/notifications/notifications.ts";
import { freezeWallet, grant, openWallet, schemeAccount, spend } from "#server/wallet/wallet.ts";
import { addDays, dayMs, todayInParis } from "#contract/days.ts";
import { makeCanteen, placeMeal } from "#tests/canteens.ts";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { furnishPriceList } from "#tests/price-list.ts";
import { furnishInvoices } from "./invoice-states.ts";
import { furnishMemberships } from "./membership-states.ts";
import { furnishSettlement } from "./settlement-states.ts";
import { furnishEvents, makeEvent } from "#tests/events.ts";
import { openTestPortal, type TestPortal } from "#tests/test-portal.ts";

/** Outcomes of the payment page (spec.md 19) under which a top-up of the guardian waits to be seen. */
const outcomes = ["success", "declined", "pending"] as const;

export interface FurnishedPortal {
  portal: TestPortal;
  /** Where the guardian's wallet is topped up. */
  topUpPath: string;
  /** Ids of top-ups, one for each outcome and one that is not paid yet. */
  topUps: Record<(typeof outcomes)[number] | "initiated", string>;
  /** Path of the provider's page for the one that is not paid yet. */
  paymentPath: string;
  /** The page of a relative's link to that wallet, and that of a payment by it that has arrived. */
  giftPaths: { link: string; arrived: string };
  /** Where the employer follows an order of cards that may still be cancelled. */
  cardOrderPath: string;
  /** Where the alert of a login leads that nobody has denied yet. */
  alertPath: string;
  /** The main wallet of a person, as the API tells it. */
  walletOf: (name: CastName) => Promise<{ objectID: string; slug: string; idgroup: number }>;
  /** A line group that sells passes. */
  fareGroup: number;
  /** The acceptance group of the provider of meals. */
  canteenGroup: number;
  /** A partnership of the caterer and the bookshop. */
  partnership: string;
  /** A partner of the directory, and a transport service for professionals. */
  directory: { partner: string; transport: string };
  /** A purchase of the guardian at a till. */
  sale: string;
  /** Ids of events by their titles. */
  events: Map<string, string>;
  /** Limiters count again from nothing. */
  forgetLimits: () => Promise<void>;
  /** Every query of wallets fails on the server until the returned function is called. */
  breakWallets: () => Promise<() => Promise<void>>;
}

/**
 * Opens a furnished portal, with another web build than today's if one is given; the caller closes `portal`.
 */
export async function openFurnishedPortal(web?: string): Promise<FurnishedPortal> {
  const portal = await openTestPortal({}, web);
  const { deps } = portal.server;
  const walletOf: FurnishedPortal["walletOf"] = async (name) => {
    const person = await portal.server.as(name);
    const { body } = await person.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`);
    return body.items[0];
  };
  // Before any card is suspended: these people pay for what they bought.
  const events = await furnishEvents({ deps });
  events.set("Concert du port", await cancelledEvent(portal));
  await furnish(portal);
  const { providerId, groupId, registrations } = await makeCanteen(portal.server);
  for (const registration of Object.values(registrations)) {
    await placeMeal(portal.server, { registration, day: todayInParis(), priceCents: 0 });
  }
  await inTx(deps.db, (tx) => writeMenus(tx, providerId, deps.now()));
  const cardOrderPath = await furnishProCards(portal);
  await furnishInvoices(deps);
  const partnership = await furnishPartnerships(portal);
  await inTx(deps.db, (tx) => putOnSale(tx, demoFares));
  await furnishMemberships(deps);
  await lateApplication(portal);
  const directory = await furnishDirectory(deps);
  await furnishPriceList(deps);
  const sale = await furnishSettlement(deps, directory.partner);
  const { objectID, slug, idgroup } = await walletOf("guardian");
  const { topUps, paymentPath } = await topUp(portal, objectID);
  const giftPaths = await receiveGift(portal, objectID);
  const leo = await portal.server.as("child");
  await leo.post("/api/money-requests", { amountCents: 1000, words: "Pour le cinéma avec Tom" });
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.ref(to)}`.execute(portal.server.owner.db);
  return {
    portal,
    topUpPath: `/services/${objectID}/${slug}/${idgroup}`,
    topUps,
    paymentPath,
    giftPaths,
    cardOrderPath,
    alertPath: await alertOf(portal, "canteenProvider"),
    walletOf,
    canteenGroup: groupId,
    fareGroup: (await fareGroups(deps.db))[0]?.idgroup ?? 0,
    directory,
    sale,
    partnership,
    events,
    async forgetLimits() {
      await sql`delete from limiter`.execute(deps.db);
    },
    async breakWallets() {
      await rename("wallet", "wallet_away");
      return async () => {
        await rename("wallet_away", "wallet");
      };
    },
  };
}

/** An event that is called off. */
async function cancelledEvent({ server }: TestPortal): Promise<string> {
  const { id } = await makeEvent(server);
  await sql`update ticket_event set cancelled_at = ${server.deps.now()} where id = ${id}`.execute(
    server.deps.db,
  );
  return id;
}

/** An application paid a month ago whose papers are still to be checked. */
async function lateApplication({ server: { deps } }: TestPortal): Promise<void> {
  const paidAt = new Date(deps.now().getTime() - 30 * dayMs);
  await sql`
    insert into subscription (person_id, buyer_id, state, step, formula, formula_version, created_at,
      changed_at, lines, paid_cents, paid_at, starts_on, ends_on)
    select person_id, person_id, 'review', 'price', 'etudiant', 1, ${paidAt}, ${paidAt}, '[]', 2400,
      ${paidAt}, ${paidAt}::date, ${paidAt}::date + 364
    from card where number = ${cast.coGuardian.cardnumber}`.execute(deps.db);
}

/** The employer's cards and orders of cards, as in the demo; answers where the latest is followed. */
async function furnishProCards({ server: { deps } }: TestPortal): Promise<string> {
  const { personId: employer } = await deps.db
    .selectFrom("card")
    .select("personId")
    .where("number", "=", cast.employer.cardnumber)
    .executeTakeFirstOrThrow();
  await inTx(deps.db, (tx) => openProCards(tx, { employer }, deps.now()));
  const now = deps.now();
  for (const { order } of orderedCards(now)) {
    await inTx(deps.db, (tx) => orderCards(tx, deps, { order, employer, now }));
  }
  const { id } = await deps.db
    .updateTable("cardOrder")
    .set({ state: "ordered", producedAt: null, acknowledgedAt: null })
    .where("state", "=", "in_production")
    .returning("id")
    .executeTakeFirstOrThrow();
  return `/card?commande=${id}`;
}

/** Partnerships between the companies of the cast, as in the demo. */
async function furnishPartnerships({ server: { deps } }: TestPortal): Promise<string> {
  const idOf = async (name: CastName) =>
    (
      await deps.db
        .selectFrom("card")
        .select("personId")
        .where("number", "=", cast[name].cardnumber)
        .executeTakeFirstOrThrow()
    ).personId;
  const people = {
    canteenProvider: await idOf("canteenProvider"),
    partnerShop: await idOf("partnerShop"),
    employer: await idOf("employer"),
  };
  return await inTx(deps.db, (tx) => openPartnerships(tx, people, deps.now()));
}

/** A month of meals and purchases, an aid that expires, a second wallet, notices, troubles. */
async function furnish({ server }: TestPortal): Promise<void> {
  const { db } = server.deps;
  const idOf = async (name: CastName) =>
    await db
      .selectFrom("wallet")
      .innerJoin("card", "card.personId", "wallet.personId")
      .select(["wallet.id", "wallet.personId"])
      .where("card.number", "=", cast[name].cardnumber)
      .executeTakeFirstOrThrow();
  const guardian = await idOf("guardian");
  const frozen = await idOf("secondChild");
  const ago = (days: number) => new Date(Date.now() - days * dayMs);
  const inDays = (days: number) => addDays(todayInParis(), days);
  const writer = await server.as("guardian");
  const thread = await writer.post("/api/contact", {
    topic: "money",
    subject: "Recharge contestée",
    text: "Bonjour,\n\nMa banque conteste une recharge que j’ai bien faite. Que dois-je faire\u202f?",
  });
  const { id, number } = thread.body;
  await contactCommands
    .find(({ name }) => name === "contact answer")
    ?.run(
      server.deps,
      [String(number), "Bonjour,\n\nPouvez-vous nous dire la date et le montant de la recharge ?"],
      "audit",
    );
  await writer.post(`/api/contact/${id}/messages`, { text: "20 €, le 3 de ce mois." });
  await inTx(db, async (tx) => {
    await grant(tx, {
      walletId: guardian.id,
      amountCents: 9000,
      label: "Aide de la mairie",
      expiresOn: inDays(12),
      key: "audit:aid",
      at: ago(29),
    });
    const to = await schemeAccount(tx, "purchases");
    for (let index = 0; index < 24; index++) {
      const meal = index % 3 === 0;
      await spend(tx, {
        walletId: guardian.id,
        amountCents: 145 + (index % 5) * 105,
        to,
        kind: meal ? "meal" : "purchase",
        key: `audit:spend:${index}`,
        memo: { label: meal ? "Cantine du Lagon" : "Librairie des Embruns" },
        at: ago(27 - index),
      });
    }
    const { rows } = await sql<{ id: number }>`
      insert into acceptance_group (name, slug, rule)
      values ('Cantine', 'cantine', 'Acceptée dans les cantines du réseau.') returning id`.execute(
      tx,
    );
    const groupId = Number(rows[0]?.id);
    const canteen = await openWallet(tx, { personId: guardian.personId, groupId });
    await grant(tx, {
      walletId: canteen.id,
      amountCents: 4200,
      label: "Quotient familial",
      expiresOn: inDays(200),
      key: "audit:quotient",
      at: ago(3),
    });
    await openNetwork(tx, new Date());
    await freezeWallet(tx, frozen.id, { why: "dispute", at: new Date() });
    const { personId } = guardian;
    const people = {
      guardian: personId,
      child: (await idOf("child")).personId,
      secondChild: frozen.personId,
      coGuardian: (await idOf("coGuardian")).personId,
    };
    await agreeOnCustody(tx, people, new Date());
    await sendPapers(tx, people, new Date());
    const said = { personId, kind: "card", path: "/dashboard", at: ago(0.1) } as const;
    await notify(tx, {
      ...said,
      title: "Votre abonnement finit bientôt",
      body: "Renouvelez-le avant la fin du mois pour continuer à payer avec votre carte.",
    });
    await notify(tx, { ...said, at: ago(2), title: "Virement reçu", body: "12,00 € de Thomas." });
  });
  const suspended = await server.as("coGuardian");
  await suspended.post(`/api/cards/${cast.coGuardian.cardnumber}/suspend`);
  await sendNewCard(server, "canteenProvider");
}

/** A card in opposition whose replacement is on its way: it asks to be activated. */
async function sendNewCard(server: TestPortal["server"], name: CastName): Promise<void> {
  const { cardnumber } = cast[name];
  const owner = await server.as(name);
  await owner.post(`/api/cards/${cardnumber}/oppose`, { reason: "stolen" });
  const sent = await server.deps.db
    .updateTable("card")
    .set({ state: "shipped" })
    .where("replaces", "=", cardnumber)
    .executeTakeFirstOrThrow();
  if (sent.numUpdatedRows !== 1n) throw new Error("Opposition has asked for no new card.");
}

/** Path of the link that a login in an unknown browser sends. */
async function alertOf({ server }: TestPortal, name: CastName): Promise<string> {
  const browser = {
    "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/153.0.0.0",
    "sec-fetch-site": "same-origin",
  };
  const login = { login: cast[name].cardnumber, password: castPassword };
  // The first browser of all is nobody's news.
  await server.anonymous.post("/api/login", login, browser);
  await server.anonymous.post("/api/login", login, browser);
  const link = server.outbox
    .map(({ body }) => /https?:\/\/\S+\/securite\/pas-moi#\S+/.exec(body)?.[0])
    .findLast((found) => found !== undefined);
  if (!link) throw new Error("No alert was sent of the second login.");
  const { pathname, hash } = new URL(link);
  return pathname + hash;
}

/** Path of the provider's page, whose address bears the host of who began the payment. */
const paymentPathOf = (address: unknown, { url }: TestPortal) =>
  new URL(String(address), url).pathname;

/** Presses a button of that page. */
const chooseOutcome = ({ url }: TestPortal, path: string, outcome: (typeof outcomes)[number]) =>
  fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `outcome=${outcome}`,
    redirect: "manual",
  });

async function topUp(portal: TestPortal, objectID: string) {
  const payer = await portal.server.as("guardian");
  const start = async (): Promise<{ id: string; path: string }> => {
    const { body } = await payer.post(`/api/wallets/${objectID}/top-ups`, { amountCents: 2000 });
    return { id: body.id, path: paymentPathOf(body.paymentUrl, portal) };
  };
  const initiated = await start();
  const ids: Record<string, string> = { initiated: initiated.id };
  for (const outcome of outcomes) {
    const { id, path } = await start();
    ids[outcome] = id;
    await chooseOutcome(portal, path, outcome);
  }
  return { topUps: ids as FurnishedPortal["topUps"], paymentPath: initiated.path };
}

async function receiveGift(portal: TestPortal, objectID: string) {
  const { server } = portal;
  const { body } = await (
    await server.as("guardian")
  ).post(`/api/wallets/${objectID}/links`, {
    displayName: "Camille",
    word: "Pour mes livres et mes sorties au théâtre. Bisous\u202f!",
    thanks: "Merci beaucoup, je vous raconterai\u202f!",
    maxEachCents: 5000,
    maxTotalCents: 20_000,
    maxCount: 5,
    days: 30,
  });
  const { pathname, hash } = new URL(String(body.address));
  const gift = await server.anonymous.post("/api/gifts", {
    secret: hash.slice(1),
    amountCents: 2000,
    payerName: "Mamie Jeanne",
    payerEmail: null,
  });
  await chooseOutcome(portal, paymentPathOf(gift.body.paymentUrl, portal), "success");
  return { link: pathname + hash, arrived: `${pathname}?paiement=${gift.body.id}` };
}
