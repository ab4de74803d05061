// Every list that the server answers page by page: a next page that is refused is said with its sentence and asked
// for again by the keyboard, what was read stays, and nothing is shown twice.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { api } from "#contract/api.ts";
import { firstOfMonth, todayInParis } from "#contract/days.ts";
import type { Row } from "#contract/endpoint.ts";
import { problems } from "#contract/errors.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { post } from "#server/ledger/ledger.ts";
import { earnPoints } from "#server/till/till.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import {
  openFurnishedPortal,
  type FurnishedPortal,
} from "#tests/campaigns/audit/furnished-portal.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { press } from "#tests/keys.ts";

const { status, message } = problems.unavailable;
const lastMonth = firstOfMonth(todayInParis(), -1).slice(0, 7);

interface PagedList {
  name: string;
  as: CastName;
  /** Where it is shown; the function fills in what the portal is furnished with. */
  path: string | ((furnished: FurnishedPortal) => string | Promise<string>);
  /** What brings it to the screen there. */
  act?: (page: Page) => Promise<void>;
  row: Row;
  /** The field of the row that names the next page. */
  by: "before" | "after" | "page";
  /** How many items are a page. */
  size: number;
  items: (page: Page) => Locator;
  /** Writes two whole pages and more, or says the SQL that does. */
  write: (furnished: FurnishedPortal) => string | Promise<void>;
}

// ---- what is written

const id = (name: CastName) =>
  `(select person_id from card where number = ${cast[name].cardnumber})`;
const company = (name: CastName) =>
  `(select company_id from company_member where person_id = ${id(name)} limit 1)`;
const counter = (name: CastName) =>
  `(select id from partner where company_id = ${company(name)} limit 1)`;
const transport = "(select id from transport_service where reference = 'mobilite-salaries')";
const paris = "paris_day(now())";

/** SQL: a row of the table written again and again, each time with what is given. */
const again = (table: string, values: string, times: number, condition = "true") =>
  `select write_again('${table}', $$${values}$$, $$${condition}$$, ${times});`;
const writeAgain = `
  create function write_again(what regclass, extra text, condition text, times int) returns void
  language plpgsql as $f$ declare names text; begin
    select string_agg(quote_ident(attname), ', ') into names from pg_attribute
      where attrelid = what and attnum > 0 and not attisdropped
        and attidentity = '' and attgenerated = '';
    execute format('insert into %1$s (%2$s) select %2$s from (
        select (jsonb_populate_record(t, jsonb_build_object(%3$s))).*
        from %1$s t, generate_series(1, %5$s) n
        where t.ctid = (select ctid from %1$s where %4$s limit 1)) one',
      what, names, extra, condition, times);
  end $f$`;

/** SQL: the company shares its employees' passes. */
const plan = (name: CastName) =>
  `insert into commuting_plan (company_id, service_id, employer_percent, opened_at, changed_at)
     values (${company(name)}, ${transport}, 75, now(), now());`;
const planOf = (name: CastName) =>
  `(select id from commuting_plan where company_id = ${company(name)})`;

async function writePayments(tx: Tx): Promise<void> {
  const from = await schemeAccount(tx, "payments:sandbox");
  const { rows } = await sql<{ lot: number }>`
    select l.account_id as lot from wallet_lot l join wallet w on w.id = l.wallet_id
      join card c on c.person_id = w.person_id
    where c.number = ${cast.stranger.cardnumber} and l.kind = 'purchased' limit 1`.execute(tx);
  const transfers = Array.from({ length: 60 }, (_, n) => ({
    key: randomUUID(),
    debitAccount: from,
    creditAccount: rows[0]?.lot ?? 0,
    amountCents: 100,
    kind: "top_up",
    memo: { label: `Essai ${n}` },
  }));
  await post(tx, transfers);
}

async function writePoints(tx: Tx): Promise<void> {
  const { rows } = await sql<{ personId: number; companyId: string }>`
    select c.person_id as "personId", p.company_id as "companyId" from card c, partner p
    where c.number = ${cast.guardian.cardnumber} and p.reference = 'librairie-des-embruns'`.execute(
    tx,
  );
  for (let n = 0; n < 60; n++) {
    const act = { points: 2, key: randomUUID(), label: `Essai ${n}`, at: new Date() };
    await earnPoints(tx, { ...(rows[0] as (typeof rows)[number]), ...act });
  }
}

// ---- what is shown

const lines = (caption: string) => (page: Page) =>
  page
    .getByRole("table", { name: caption, exact: true })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
const links = (name: RegExp) => (page: Page) => page.getByRole("link", { name });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

const lists: readonly PagedList[] = [
  {
    name: "activity of the account",
    as: "guardian",
    path: "/profil/activite",
    row: api.identity.activity,
    by: "before",
    size: 10,
    items: lines("Activité du compte"),
    write: () => `insert into audit (person_id, at, actor, action, address)
      select ${id("guardian")}, now(), 'person', 'session.open', '10.0.0.' || n
      from generate_series(1, 30) n`,
  },
  {
    name: "sales of a till",
    as: "partnerShop",
    path: "/partenaire/caisse?onglet=ventes",
    row: api.till.sales,
    by: "before",
    size: 20,
    items: lines("Ventes"),
    write: () =>
      again(
        "till_sale",
        "'id', gen_random_uuid(), 'label', 'Essai ' || n, 'code_from', null",
        60,
        `partner_id = ${counter("partnerShop")}`,
      ),
  },
  {
    name: "charges that no wallet paid",
    as: "canteenProvider",
    path: "/partenaire/caisse?onglet=journee",
    row: api.till.offlineLosses,
    by: "before",
    size: 10,
    items: lines("Écarts hors connexion"),
    write: () => `insert into till_offline (id, partner_id, company_id, cashier_id, amount_cents,
        label, sold_at, received_at, conflict)
      select gen_random_uuid(), ${counter("canteenProvider")}, ${company("canteenProvider")},
        ${id("canteenProvider")}, 500, 'Essai ' || n, now(), now(), 'code'
      from generate_series(1, 30) n`,
  },
  {
    name: "closings of a till",
    as: "partnerShop",
    path: "/partenaire/caisse?onglet=journee",
    row: api.till.closings,
    by: "before",
    size: 5,
    items: (page) => page.getByRole("heading", { name: /^Clôture n° \d/ }),
    write: () => `insert into till_closing (partner_id, number, until_at, closed_by, totals)
      select ${counter("partnerShop")}, n, now() - (16 - n) * interval '1 day',
        ${id("partnerShop")}, '[]'
      from generate_series(1, 15) n`,
  },
  {
    name: "grants of a company",
    as: "employer",
    path: "/professional/dotations",
    row: api.grants.list,
    by: "before",
    size: 20,
    items: lines("Dotations"),
    write: () => `with granted as (
        insert into company_grant (company_id, person_id, group_id, label, expires_on, total_cents,
          created_at)
        select ${company("employer")}, ${id("employer")}, 1, 'Essai ' || n, ${paris} + 90, 1000,
          now() from generate_series(1, 60) n returning id)
      insert into company_grant_card (grant_id, person_id, amount_cents)
        select id, ${id("employer")}, 1000 from granted`,
  },
  {
    name: "invoices",
    as: "employer",
    path: "/professional/invoice",
    row: api.invoices.list,
    by: "before",
    size: 20,
    items: links(/^Facture E/),
    write: () =>
      `${again(
        "invoice",
        `'id', gen_random_uuid(), 'company_id', ${company("employer")}, 'sequence', 5000 + n,
         'number', 'E' || 5000 + n, 'reference', 'E' || 5000 + n, 'subject_id', 'E' || n`,
        60,
        "kind = 'invoice'",
      )}
      insert into invoice_balance (invoice_id, due_cents, total_cents)
        select id, due_cents, total_cents from invoice where number like 'E5%'`,
  },
  {
    name: "settled months",
    as: "partnerShop",
    path: "/professional/reglements",
    row: api.settlement.list,
    by: "before",
    size: 12,
    items: lines("Mois clos"),
    write: () => `
      insert into settlement_month (month, started_at, collected_at, closed_at, closed_by)
        select to_char('${lastMonth}-01'::date - n * interval '1 month', 'YYYY-MM'), now(), now(),
          now(), 'essai' from generate_series(1, 36) n;
      insert into settlement (company_id, month, opening_cents, gross_cents, commission_cents,
          vat_cents, lines, closed_at)
        select ${company("partnerShop")}, month, 0, 0, 0, 0, 0, now()
        from settlement_month where closed_by = 'essai'`,
  },
  {
    name: "lines of a statement",
    as: "partnerShop",
    path: `/professional/reglements?mois=${lastMonth}`,
    act: (page) => button(page, "Voir les lignes").click(),
    row: api.settlement.lines,
    by: "after",
    size: 50,
    items: lines("Lignes du relevé"),
    write: () =>
      again(
        "settlement_line",
        "'key', gen_random_uuid(), 'label', 'Essai ' || n",
        150,
        `company_id = ${company("partnerShop")}`,
      ),
  },
  {
    name: "partnerships",
    as: "partnerShop",
    path: "/professional/partenaire?etat=past",
    row: api.partnerships.list,
    by: "before",
    size: 20,
    items: (page) => page.getByRole("listitem").filter({ hasText: "Pour vos cartes" }),
    write: () => `
      insert into partnership (inviter_id, siret, state, invited_by, invited_at, expires_at)
        select ${company("partnerShop")}, '90034567900014', 'withdrawn', ${id("partnerShop")},
          start_of_paris_day(${paris} - n), now() from generate_series(1, 60) n;
      insert into partnership_terms (partnership_id, version, inviter_percent, invited_percent,
          by_inviter, proposed_by, proposed_at)
        select id, 1, 5, 5, true, invited_by, invited_at from partnership p
        where not exists (select from partnership_terms where partnership_id = p.id)`,
  },
  {
    name: "messages of a partnership",
    as: "partnerShop",
    path: ({ partnership }) => `/partenaire/${partnership}`,
    row: api.partnerships.messages,
    by: "before",
    size: 20,
    items: (page) => page.getByText(/^Essai \d+$/),
    write: ({ partnership }) => `
      insert into partnership_message (partnership_id, by_id, from_inviter, text, at)
        select '${partnership}', ${id("partnerShop")}, true, 'Essai ' || n, now()
        from generate_series(1, 60) n`,
  },
  {
    name: "points",
    as: "guardian",
    path: "/cagnottes/points",
    row: api.loyalty.movements,
    by: "before",
    size: 20,
    items: lines("Historique des points"),
    write: ({ portal }) => inTx(portal.server.deps.db, writePoints),
  },
  {
    name: "movements of a wallet",
    as: "stranger",
    path: async ({ walletOf }) => `/cagnottes/${(await walletOf("stranger")).objectID}/operations`,
    row: api.wallet.movements,
    by: "before",
    size: 20,
    items: lines("Opérations"),
    write: ({ portal }) => inTx(portal.server.deps.db, writePayments),
  },
  {
    name: "lines of the network",
    as: "guardian",
    path: "/Abonnement/ligne",
    row: api.transit.lines,
    by: "after",
    size: 60,
    items: (page) => page.locator("a[href*='?ligne=']"),
    write: () =>
      again(
        "transit_line",
        "'gtfs_id', 'essai-' || n, 'place', 1000 + n, 'to_name', 'Essai ' || n",
        180,
        "feed_id is not null",
      ),
  },
  {
    name: "notices",
    as: "guardian",
    path: "/dashboard",
    act: (page) => button(page, /^Notifications/).click(),
    row: api.notifications.list,
    by: "before",
    size: 20,
    items: (page) => page.getByRole("dialog").getByRole("listitem"),
    write: () => `insert into notification (person_id, at, kind, title, body)
      select ${id("guardian")}, now(), 'card', 'Essai ' || n, 'Rien à faire.'
      from generate_series(1, 60) n`,
  },
  {
    name: "messages of a canteen",
    as: "canteenProvider",
    path: "/pro/cantine?onglet=messages",
    row: api.canteen.messages,
    by: "before",
    size: 20,
    items: (page) => page.locator("strong").filter({ hasText: /^Essai \d+$/ }),
    write: () => `insert into canteen_message (canteen_id, title, body, sent_by, sent_at, readers)
      select c.id, 'Essai ' || n, 'Bonjour', ${id("canteenProvider")},
        now() - n * interval '1 day', 1
      from canteen c, generate_series(1, 60) n`,
  },
  {
    name: "meals of a child",
    as: "guardian",
    path: `/family/${cast.child.cardnumber}`,
    act: async (page) => {
      await page.getByRole("tab", { name: "Repas" }).click();
      await button(page, "Passés").click();
    },
    row: api.canteen.orders,
    by: "after",
    size: 20,
    // One a day.
    items: (page) => page.getByRole("heading", { level: 3 }),
    write: () =>
      again("meal_order", `'id', gen_random_uuid(), 'on_day', ${paris} - n, 'state', 'served'`, 60),
  },
  {
    name: "employees whose passes are shared",
    as: "employer",
    path: ({ directory }) =>
      `/services/transport-entreprise/${directory.transport}?onglet=salaries`,
    row: api.commuting.enrolments,
    by: "before",
    size: 50,
    items: lines("Salariés"),
    write: () => `${plan("employer")}
      insert into commuting_enrolment (plan_id, state, name, cardnumber, invited_by, invited_at,
          expires_at)
        select ${planOf("employer")}, 'invited', 'Essai ' || n, 1100000000 + n, ${id("employer")},
          now(), now() + interval '9 days' from generate_series(1, 150) n`,
  },
  {
    name: "passes for payroll",
    as: "partnerShop",
    path: ({ directory }) => `/services/transport-entreprise/${directory.transport}?onglet=paie`,
    row: api.commuting.payroll,
    by: "before",
    size: 50,
    items: lines("Titres du mois"),
    write: () => `${plan("partnerShop")}
      insert into commuting_enrolment (plan_id, state, name, cardnumber, holder_id, invited_by,
          invited_at, expires_at)
        values (${planOf("partnerShop")}, 'active', 'Hugo', ${cast.stranger.cardnumber},
          ${id("stranger")}, ${id("partnerShop")}, now(), now());
      with bought as (
        insert into pass_order (id, person_id, holder_id, product_id, state, created_at, updated_at)
        select gen_random_uuid(), ${id("stranger")}, ${id("stranger")},
          (select id from fare_product limit 1), 'cancelled', now(), now()
        from generate_series(1, 150) returning id)
      insert into commuting_purchase (order_id, enrolment_id, product_name, kind, first_day,
          last_day, price_cents, employer_cents, employer_percent, bought_at)
        select b.id, e.id, 'Essai ' || row_number() over (), 'month',
          '${firstOfMonth(todayInParis())}', '${firstOfMonth(todayInParis(), 1)}', 4400, 3300, 75,
          now()
        from bought b, commuting_enrolment e where e.plan_id = ${planOf("partnerShop")}`,
  },
  {
    name: "requests to the customer service",
    as: "guardian",
    path: "/contact",
    row: api.contact.threads,
    by: "before",
    size: 20,
    items: links(/^Essai \d/),
    write: () => `insert into contact_thread (person_id, topic, subject, created_at, updated_at,
        last_message)
      select ${id("guardian")}, 'card', 'Essai ' || n, now(), now(), 1000 + n
      from generate_series(1, 60) n`,
  },
  {
    name: "partners",
    as: "guardian",
    path: "/services/partner",
    row: api.partners.list,
    by: "page",
    size: 20,
    items: (page) => page.getByRole("article"),
    write: () =>
      again(
        "partner",
        `'id', gen_random_uuid(), 'reference', 'essai-' || n, 'name', 'Essai ' || n,
         'company_id', null`,
        60,
        "listed",
      ),
  },
  {
    name: "orders of cards",
    as: "employer",
    path: "/card",
    row: api.cardOrders.list,
    by: "before",
    size: 20,
    items: lines("Commandes de cartes"),
    write: () =>
      again(
        "card_order",
        "'id', gen_random_uuid(), 'invoice_id', null",
        60,
        `state = 'ordered' and company_id = ${company("employer")}`,
      ),
  },
];

let furnished: FurnishedPortal;
beforeAll(async () => {
  furnished = await openFurnishedPortal();
  await furnished.portal.server.owner.pool.query(writeAgain);
}, 300_000);
afterAll(async () => {
  expect(furnished.portal.faults).toEqual([]);
  await furnished.portal.close();
});

/** The server refuses a page once, as it does while it cannot answer: the first, or the one that `by` names. */
async function refuse(page: Page, row: Row, by?: PagedList["by"]): Promise<void> {
  const path = new RegExp(`^${row.path.replaceAll(/:\w+/g, "[^/]+")}$`);
  const isPage = ({ pathname, searchParams }: URL) =>
    path.test(pathname) && (!by || !["1", null].includes(searchParams.get(by)));
  const json = { code: "unavailable", message };
  await page.route(isPage, (route) => route.fulfill({ status, json }), { times: 1 });
}

test.each(lists)("a refused next page is asked for again: $name", async (list) => {
  const { portal } = furnished;
  const { as, path, act, size, write } = list;
  const statements = await write(furnished);
  if (statements) await portal.server.owner.pool.query(statements);
  const page = await portal.open();
  await portal.signIn(page, as);
  await page.goto(typeof path === "string" ? path : await path(furnished));
  await act?.(page);
  const items = list.items(page);
  await expect.poll(() => items.count()).toBe(size);
  await refuse(page, list.row, list.by);
  await press(button(page, "Voir plus"), "Enter");
  const said = page.getByRole("alert").filter({ hasText: "La suite n’a pas pu être chargée." });
  await expect.poll(() => said.allInnerTexts()).toEqual([expect.stringContaining(message)]);
  await expect.poll(() => items.count()).toBe(size);
  await press(button(page, "Réessayer"), "Enter");
  const countItems = async () => {
    const words = await items.allInnerTexts();
    return { items: words.length, different: new Set(words).size };
  };
  await expect.poll(countItems).toEqual({ items: 2 * size, different: 2 * size });
  await expect.poll(() => said.count()).toBe(0);
  await expect.poll(() => button(page, "Réessayer").count()).toBe(0);
  await page.context().close();
});

test("a refused first page is said in its place, and asked for again", async () => {
  const { portal } = furnished;
  const page = await portal.open();
  await portal.signIn(page, "canteenProvider");
  await refuse(page, api.invoices.list);
  await page.goto("/professional/invoice");
  await page.getByText("Les factures n’ont pas pu être chargées.").waitFor();
  await page.getByText(message).waitFor();
  await press(button(page, "Réessayer"), "Enter");
  await links(/^Facture /)(page)
    .first()
    .waitFor();
  await expect.poll(() => button(page, "Réessayer").count()).toBe(0);
  await page.context().close();
});
