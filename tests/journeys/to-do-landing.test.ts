// « À faire » on a small phone: each line leads to the very button that answers it, in view, with the keyboard there.
// With DISTANCES set, says how far out of view each button was.
import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { contactCommands } from "#server/contact/operator.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { notify } from "#server/notifications/notifications.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { makeCanteen, placeMeal } from "../canteens.ts";
import { cast } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import { makeEvent } from "../events.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

const own = cast.guardian.cardnumber;
const leo = cast.child.cardnumber;
const phone = { viewport: { width: 360, height: 640 } };

let portal: TestPortal;
/** The sheet of the shop that charges at its till. */
let shop: string;
beforeAll(async () => {
  portal = await openTestPortal();
  const { deps } = portal.server;
  deps.config.codeFromCents = 1_000_000;
  const { partner, transport } = await furnishDirectory(deps);
  shop = partner;
  await inTx(deps.db, (tx) => putOnSale(tx, demoFares));
  await askFamily();
  await askEmployer(transport);
  await giveTicket();
  await warnOfMeal();
  await answerAtOffice();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const query = async (text: string, ...values: unknown[]) =>
  (await portal.server.deps.pool.query(text, values)).rows;
const personOf = async (cardnumber: number): Promise<number> =>
  (await query("select person_id as id from card where number = $1", cardnumber))[0].id;

async function askFamily(): Promise<void> {
  const [thomas, hugo] = await Promise.all([
    portal.server.as("coGuardian"),
    portal.server.as("stranger"),
  ]);
  const fromOn = parisDay(portal.server.deps.now());
  await thomas.post(`/api/family/members/${leo}/custody`, { kind: "weeks", first: "me", fromOn });
  await hugo.post("/api/family/invitations", { cardnumber: own, role: "relative" });
}

async function askEmployer(service: string): Promise<void> {
  const owner = await portal.server.as("employer");
  const offer = `/api/commuting/offers/${service}`;
  await owner.post(offer, { employerPercent: 60 });
  await owner.post(`${offer}/enrolments`, { cardnumber: own, name: "Camille Moreau" });
}

async function giveTicket(): Promise<void> {
  const thomas = await portal.server.as("coGuardian");
  const { cardnumber } = cast.coGuardian;
  const event = await makeEvent(portal.server);
  const seat = { session: event.session, category: event.full, cardnumber, quantity: 1 };
  const { cart } = (await thomas.post("/api/tickets/cart/lines", seat)).body;
  const { objectID } = (await thomas.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0];
  const { id: order, totalCents } = cart;
  await thomas.post("/api/tickets/cart/pay", { method: "wallet", order, objectID, totalCents });
  const { items } = (await thomas.get(`/api/tickets?cardnumber=${cardnumber}`)).body;
  await thomas.post(`/api/tickets/${items[0].id}/transfer`, { toCardnumber: own });
  await query(
    `insert into ticket_wait (person_id, owner_id, session_id, category_id, quantity, state, held,
       requested_at, offered_until)
     values ($1, $1, $2, $3, 1, 'offered', 1, now(), now() + interval '2 hours')`,
    await personOf(own),
    event.session,
    event.full,
  );
}

async function warnOfMeal(): Promise<void> {
  const { server } = portal;
  const { registrations } = await makeCanteen(server);
  const [camille, desk] = await Promise.all([server.as("guardian"), server.as("canteenProvider")]);
  const today = parisDay(server.deps.now());
  const day = workingDaysAfter(today, 6);
  const dish = {
    course: "main",
    name: "Poulet aux arachides",
    labels: [],
    allergens: ["peanuts"],
    diets: [],
    priceCents: null,
  };
  await desk.post("/api/canteen/menus", { day, note: "", dishes: [dish], undeclared: true });
  await desk.post("/api/canteen/menus/publish", { day, published: true, undeclared: true });
  await placeMeal(server, { registration: registrations.child, day, priceCents: 345 });
  await camille.post("/api/health-record", {
    cardnumber: leo,
    allergens: ["peanuts"],
    note: "",
    consent: true,
  });
  await query(
    `insert into meal_wait (registration_id, on_day, requested_by, state, requested_at, offered_until)
     values ($1, $2, $3, 'offered', now(), now() + interval '2 hours')`,
    registrations.secondChild,
    workingDaysAfter(today, 8),
    await personOf(own),
  );
}

async function answerAtOffice(): Promise<void> {
  const { server } = portal;
  const me = await personOf(own);
  await query(
    `insert into closure (person_id, requested_by, requested_at, closes_on)
     values ($1, $1, now(), paris_day(now()) + 10)`,
    me,
  );
  const until = addDays(parisDay(server.deps.now()), 8);
  await query(
    `insert into proof (person_id, sent_by, kind, state, sent_at, answered_at, reason, valid_from, valid_until)
     values ($1, $1, 'home', 'refused', now(), now(), 'Document illisible.', null, null),
       ($1, $1, 'identity', 'validated', now(), now(), null, $2::date - 300, $2::date)`,
    me,
    until,
  );
  const at = new Date();
  await query(
    `insert into first_card_request (guardian_id, name, born_on, state, reason, requested_at, answered_at)
     values ($1, 'Zoé Moreau', '2019-03-04', 'refused', 'Nom illisible.', $2, $2)`,
    me,
    at,
  );
  await inTx(server.deps.db, (tx) =>
    notify(tx, {
      personId: me,
      kind: "family",
      title: "Première carte refusée",
      body: "Nom illisible.",
      path: "/family",
      at,
    }),
  );
  const camille = await server.as("guardian");
  const text = "Ma recharge n’est pas arrivée. ".repeat(40);
  await camille.post("/api/contact", { topic: "money", subject: "Ma recharge", text });
  const [{ number }] = await query("select number from contact_thread");
  const answer = contactCommands.find(({ name }) => name === "contact answer");
  await answer?.run(server.deps, [String(number), "Elle est arrivée."], "test");
}

/** How many pixels of an element are out of the view: above it, or below where a fixed bar stands. */
const outOfView = (answer: Locator): Promise<number> =>
  answer.evaluate((element) => {
    // A dialog stands above the bar.
    const bars = [...document.querySelectorAll("nav")].filter(
      (nav) => !element.closest("dialog") && getComputedStyle(nav).position === "fixed",
    );
    const end = Math.min(innerHeight, ...bars.map((bar) => bar.getBoundingClientRect().top));
    const { top, bottom } = element.getBoundingClientRect();
    return Math.round(Math.max(0, -top, bottom - end));
  });

const focusHolds = (answer: Locator): Promise<boolean> =>
  answer.evaluate((element) => {
    const has = document.activeElement;
    return has !== document.body && has?.localName !== "main" && has?.contains(element) === true;
  });

/** Waits until an answer is in view and the keyboard stands at it. */
async function landsAt(answer: Locator, kind: string): Promise<void> {
  await answer.waitFor();
  if (process.env["DISTANCES"]) {
    await answer.page().waitForTimeout(2500);
    process.stdout.write(`${kind}: ${await outOfView(answer)} px out of view\n`);
  }
  await expect.poll(() => outOfView(answer), { timeout: 15_000 }).toBe(0);
  await expect.poll(() => focusHolds(answer), { timeout: 15_000 }).toBe(true);
}

/** « Ma carte » with all that is to do. */
async function openHome(): Promise<Page> {
  const page = await portal.open(phone);
  await portal.login(page, "guardian");
  await page.getByRole("button", { name: /^Voir les \d+ autres$/ }).click();
  return page;
}

const toDo = (page: Page, name: RegExp) => page.getByRole("main").getByRole("link", { name });
const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole("main").getByRole("button", { name });

// proves: focus
test.each<[string, RegExp, (page: Page) => Locator]>([
  ["custody", /^Répondre.*Garde de Léo/, button(/^Accepter la proposition/)],
  [
    "invitation",
    /^Répondre.*Invitation d’Hugo|^Répondre.*Invitation de Hugo/,
    button(/^Accepter l’invitation/),
  ],
  ["employer", /^Répondre.*Proposition d/, button(/^Accepter$/)],
  ["ticket_received", /^Répondre.*Billet de Thomas/, button("Accepter")],
  ["ticket_offered", /^Voir.*Place libérée$/, button("Prendre cette place")],
  ["proof_refused", /^Renvoyer.*Justificatif refusé/, button(/^En envoyer un autre/)],
  ["proof_ending", /^Renouveler.*À renouveler/, button(/^Renouveler/)],
  ["closing", /^Renoncer.*Fermeture du compte/, button("Garder le compte")],
  [
    "card_refused",
    /^Voir.*Première carte refusée/,
    (page) => page.getByText(/Refusée : Nom illisible/),
  ],
  ["answer", /^Lire.*Réponse à votre demande/, (page) => page.getByText("Elle est arrivée.")],
  [
    "meal_offered",
    /^Commander.*Place libérée à la cantine/,
    (page) => page.getByRole("button", { name: /^Laisser cette place/ }),
  ],
])(
  "%s: the button that answers is in view, and the keyboard stands there",
  async (kind, line, of) => {
    const page = await openHome();
    await toDo(page, line).click();
    await landsAt(of(page).first(), kind);
    await page.context().close();
  },
);

// proves: focus
test("meal_warned: the question itself opens", async () => {
  const page = await openHome();
  await toDo(page, /^Voir.*Allergènes/).click();
  const dialog = page.getByRole("alertdialog", { name: /^Garder ce repas/ });
  const keep = dialog.getByRole("button", { name: "Garder le repas" });
  await expect.poll(() => outOfView(keep)).toBe(0);
  await dialog.locator(":focus").waitFor();
  await page.context().close();
});

// proves: focus
test("what loads late is waited for, and what loads above it does not push it away", async () => {
  const page = await openHome();
  const wallets = Promise.withResolvers<void>();
  const custody = Promise.withResolvers<void>();
  await page.route(/\/api\/wallets/, async (route) => {
    await wallets.promise;
    await route.continue();
  });
  await page.route(/\/custody/, async (route) => {
    await custody.promise;
    await route.continue();
  });
  await toDo(page, /^Répondre.*Garde de Léo/).click();
  await page.locator("h1:focus").waitFor();
  custody.resolve();
  const answer = button(/^Accepter la proposition/)(page);
  await expect.poll(() => focusHolds(answer)).toBe(true);
  wallets.resolve();
  await page.getByText("Restauration").waitFor();
  await expect.poll(() => outOfView(answer)).toBe(0);
  await expect.poll(() => focusHolds(answer)).toBe(true);
  await page.context().close();
});

test("what was answered meanwhile is said, and the screen is entered at its heading", async () => {
  const page = await openHome();
  const link = toDo(page, /^Répondre.*Invitation/);
  await link.waitFor();
  await query("update family_invitation set state = 'declined'");
  await link.click();
  await page.getByText("Cela n’attend plus votre réponse.").waitFor();
  await page.locator("h1:focus").waitFor();
  await page.context().close();
});

// proves: focus
test("till: of two purchases the one that was chosen is in view, and the keyboard stands there", async () => {
  // Where it is tried again, the first sales no longer wait.
  await query(
    `update till_sale set state = 'expired', requested_at = requested_at - interval '1 hour'
     where state = 'requested'`,
  );
  const till = await portal.server.as("partnerShop");
  for (const [cardnumber, amountCents] of [
    [own, 1250],
    [leo, 300],
  ]) {
    const sale = { id: randomUUID(), partner: shop, amountCents, cardnumber };
    const requested = await till.post("/api/till/sales", sale);
    expect(requested.status, requested.text).toBe(200);
  }
  const page = await openHome();
  const line = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ hasText: /de 12,50/ });
  await line.getByRole("link", { name: /^Répondre.*Librairie des Embruns attend/ }).click();
  await landsAt(button(/^Payer 12,50/)(page), "till");
  await page.context().close();
});
