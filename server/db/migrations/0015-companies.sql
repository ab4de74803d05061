-- Companies, who has which role there, the cards that they hand out, and where they are paid.

-- The company of professionals, apart from its sheet in the directory: one company may have several
-- sheets or none, and several people with a role each.
create table company (
  id uuid primary key default gen_random_uuid(),
  -- Null until the operator writes it.
  siren text constraint company_known unique
    constraint company_siren check (siren ~ '^\d{9}$'),
  siret text constraint company_siret check (siret ~ '^\d{14}$' and left(siret, 9) = siren),
  name text not null,
  vat_number text constraint company_vat_number check (vat_number ~ '^[A-Z]{2}[A-Z0-9]{2,13}$'),
  street text not null,
  postcode text not null,
  town text not null,
  -- How much the operator lets it owe for grants.
  grant_credit_cents bigint not null default 0
    constraint company_grant_credit check (grant_credit_cents >= 0),
  -- Since when an owner no longer decides: for a while nobody changes alone where the money goes.
  owner_left_at timestamptz,
  created_at timestamptz not null
);

-- A professional number belongs to one company and holds one role there or several: the counter and the kitchen of a
-- canteen are apart from the till.
create table company_member (
  person_id bigint constraint company_member_once primary key references person (id),
  company_id uuid not null references company (id),
  -- In the order of the contract; an owner may do all of it and has no other.
  roles text[] not null,
  since timestamptz not null,
  constraint company_member_roles check (
    cardinality(roles) > 0 and array_position(roles, null) is null
    and roles <@ array['owner', 'accountant', 'cashier', 'counter', 'kitchen']
    and (cardinality(roles) = 1 or not 'owner' = any (roles)))
);
create index company_member_company on company_member (company_id);

-- Cards that a company hands to the people who work there: numbers of type 2 that it manages. Carrying one
-- gives no power over the company; a role does (company_member).
create table pro_card (
  person_id bigint primary key references person (id),
  company_id uuid not null references company (id),
  issued_at timestamptz not null,
  -- Null while it waits for somebody to carry it.
  assigned_at timestamptz,
  -- Since when it is no card of the company, whose past figures keep it: its bearer left, without another in its
  -- place.
  closed_at timestamptz,
  -- The order that it was made for; null for those that the operator prepared. The foreign key follows with the
  -- orders (0017).
  order_id uuid
);
create index pro_card_company on pro_card (company_id);
create index pro_card_order on pro_card (order_id) where order_id is not null;

-- The company whose card a person carries, and who manages it there; nothing for other people.
create function card_company(person bigint) returns table (name text, managers bigint[])
  language sql stable parallel safe rows 1
  as $$ select c.name, array(
      select m.person_id from company_member m
      where m.company_id = c.id and 'owner' = any (m.roles) order by m.since, m.person_id)
    from pro_card p join company c on c.id = p.company_id
    where p.person_id = person and p.closed_at is null $$;

-- Where a company is paid, change by change. The last one that is neither undone nor unanswered stands;
-- payouts rest while it is frozen.
create table company_bank_account (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references company (id),
  iban text not null
    constraint company_bank_iban check (iban ~ '^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$'),
  bic text constraint company_bank_bic check (bic ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  holder_name text not null,
  requested_by bigint not null references person (id),
  requested_at timestamptz not null,
  frozen_until timestamptz not null,
  -- Until when a second owner may confirm it; null where the company had none when it was asked.
  answer_until timestamptz,
  confirmed_by bigint references person (id),
  confirmed_at timestamptz,
  undone_by bigint references person (id),
  undone_at timestamptz,
  constraint company_bank_second check (confirmed_by <> requested_by),
  constraint company_bank_confirmed check (num_nulls(confirmed_by, confirmed_at) in (0, 2)
    and (confirmed_at is null or answer_until is not null)),
  constraint company_bank_undone check (num_nulls(undone_by, undone_at) in (0, 2))
);
create index company_bank_account_of on company_bank_account (company_id, requested_at desc);
