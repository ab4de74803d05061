// Resources that people of the demo are given so that each kind belongs to somebody, and the people whom its
// cast lacks.
import type { Pool } from "pg";
import { type CompanyRole, companyRoles } from "#contract/companies/roles.ts";
import { issueProCards } from "#server/companies/companies.ts";
import { inTx } from "#server/db/db.ts";
import { openHolder } from "#server/cards/holders.ts";
import { schoolCanteen } from "./owned-resources.ts";
import { cast, type CastName } from "./cast.ts";
import type { TestServer } from "./test-server.ts";

/** A canteen of the shop, like the school's, where the stranger eats: what is there is not the provider's. */
const secondCanteen = (shop: number, stranger: number): string => {
  const like = (table: string, overrides: string) =>
    `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(${overrides}))).* from ${table} t`;
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
      values ('${registrationId}', paris_day(now()), paris_day(now()), ${stranger}, now(), 'sent',
        now() + interval '2 days');
    insert into avatar (person_id, content, at) values (${stranger}, 'x', now());
    insert into meal_order (id, canteen_id, registration_id, person_id, ordered_by, on_day, state,
        price_cents, price_reason, late_cancel_percent, absence_percent, wallet_id, hold_ids, ordered_at)
      select gen_random_uuid(), '${canteenId}', '${registrationId}', ${stranger}, ${stranger},
        paris_day(now()), 'reserved', 0, '', 0, 0, id, '{}', now() from wallet
      where person_id = ${stranger} limit 1;`;
};

/**
 * Resources that only one of them would have, once more for somebody else: so that the same person can be
 * shown both.
 */
const secondOwners = (people: Record<"guardian" | "stranger" | "other", number>, shop: number) => {
  const { guardian, stranger, other } = people;
  const canteens = `(select company_id from company_member where person_id
    = (select person_id from card where number = ${cast.canteenProvider.cardnumber}))`;
  const registrationId = "'11111111-1111-4111-8111-111111111112'";
  const wallet = `(select min(id) from wallet where person_id = ${stranger})`;
  const once = (table: string, overrides: string, condition = "true") =>
    `select also('${table}', jsonb_build_object(${overrides}), $$${condition}$$);`;
  return `
    create function also(what regclass, extra jsonb, condition text) returns void
    language plpgsql as $also$ declare names text; begin
      select string_agg(quote_ident(attname), ', ') into names from pg_attribute
        where attrelid = what and attnum > 0 and not attisdropped
          and attidentity = '' and attgenerated = '';
      execute format('insert into %1$s (%2$s) select %2$s from (
          select (jsonb_populate_record(t, $1)).* from %1$s t where %3$s limit 1) one',
        what, names, condition) using jsonb_build_object('id', gen_random_uuid()) || extra;
    end $also$;
    ${once("passkey", `'person_id', ${stranger}, 'credential_id', '\x63'`)}
    ${once("data_export", `'person_id', ${stranger}, 'requested_by', ${stranger}`)}
    ${once("first_card_request", `'guardian_id', ${stranger}`)}
    ${once("ticket_wait", `'person_id', ${stranger}, 'owner_id', ${stranger}`)}
    ${once(
      "ticket_transfer",
      `'from_id', ${stranger}, 'to_id', ${other}, 'secret_hash', null,
      'ticket_id', (select id from ticket t where not exists (
        select from ticket_transfer where ticket_id = t.id) limit 1)`,
    )}
    ${once("payment_method", `'person_id', ${stranger}, 'ref', 'autre'`, "forgotten_at is null")}
    ${once("meal_request", `'person_id', ${stranger}`, "state = 'open'")}
    ${once("meal_wait", `'registration_id', ${registrationId}, 'requested_by', ${stranger}`)}
    ${once("pass_order", `'person_id', ${stranger}, 'holder_id', ${stranger}, 'photo_id', null`, "state = 'draft'")}
    ${once(
      "top_up_rule",
      `'person_id', ${stranger}, 'wallet_id', ${wallet},
      'payment_method_id', (select id from payment_method where person_id = ${stranger} limit 1)`,
    )}
    ${once("gift_link", `'person_id', ${stranger}, 'wallet_id', ${wallet}, 'secret_hash', '\x64'`)}
    ${once("card_order", `'company_id', ${canteens}`)}
    ${once("company_grant", `'company_id', ${canteens}, 'reference', 'AUTRE'`, "reference = 'ESSAI'")}
    ${once("company_grant", `'company_id', ${canteens}, 'reference', null`, "state = 'granted'")}
    insert into company_grant_card (grant_id, person_id, amount_cents)
      select id, ${guardian}, total_cents from company_grant g
      where not exists (select from company_grant_card where grant_id = g.id);
    ${once("commuting_plan", `'company_id', ${canteens}`)}
    ${once(
      "commuting_enrolment",
      `'holder_id', null, 'state', 'invited', 'accepted_at', null, 'suspended_at', null,
      'ended_at', null, 'ended_by', null, 'plan_id', (select id from commuting_plan where company_id = ${canteens})`,
    )}
    ${once("till_article", `'company_id', ${canteens}`)}
    ${once(
      "till_sale",
      `'code_from', null, 'partner_id', (
      select id from partner where company_id = ${canteens} limit 1)`,
      `cashier_id = ${shop} and holder_id = ${guardian}`,
    )}`;
};

/**
 * Creates in the demo the kinds of resources that nobody has there, so that each kind belongs to somebody.
 */
export async function createDemoResources({ owner: { pool } }: TestServer): Promise<void> {
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
      select gen_random_uuid(), id, paris_day(now()), 'served', ${shop}, now(), now(), 'closed_day'
      from canteen;
    insert into document (person_id, name, type, bytes, content, sha256, at)
      select p, 'piece.pdf', 'application/pdf', 4, '%PDF', sha256((p || ' ' || g)::bytea), now()
      from unnest(array[${guardian}, ${stranger}, ${shop}]::bigint[]) p, generate_series(1, 3) g;
    insert into purchase (order_id, kind, buyer_id, label, total_cents, held, paid_with, card_cents,
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
      select id, paris_day(now()) + 30, paris_day(now()) + 30, 'Grève', now() from canteen;
    insert into meal_illness (registration_id, from_on, to_on, declared_by, declared_at, state,
        certificate_until)
      select id, paris_day(now()), paris_day(now()), ${guardian}, now(), 'awaited', now() + interval '2 days'
      from canteen_registration where person_id = ${child} limit 1;
    insert into meal_wait (registration_id, on_day, requested_by, requested_at)
      select id, paris_day(now()) + 3, ${guardian}, now() from canteen_registration
      where person_id = ${child} limit 1;
    insert into meal_request (person_id, provider_id, opened_at)
      select ${guardian}, id, now() from canteen_provider limit 1;
    insert into money_request (person_id, amount_cents, created_at, expires_at)
      select p, 1000, now(), now() + interval '7 days' from (select ${child}::bigint as p union all
        (select member_id from family_tie where role = 'child' and member_id not in (
          select member_id from family_tie where guardian_id = ${guardian}) limit 1)) of_others;
    insert into data_export (person_id, requested_by, requested_at) values (${guardian}, ${guardian}, now());
    insert into ticket_transfer (ticket_id, from_id, to_cardnumber, to_id, requested_at, expires_at)
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
        created_at, reference, transfer_requested_at)
      select company_id, person_id, 'awaiting', group_id, label, expires_on, total_cents, now(),
        'ESSAI', now() from company_grant limit 1;
    insert into company_grant_card (grant_id, person_id, amount_cents)
      select id, ${guardian}, total_cents from company_grant where reference = 'ESSAI';
    insert into till_offline (id, partner_id, company_id, cashier_id, amount_cents, sold_at, received_at,
        conflict)
      select gen_random_uuid(), id, company_id, ${shop}, 500, now(), now(), 'code' from partner
      where company_id in (select company_id from company_member where person_id = ${shop}) limit 1;
    ${secondOwners({ guardian, stranger, other: await id("coGuardian") }, shop)}`);
}

/**
 * The people who work in a company of the cast beside its owner: somebody of each role, and two without one.
 */
export type Colleague = Exclude<CompanyRole, "owner"> | "none" | "removed";

/**
 * Gives a company its people; returns their card numbers. The `removed` one has the owner's role until the
 * caller of this takes it away.
 */
export async function giveColleagues(
  { owner: { db, pool } }: TestServer,
  name: CastName,
): Promise<Record<Colleague, number>> {
  const { rows } = await pool.query(
    "select company_id as id from company_member join card using (person_id) where number = $1",
    [cast[name].cardnumber],
  );
  const companyId = rows[0].id as string;
  const who: Colleague[] = [...companyRoles.filter((role) => role !== "owner"), "none", "removed"];
  const roles = who.map((one) => (one === "removed" ? "owner" : one));
  const bearers = who.map((one) => ({ name: `Anaïs ${one}`, email: null, phonenumber: null }));
  const numbers = await inTx(db, (tx) =>
    issueProCards(tx, { companyId, count: who.length, bearers, at: new Date() }),
  );
  await activate(pool, numbers);
  await pool.query(
    `insert into company_member (person_id, company_id, roles, since)
     select person_id, $3, array[role], now()
     from unnest($1::bigint[], $2::text[]) as one (number, role) join card using (number)
     where role <> 'none'`,
    [numbers, roles, companyId],
  );
  return Object.fromEntries(who.map((one, place) => [one, numbers[place] ?? 0])) as Record<
    Colleague,
    number
  >;
}

/** New cards that may be used, of people who have chosen a password. */
async function activate(pool: Pool, numbers: readonly number[]): Promise<void> {
  await pool.query(
    `with active as (update card set state = 'active', activated_at = now() where number = any ($1))
     update person set must_reset = false, password_hash = (select min(password_hash) from person
         where id = (select person_id from card where number = ${cast.guardian.cardnumber}))
       where id in (select person_id from card where number = any ($1))`,
    [numbers],
  );
}

/** People around the youngest of the demo's family; their card numbers. */
export interface Around {
  /** Sends money, and acts for nobody. */
  relative: number;
  /** A guardian of hers until the caller of this ends the tie. */
  former: number;
}

/** Gives the youngest of the demo's family a relative, and a third guardian. */
export async function giveFamily({ owner: { db, pool } }: TestServer): Promise<Around> {
  const made = (name: string) =>
    inTx(db, (tx) =>
      openHolder(tx, {
        name,
        bornOn: "1980-05-05",
        email: null,
        phonenumber: null,
        passwordHash: "none",
        guardian: null,
        at: new Date(),
      }),
    );
  const [relative, former] = [await made("Ida Moreau"), await made("Sacha Lenoir")];
  await activate(pool, [relative.cardnumber, former.cardnumber]);
  await pool.query(
    `insert into family_tie (guardian_id, member_id, role)
     select $1::bigint, person_id, 'relative' from card where number = $3
     union all select $2::bigint, person_id, 'child' from card where number = $3`,
    [relative.personId, former.personId, cast.secondChild.cardnumber],
  );
  return { relative: relative.cardnumber, former: former.cardnumber };
}
