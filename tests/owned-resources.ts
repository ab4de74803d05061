// Resources of the demo that rows are given by id, each with its owners: for the test that nobody reaches
// what belongs to somebody else.
import { addDays, todayInParis } from "#contract/days.ts";
import type { ProblemCode } from "#contract/errors.ts";
import type { OwnedResource } from "#contract/resource-kinds.ts";
import { cast } from "./cast.ts";

/** A person, and whoever acts for them. */
const family = (person: string) => `array(select ${person} union
  select guardian_id from family_tie where member_id = ${person} and role = 'child')`;
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
export const schoolCanteen = `(select r.canteen_id from canteen_registration r join card k using (person_id)
  where k.number = ${cast.secondChild.cardnumber} and r.ended_at is null order by r.id limit 1)`;
const atSchoolFirst = `order by canteen_id <> ${schoolCanteen}`;

/** What an id can point at: rows of (id, people whose it is), the likeliest to be of use first. */
export const resources = {
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
  moneyRequest: `select id, ${oneOf("person_id")} from money_request order by state <> 'open'`,
  moneyRequestReceived: `select id, array(select guardian_id from family_tie
    where member_id = person_id and role = 'child') from money_request order by state <> 'open'`,
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
  tie: `select distinct c.number, array(select c.person_id union select guardian_id from family_tie
    where member_id = c.person_id) from family_tie join card c on c.person_id = member_id
    order by c.number`,
  custodyProposed: `select id, ${oneOf("proposed_by")} from custody order by state <> 'proposed'`,
  custodyReceived: `select id, ${oneOf("proposed_to")} from custody order by state <> 'proposed'`,
  cardRequest: `select id, ${oneOf("guardian_id")} from first_card_request`,
  proof: `select id, ${family("person_id")} from proof order by state <> 'waiting'`,
  employeeEnrolment: `select e.id, ${people("t.company_id")} from commuting_enrolment e
    join commuting_plan t on t.id = e.plan_id order by e.state <> 'active'`,
  enrolment: `select id, ${oneOf("holder_id")} from commuting_enrolment where holder_id is not null
    order by state <> 'invited'`,
  bankChange: `select id, ${people("t.company_id")} from company_bank_account t order by requested_at desc`,
  invoice: `select id, ${people("t.company_id")} from invoice t`,
  sheet: `select id, ${people("t.company_id")} from partner t where company_id is not null`,
  tillArticle: `select id, ${people("t.company_id")} from till_article t order by position`,
  partnership: `select id, array(select person_id from company_member
    where company_id in (inviter_id, invited_id)) from partnership`,
  sale: `select id, ${ofPartner("partner_id")} from till_sale order by state <> 'waiting'`,
  saleRequest: `select id, ${family("holder_id")} from till_sale order by state <> 'waiting'`,
  purchaseAtTill: `select id, ${family("holder_id")} from till_sale where paid_at is not null
    order by paid_at`,
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
  registrationAt: `select id, ${ofCanteen("canteen_id")} from (
      select distinct on (canteen_id, state) * from canteen_registration order by canteen_id, state, id) one
    ${atSchoolFirst}, state <> 'requested'`,
  registration: `select id, ${family("person_id")} from canteen_registration where ended_at is null
    ${atSchoolFirst}, person_id limit 200`,
  illnessAt: `select i.id, ${ofCanteen("r.canteen_id")} from meal_illness i
    join canteen_registration r on r.id = i.registration_id`,
  illness: `select i.id, ${family("r.person_id")} from meal_illness i
    join canteen_registration r on r.id = i.registration_id`,
  scanAt: `select id, ${ofCanteen("canteen_id")} from meal_scan where conflict is not null
    and settled_at is null`,
  mealAt: `select id, ${ofCanteen("canteen_id")} from (select distinct on (canteen_id, state) *
      from meal_order order by canteen_id, state, on_day desc) latest ${atSchoolFirst}, on_day desc`,
  meal: `select id, ${family("person_id")} from meal_order where state = 'reserved'
    and person_id in (select member_id from family_tie) limit 60`,
  mealRequest: `select id, ${oneOf("person_id")} from meal_request order by state <> 'open'`,
  mealWait: `select w.id, ${family("r.person_id")} from meal_wait w
    join canteen_registration r on r.id = w.registration_id`,
  menuTemplate: `select t.id, ${ofPartner("p.partner_id")} from canteen_menu_template t
    join canteen_provider p on p.id = t.provider_id`,
  photo: `select a.id, ${ofCanteen("r.canteen_id")} from avatar a
    join canteen_registration r on r.person_id = a.person_id`,
  export: `select id, ${oneOf("requested_by")} from data_export`,
} as const satisfies Record<OwnedResource, string>;

const day = (days: number): string => addDays(todayInParis(), days);

/** Input that a row needs beside ids to get as far as looking them up. */
export const inputs: Record<string, Record<string, unknown>> = {
  "family.invite": { cardnumber: cast.resetPending.cardnumber, role: "guardian" },
  "family.inviteByLink": { role: "guardian" },
  "entitlements.send": { kind: "disability", expiresOn: day(300) },
  "payments.startTopUp": { amountCents: 2000 },
  "funding.createRule": { amountCents: 2000, monthlyCents: 9000, when: { trigger: "day", day: 5 } },
  "moneyRequests.ask": { amountCents: 1000 },
  "moneyRequests.send": { amountCents: 1000 },
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
  "till.addArticle": { name: "Essai", priceCents: 150, shelf: null },
  "till.changeArticle": { name: "Essai", priceCents: 150, shelf: null, active: true },
  "till.charge": { amountCents: 500, token: "MC1.faux" },
  ...Object.fromEntries(
    ["days", "daysFile", "daysPdf"].map((name) => [`till.${name}`, { month: day(0).slice(0, 7) }]),
  ),
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
  "canteen.print": { month: day(0).slice(0, 7) },
  "canteen.statement": { month: day(0).slice(0, 7) },
  "canteen.statementCsv": { month: day(0).slice(0, 7) },
};

/**
 * Fields in which somebody else's id is ignored: the answer is that of an id that nobody has, and holds only
 * the caller's own.
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

/** Fields in which an id that nobody has begins something new; somebody else's is refused all the same. */
export const namedAnew = ["grants.write draft"];

/** Refusals in other words than « introuvable », the same whether the id is another's or nobody's. */
export const refusedAs: Record<string, ProblemCode> = {
  "identity.answerAlert": "alert_over",
  "payments.startTopUp": "payment_method_gone",
  "grants.write": "grant_card",
};

/** Fields that their owner reaches with more than a session, with the test that reaches them. */
export const reachedElsewhere: Record<string, string> = {
  "identity.answerAlert alert": "server/identity/sessions.test.ts: from a known browser alone",
  "funding.payRule paymentMethodId": "server/funding/funding.test.ts: for a rule that waits alone",
  "passes.exempt documents[]": "server/passes/passes.test.ts: for a title with a late fee alone",
};
