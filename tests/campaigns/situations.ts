// Situations of the demo in which a row writes when a permitted caller calls it: the rest of its input, and
// the statements that prepare the database.
import { addDays, todayInParis } from "#contract/days.ts";
import { cast } from "#tests/cast.ts";

interface Situation {
  /** Statements; the columns of the last one's row go into the input. */
  lay?: string;
  input?: Readonly<Record<string, unknown>>;
}

const day = (days: number): string => addDays(todayInParis(), days);
const child = { cardnumber: cast.child.cardnumber };
const person = (name: keyof typeof cast) =>
  `(select person_id from card where number = ${cast[name].cardnumber})`;
const wallet = (name: keyof typeof cast) =>
  `(select min(id) from wallet where person_id = ${person(name)})`;
const employer = `(select company_id from company_member where person_id = ${person("employer")})`;

/** An order of cards that waits to be written. */
const draft = `insert into card_order (company_id, person_id, state, revision, created_at, changed_at)
  values (${employer}, ${person("employer")}, 'draft', 1, now(), now()) returning revision`;
/** A grant of the employer that waits to be written. */
const grantDraft = `update company_grant set state = 'draft', reference = null, transfer_requested_at = null
  where reference = 'ESSAI' returning id as grant`;
/** It is for a card of the employer, who can pay it, and can still be spent. */
const payableGrant = `update company_grant_card set amount_cents = 100, person_id = (
    select person_id from pro_card t join card using (person_id)
    where t.company_id = ${employer} and state = 'active' and assigned_at is not null limit 1)
  where grant_id = (select id from company_grant where reference = 'ESSAI');
  update company_grant set total_cents = 100, expires_on = paris_day(now()) + 60 where reference = 'ESSAI'`;
const rule = (
  state: string,
  why: string,
) => `update top_up_rule set state = ${state}, paused_why = ${why},
  person_id = ${person("guardian")} where id = (select id from top_up_rule limit 1) returning id as "ruleId"`;
const link = `insert into gift_link (wallet_id, person_id, secret_hash, display_name, max_each_cents,
    max_total_cents, max_count, expires_at, created_at)
  select ${wallet("child")}, ${person("guardian")}, 'none', 'Jade', 2000, 9000, 9, now() + interval '9 days', now()
  returning id as "linkId"`;
const ticket = `delete from ticket_transfer; select t.id as ticket from ticket t
  join ticket_session s on s.id = t.session_id
  where owner_id = ${person("guardian")} and state = 'issued' and starts_at > now() order by starts_at desc limit 1`;
const ownCompanies = `(select company_id from company_member
  where person_id in (${person("employer")}, ${person("partnerShop")}, ${person("canteenProvider")}))`;
const activePartnership = `select id from partnership
  where state = 'active' and inviter_id in ${ownCompanies} limit 1`;
/** A partnership that waits for the answer of the one who is invited. */
const invited = `update partnership
  set state = 'invited', expires_at = now() + interval '9 days', answered_by = null, answered_at = null
  where id = (select id from partnership where state = 'active' and invited_id in ${ownCompanies} limit 1)
  returning id`;
/** A sale of the shop, just paid or waiting for its payment. */
const sale = (state: "requested" | "paid") => `update till_sale
  set state = '${state}', paid_at = ${state === "paid" ? "now()" : "null"}, ended_at = null, closing = null,
    requested_at = now(), expires_at = now() + interval '5 minutes', refunded_cents = 0
  where id = (select id from till_sale where state = 'paid' and cashier_id = ${person("partnerShop")} limit 1)
  returning id as sale`;

export const situations: Readonly<Record<string, Situation>> = {
  "cardOrders.design": {
    lay: draft,
    input: { label: "Atelier", ink: "lagoon", printsNames: true },
  },
  "cardOrders.delivery": { lay: draft, input: { to: "company", recipient: "Accueil" } },
  "cardOrders.discard": { lay: draft },
  "cardOrders.cancel": {
    lay: `update card_order set state = 'ordered', batch_number = null, produced_at = null
      where id = (select id from card_order where state = 'in_production' limit 1)
      returning id as "order"`,
  },
  "grants.discard": { lay: grantDraft },
  "grants.write": {
    lay: `select jsonb_build_array(jsonb_build_object('cardnumber', number, 'amountCents', 1000)) as cards
      from pro_card t join card c using (person_id)
      where t.company_id = ${employer} and state = 'active' and assigned_at is not null limit 1`,
    input: { label: "Prime", expiresOn: day(60) },
  },
  "grants.pay": {
    lay: `${payableGrant}; ${grantDraft}, total_cents as "totalCents"`,
  },
  "grants.payByTransfer": { lay: `${payableGrant}; ${grantDraft}` },
  "grants.takeBack": {
    lay: `update company_grant set granted_at = now() where id = (select grant_id from company_grant_card
        join ledger_account a on a.id = account_id where a.balance > 0 limit 1) returning id as "grant"`,
  },
  "invoices.pay": {
    lay: `select i.id as invoice, b.due_cents - b.settled_cents as "totalCents" from invoice i
      join invoice_balance b on b.invoice_id = i.id
      where i.company_id = ${employer} and i.kind = 'invoice' and b.settled_cents < b.due_cents limit 1`,
  },
  "commuting.setShare": { input: { employerPercent: 75 } },
  "commuting.enrol": { input: { ...child, name: "Jade Moreau" } },
  "commuting.resume": {
    lay: `update commuting_enrolment set state = 'suspended', suspended_at = now()
      where id = (select id from commuting_enrolment where state = 'active' limit 1)
      returning id as enrolment`,
  },
  "companies.undoBankAccount": {
    lay: `insert into company_bank_account (company_id, iban, holder_name, requested_by, requested_at, frozen_until)
      values (${employer}, 'FR7699999002100009080706203', 'Ateliers Corail', ${person("employer")}, now(),
        now() + interval '1 day') returning id`,
  },
  "partners.chooseCategory": { lay: "select id as category from partner_category limit 1" },
  "family.setLimits": { input: child },
  "family.setChildEmail": { input: child },
  "family.setChildPhone": { input: child },
  "family.inviteByLink": { input: { child: child.cardnumber } },
  "family.invite": { input: { child: child.cardnumber } },
  "enrolment.ask": { input: { firstName: "Lou", lastName: "Moreau", bornOn: day(-3000) } },
  "cards.resume": { lay: "update card set state = 'suspended' where state = 'active'" },
  "funding.pauseRule": { lay: rule("'active'", "null") },
  "funding.resumeRule": { lay: rule("'paused'", "'person'") },
  "funding.deleteRule": { lay: rule("'active'", "null") },
  "funding.createLink": {
    input: { displayName: "Jade", maxEachCents: 2000, maxTotalCents: 9000, maxCount: 3, days: 9 },
  },
  "funding.revokeLink": { lay: link },
  "moneyRequests.ask": { lay: "delete from money_request" },
  "tickets.transfer": { lay: ticket, input: { toCardnumber: cast.stranger.cardnumber } },
  "tickets.transferByLink": { lay: ticket },
  "canteen.addPrice": {
    input: { audience: "guest", town: "Ailleurs", name: "Autre", priceCents: 300 },
  },
  "canteen.addClosing": { input: { from: day(200), to: day(206), reason: "Travaux", orders: 0 } },
  "canteen.publishMenus": {
    lay: `update canteen_menu set published_at = null;
      select min(on_day) as day from canteen_menu where on_day >= paris_day(now())`,
    input: { published: true, undeclared: true },
  },
  "companies.setRoles": {
    lay: `select number as cardnumber from card join company_member m using (person_id)
      where not 'owner' = any (m.roles) and company_id = ${employer} limit 1`,
  },
  "companies.closeProCard": {
    lay: `select c.number as cardnumber from pro_card t join card c using (person_id)
      where t.company_id = ${employer} and c.state = 'active' and t.assigned_at is not null
        and t.person_id <> ${person("employer")} limit 1`,
  },
  "companies.changeBankAccount": {
    input: { iban: "FR7630006000011234567890189", bic: null, holderName: "Ateliers Corail" },
  },
  "companies.confirmBankAccount": {
    lay: `insert into company_bank_account (company_id, iban, holder_name, requested_by, requested_at, frozen_until,
        answer_until)
      values (${employer}, 'FR7630006000011234567890189', 'Ateliers Corail', ${person("partnerShop")}, now(),
        now() + interval '2 days', now() + interval '2 days') returning id`,
  },
  "partnerships.answer": { lay: invited, input: { accept: true } },
  "partnerships.end": { lay: activePartnership },
  "partnerships.write": { lay: activePartnership, input: { text: "Bonjour." } },
  "till.charge": { input: { token: undefined, ...child } },
  "till.sendCode": { lay: sale("requested") },
  "till.withdraw": { lay: sale("requested") },
  "till.cancel": { lay: sale("paid") },
};
