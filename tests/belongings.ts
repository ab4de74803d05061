// Things of the demo that rows are given by id, each with the people whose it is: for the test that nobody
// reaches what is somebody else's.
import type { ProblemCode } from "#contract/errors.ts";
import type { OwnedThing } from "#contract/things.ts";
import { issueProCards } from "#server/companies/companies.ts";
import { type CompanyRole, companyRoles } from "#contract/companies/roles.ts";
import { inTx } from "#server/db/db.ts";
import { cast, type CastName } from "./cast.ts";
import type { TestServer } from "./test-server.ts";

/** A person, and whoever acts for them. */
const family = (person: string) =>
  `array(select ${person} union select guardian_id from family_tie where member_id = ${person})`;
const people = (company: string) =>
  `array(select m.person_id from company_member m where m.company_id = ${company})`;
const ofCanteen = (canteen: string) => `array(
  select m.person_id from canteen c join canteen_provider p on p.id = c.provider_id
  join partner s on s.id = p.partner_id join company_member m on m.company_id = s.company_id
  where c.id = ${canteen})`;
const ofPartner = (partner: string) => `array(
  select m.person_id from partner s join company_member m on m.company_id = s.company_id
  where s.id = ${partner})`;
/** A person, and whoever shares a family tie with them. */
const kin = (person: string) => `array(
  select ${person} union select guardian_id from family_tie where member_id = ${person}
  union select member_id from family_tie where guardian_id = ${person}
  union select o.guardian_id from family_tie f join family_tie o on o.member_id = f.member_id
    where f.guardian_id = ${person})`;
/** Who wrote or was written to, whatever else they may do. */
const oneOf = (...persons: string[]) =>
  `array_remove(array[${persons.join(", ")}]::bigint[], null)`;

/** Where the youngest of the demo's family eats: so that a canteen, its prices and its meals fit together. */
const schoolCanteen = `(select r.canteen_id from canteen_registration r join card k using (person_id)
  where k.number = ${cast.secondChild.cardnumber} and r.ended_at is null order by r.id limit 1)`;
const atSchoolFirst = `order by canteen_id <> ${schoolCanteen}`;

/** What an id can point at: rows of (id, people whose it is), the likeliest to be of use first. */
export const things = {
  subscription: `select id, ${oneOf("person_id", "buyer_id")} from subscription order by state <> 'draft'`,
  pass: `select id, ${family("holder_id")} from pass`,
  passOrder: `select id, ${oneOf("person_id")} from pass_order order by state <> 'draft'`,
  passkey: `select id, ${oneOf("person_id")} from passkey`,
  session: `select id, ${oneOf("person_id")} from session where ended_at is null order by id`,
  alert: `select id, ${oneOf("person_id")} from login_alert`,
  topUp: `select t.id, ${family("w.person_id")} || t.person_id from top_up t
    join wallet w on w.id = t.wallet_id`,
  topUpRule: `select t.id, ${family("w.person_id")} || t.person_id from top_up_rule t
    join wallet w on w.id = t.wallet_id`,
  giftLink: `select t.id, ${family("w.person_id")} || t.person_id from gift_link t
    join wallet w on w.id = t.wallet_id`,
  ticket: `select id, ${family("owner_id")} from ticket`,
  document: `select id, ${oneOf("person_id")} from document order by attached_kind is not null`,
  avatar: `select id, ${kin("person_id")} from avatar`,
  card: `select number, ${family("person_id")} from card where state = 'active' order by number`,
  kin: `select number, ${kin("person_id")} from card where state = 'active' order by number`,
  proCard: `select c.number, ${people("t.company_id")} from pro_card t join card c using (person_id)
    where not exists (select from company_member m where m.person_id = t.person_id)
    order by t.assigned_at is not null`,
  colleague: `select c.number, ${people("t.company_id")} from pro_card t join card c using (person_id)
    where c.state = 'active' and t.assigned_at is not null`,
  wallet: `select object_id, ${family("person_id")} from wallet order by group_id`,
  paymentMethod: `select id, ${oneOf("person_id")} from payment_method where forgotten_at is null`,
  invitationSent: `select id, ${oneOf("inviter_id")} from family_invitation where state = 'open'`,
  invitationReceived: `select id, ${oneOf("invitee_id")} from family_invitation
    where state = 'open' and invitee_id is not null`,
  tie: `select c.number, ${family("c.person_id")} from family_tie
    join card c on c.person_id = member_id order by c.number`,
  custodyProposed: `select id, ${oneOf("proposed_by")} from custody order by state <> 'proposed'`,
  custodyReceived: `select id, ${oneOf("proposed_to")} from custody order by state <> 'proposed'`,
  cardRequest: `select id, ${oneOf("guardian_id")} from first_card_request`,
  proof: `select id, ${family("person_id")} from proof order by state <> 'waiting'`,
  employeeEnrolment: `select e.id, ${people("t.company_id")} from commuting_enrolment e
    join commuting_plan t on t.id = e.plan_id order by e.state <> 'active'`,
  enrolment: `select id, ${oneOf("holder_id")} from commuting_enrolment where holder_id is not null
    order by state <> 'invited'`,
  bankChange: `select id, ${people("t.company_id")} from company_bank_account t order by asked_at desc`,
  invoice: `select id, ${people("t.company_id")} from invoice t`,
  sheet: `select id, ${people("t.company_id")} from partner t where company_id is not null`,
  partnership: `select id, array(select person_id from company_member
    where company_id in (inviter_id, invited_id)) from partnership`,
  sale: `select id, ${ofPartner("partner_id")} from till_sale order by state <> 'waiting'`,
  saleRequest: `select id, ${oneOf("holder_id")} from till_sale where holder_id is not null
    order by state <> 'waiting'`,
  purchaseAtTill: `select id, ${family("holder_id")} from till_sale where paid_at is not null`,
  offlineCharge: `select id, ${people("t.company_id")} from till_offline t`,
  cardOrder: `select id, ${people("t.company_id")} from card_order t`,
  activeGrant: `select id, ${people("t.company_id")} from company_grant t where state = 'granted'`,
  grant: `select id, ${people("t.company_id")} from company_grant t order by state`,
  thread: `select id, ${oneOf("person_id")} from contact_thread`,
  notification: `select id, ${oneOf("person_id")} from notification where read_at is null`,
  purchase: `select order_id, ${oneOf("buyer_id")} from purchase`,
  transferSent: `select id, ${oneOf("person_id")} from wallet_transfer`,
  ticketOrder: `select id, ${oneOf("person_id")} from ticket_order order by state <> 'expired'`,
  ticketWait: `select id, ${oneOf("person_id", "owner_id")} from ticket_wait`,
  ticketSent: `select id, ${oneOf("from_id")} from ticket_transfer where state = 'open'`,
  ticketReceived: `select id, ${oneOf("to_id")} from ticket_transfer
    where state = 'open' and to_id is not null`,
  canteen: `select id, ${ofCanteen("canteen.id")} from canteen order by id <> ${schoolCanteen}`,
  price: `select id, ${ofCanteen("canteen_id")} from canteen_price where ended_at is null
    ${atSchoolFirst}`,
  closing: `select id, ${ofCanteen("canteen_id")} from canteen_closing ${atSchoolFirst}`,
  registrationAt: `select id, ${ofCanteen("canteen_id")} from canteen_registration
    ${atSchoolFirst}, state <> 'requested' limit 20`,
  registration: `select id, ${family("person_id")} from canteen_registration where ended_at is null
    ${atSchoolFirst} limit 200`,
  illnessAt: `select i.id, ${ofCanteen("r.canteen_id")} from meal_illness i
    join canteen_registration r on r.id = i.registration_id`,
  illness: `select i.id, ${family("r.person_id")} from meal_illness i
    join canteen_registration r on r.id = i.registration_id`,
  scanAt: `select id, ${ofCanteen("canteen_id")} from meal_scan where conflict is not null
    and settled_at is null`,
  mealAt: `select id, ${ofCanteen("canteen_id")} from meal_order ${atSchoolFirst}, on_day desc limit 20`,
  meal: `select id, ${family("person_id")} from meal_order where state = 'reserved'
    and person_id in (select member_id from family_tie) limit 60`,
  mealRequest: `select id, ${oneOf("person_id")} from meal_request`,
  mealWait: `select w.id, ${family("r.person_id")} from meal_wait w
    join canteen_registration r on r.id = w.registration_id`,
  menuTemplate: `select t.id, ${ofPartner("p.partner_id")} from canteen_menu_template t
    join canteen_provider p on p.id = t.provider_id`,
  photo: `select a.id, ${ofCanteen("r.canteen_id")} from avatar a
    join canteen_registration r on r.person_id = a.person_id`,
  export: `select id, ${oneOf("asked_by")} from data_export`,
} as const satisfies Record<OwnedThing, string>;

const day = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** What a row must be told beside ids to come to the point where it looks at them. */
export const inputs: Record<string, Record<string, unknown>> = {
  "family.invite": { cardnumber: cast.resetPending.cardnumber, role: "guardian" },
  "family.inviteByLink": { role: "guardian" },
  "entitlements.send": { kind: "disability", expiresOn: day(300) },
  "payments.startTopUp": { amountCents: 2000 },
  "funding.createRule": { amountCents: 2000, monthlyCents: 9000, when: { trigger: "day", day: 5 } },
  "canteen.choose": { meals: [{ day: day(9) }] },
  "canteen.chooseWeeks": { weekdays: [0], from: day(9), to: day(20) },
  "canteen.recordScans": {
    scans: [
      {
        id: "6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2c",
        day: day(0),
        at: new Date().toISOString(),
        verdict: "served",
      },
    ],
  },
  "till.recordOffline": {
    charges: [
      {
        id: "6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2d",
        partner: "6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b",
        amountCents: 500,
        token: "MC1.faux",
        soldAt: new Date().toISOString(),
        knownAt: new Date().toISOString(),
      },
    ],
  },
  "commuting.payroll": { month: day(0).slice(0, 7) },
  "commuting.payrollCsv": { month: day(0).slice(0, 7) },
  "companies.assignProCard": { firstName: "Ana", lastName: "Roux", phonenumber: null },
  "partners.askIdentity": { name: "Chez Ana", street: "1 quai", postcode: "35400", town: "Port" },
  "partnerships.invite": { siret: "73282932000074", givesPercent: 5, getsPercent: 5 },
  ...Object.fromEntries(
    ["read", "company", "representative", "addDocument", "removeDocument", "prove", "submit"]
      .concat("answer", "discard")
      .map((name) => [`memberships.${name}`, { service: "devenir-partenaire" }]),
  ),
  "till.charge": { amountCents: 500, token: "MC1.faux" },
  "settlement.one": { month: "2026-01" },
  "settlement.lines": { month: "2026-01" },
  "settlement.pdf": { month: "2026-01" },
  "settlement.csv": { month: "2026-01" },
  "cardOrders.delivery": { postcode: "35400" },
  "grants.write": { expiresOn: day(60) },
  "canteen.previewMenuImport": { source: "date;plat\n", prices: "true" },
  ...Object.fromEntries(
    ["copyMenus", "layMenuTemplate", "changePrices"].map((name) => [
      `canteen.${name}`,
      { fingerprint: "0".repeat(64) },
    ]),
  ),
  "canteen.importMenus": {
    source: "date;plat\n",
    prices: "true",
    publish: "true",
    fingerprint: "0".repeat(64),
  },
  "canteen.statement": { month: day(0).slice(0, 7) },
  "canteen.statementCsv": { month: day(0).slice(0, 7) },
};

/**
 * Fields in which somebody else's id is passed over: the answer is that of an id that nobody has, and
 * tells of one's own things alone.
 */
export const passedOver = [
  "notifications.read ids[]",
  "contact.keepDraft documents[]",
  // A scan of nobody whom the canteen knows is kept as a conflict.
  "canteen.recordScans scans[].registration",
  "canteen.recordScans scans[].order",
  "till.sales before",
  "till.offlineLosses before",
];

/** Refusals in other words than « introuvable », the same whether the id is another's or nobody's. */
export const refusedAs: Record<string, ProblemCode> = {
  "identity.answerAlert": "alert_over",
  "payments.startTopUp": "payment_method_gone",
};

/** Rows whose owner needs more than a session, with the test in which they are reached. */
export const reachedElsewhere: Record<string, string> = {
  "identity.answerAlert": "server/identity/sessions.test.ts: from a known browser alone",
  "funding.payRule": "server/funding/funding.test.ts: for a rule of one's own alone",
};

/** A canteen of the shop, like the school's, where the stranger eats: what is there is not the provider's. */
const secondCanteen = (shop: number, stranger: number): string => {
  const like = (table: string, given: string) =>
    `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(${given}))).* from ${table} t`;
  const canteenId = "11111111-1111-4111-8111-111111111111";
  const registrationId = "11111111-1111-4111-8111-111111111112";
  const at = `'id', gen_random_uuid(), 'canteen_id', '${canteenId}'`;
  return `
    insert into acceptance_group (name, slug, rule) values ('Autre', 'autre', 'Ailleurs.');
    insert into canteen_provider (group_id, partner_id)
      select g.id, s.id from acceptance_group g, partner s where g.slug = 'autre'
      and s.company_id in (select company_id from company_member where person_id = ${shop}) limit 1;
    ${like("canteen", `'id', '${canteenId}', 'provider_id', (select max(id) from canteen_provider)`)}
      where id = ${schoolCanteen};
    ${like("canteen_price", at)} where canteen_id = ${schoolCanteen};
    ${like("canteen_registration", `${at}, 'id', '${registrationId}', 'person_id', ${stranger}`)}
      where canteen_id = ${schoolCanteen} and ended_at is null limit 1;
    insert into meal_illness (registration_id, from_on, to_on, declared_by, declared_at, state,
        certificate_until)
      values ('${registrationId}', current_date, current_date, ${stranger}, now(), 'sent',
        now() + interval '2 days');
    insert into avatar (person_id, content, at) values (${stranger}, 'x', now());
    insert into meal_order (id, canteen_id, registration_id, person_id, ordered_by, on_day, state,
        price_cents, price_reason, late_cancel_percent, absence_percent, wallet_id, hold_ids, ordered_at)
      select gen_random_uuid(), '${canteenId}', '${registrationId}', ${stranger}, ${stranger},
        current_date, 'reserved', 0, '', 0, 0, id, '{}', now() from wallet
      where person_id = ${stranger} limit 1;`;
};

/** Gives people of the demo what nobody has there, so that each kind of thing is somebody's. */
export async function giveThings({ owner: { pool } }: TestServer): Promise<void> {
  const id = async (name: CastName): Promise<number> => {
    const text = "select person_id as id from card where number = $1";
    return (await pool.query(text, [cast[name].cardnumber])).rows[0].id;
  };
  const guardian = await id("guardian");
  const child = await id("secondChild");
  const stranger = await id("stranger");
  const shop = await id("partnerShop");
  await pool.query(`
    ${secondCanteen(shop, stranger)}
    insert into meal_scan (id, canteen_id, on_day, verdict, scanned_by, scanned_at, received_at, conflict)
      select gen_random_uuid(), id, current_date, 'served', ${shop}, now(), now(), 'closed_day'
      from canteen;
    insert into document (person_id, name, type, bytes, content, sha256, at)
      select p, 'piece.pdf', 'application/pdf', 4, '%PDF', sha256((p || ' ' || g)::bytea), now()
      from unnest(array[${guardian}, ${stranger}, ${shop}]::bigint[]) p, generate_series(1, 3) g;
    insert into purchase (order_id, kind, buyer_id, label, total_cents, set_aside, paid_with, card_cents,
        paid_at)
      select gen_random_uuid(), 'pass', p, 'Mensuel', 100, false, '[]', 100, now()
      from unnest(array[${guardian}, ${stranger}, ${shop}]::bigint[]) p;
    insert into wallet_transfer (id, person_id, from_wallet, to_wallet, to_cardnumber, to_name,
        amount_cents, balance_after_cents, at)
      select gen_random_uuid(), p, 1, 2, ${cast.secondChild.cardnumber}, 'Jade', 100, 0, now()
      from unnest(array[${guardian}, ${stranger}, ${shop}]::bigint[]) p;
    insert into passkey (id, person_id, credential_id, public_key, counter, transports, synced, name,
        created_at)
      values (gen_random_uuid(), ${guardian}, 'a', 'b', 0, '{}', false, 'Clé de Camille', now());
    insert into login_alert (id, person_id, session_id, at, expires_at)
      select gen_random_uuid(), person_id, id, now(), now() + interval '1 day' from session
      where person_id = ${guardian} limit 1;
    insert into avatar (person_id, content, at) values (${guardian}, 'x', now()), (${child}, 'x', now());
    insert into family_invitation (id, inviter_id, cardnumber, invitee_id, role, created_at, expires_at)
      values (gen_random_uuid(), ${guardian}, ${cast.stranger.cardnumber}, ${stranger}, 'relative',
        now(), now() + interval '1 day');
    insert into canteen_menu_template (provider_id, name, days)
      select id, 'Semaine type', '[]' from canteen_provider;
    insert into canteen_closing (canteen_id, from_on, to_on, reason, created_at)
      select id, current_date + 30, current_date + 30, 'Grève', now() from canteen;
    insert into meal_illness (registration_id, from_on, to_on, declared_by, declared_at, state,
        certificate_until)
      select id, current_date, current_date, ${guardian}, now(), 'awaited', now() + interval '2 days'
      from canteen_registration where person_id = ${child} limit 1;
    insert into meal_wait (registration_id, on_day, asked_by, asked_at)
      select id, current_date + 3, ${guardian}, now() from canteen_registration
      where person_id = ${child} limit 1;
    insert into meal_request (person_id, provider_id, opened_at)
      select ${guardian}, id, now() from canteen_provider limit 1;
    insert into data_export (person_id, asked_by, asked_at) values (${guardian}, ${guardian}, now());
    insert into ticket_transfer (ticket_id, from_id, to_cardnumber, to_id, asked_at, expires_at)
      select id, ${guardian}, ${cast.stranger.cardnumber}, ${stranger}, now(), now() + interval '1 day'
      from ticket limit 3;
    insert into canteen_day (canteen_id, on_day, seats, taken)
      select r.canteen_id, w.on_day, 1, 1 from meal_wait w
      join canteen_registration r on r.id = w.registration_id on conflict do nothing;
    insert into ticket_order (person_id, state, opened_at, expires_at, ended_at)
      values (${guardian}, 'expired', now(), now(), now());
    insert into membership (person_id, state, version, service, siret, company_name, legal_form, street,
        postcode, town, owes_vat, category_id, created_at, changed_at)
      select ${guardian}, 'draft', 0, service, siret, company_name, legal_form, street, postcode, town,
        owes_vat, category_id, now(), now() from membership where person_id = ${stranger};
    update membership set state = 'clarification', version = 0 where person_id = ${stranger};
    update canteen_registration set photo_consent_at = now() where person_id = ${child};
    insert into company_grant (company_id, person_id, state, group_id, label, expires_on, total_cents,
        created_at, reference, transfer_asked_at)
      select company_id, person_id, 'awaiting', group_id, label, expires_on, total_cents, now(),
        'ESSAI', now() from company_grant limit 1;
    insert into company_grant_card (grant_id, person_id, amount_cents)
      select id, ${guardian}, total_cents from company_grant where reference = 'ESSAI';
    insert into till_offline (id, partner_id, company_id, cashier_id, amount_cents, sold_at, received_at,
        conflict)
      select gen_random_uuid(), id, company_id, ${shop}, 500, now(), now(), 'code' from partner
      where company_id in (select company_id from company_member where person_id = ${shop}) limit 1`);
}

/** In a company of the cast, somebody of each role but the owner's, and whoever has none; their card numbers. */
export async function giveColleagues(
  { owner: { db, pool } }: TestServer,
  name: CastName,
): Promise<Record<Exclude<CompanyRole, "owner"> | "none", number>> {
  const { rows } = await pool.query(
    "select company_id as id from company_member join card using (person_id) where number = $1",
    [cast[name].cardnumber],
  );
  const companyId = rows[0].id as string;
  const who = companyRoles.map((role) => (role === "owner" ? "none" : role));
  const bearers = who.map((role) => ({ name: `Anaïs ${role}`, email: null, phonenumber: null }));
  const numbers = await inTx(db, (tx) =>
    issueProCards(tx, { companyId, count: who.length, bearers, at: new Date() }),
  );
  await pool.query(
    `with active as (update card set state = 'active', activated_at = now() where number = any ($1)),
       whole as (update person set must_reset = false
         where id in (select person_id from card where number = any ($1)))
     insert into company_member (person_id, company_id, roles, since)
     select person_id, $3, array[role], now()
     from unnest($1::bigint[], $2::text[]) as one (number, role) join card using (number)
     where role <> 'none'`,
    [numbers, who, companyId],
  );
  return Object.fromEntries(who.map((role, place) => [role, numbers[place] ?? 0])) as Record<
    Exclude<CompanyRole, "owner"> | "none",
    number
  >;
}
