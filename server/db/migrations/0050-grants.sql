-- Money that a company grants on its pro cards: what was granted to whom, and what came back.
alter table top_up drop constraint top_up_order_kind;
alter table top_up add constraint top_up_order_kind check
  (order_kind in ('subscription', 'pass', 'tickets', 'meals', 'invoice', 'pro_cards', 'grants'));

with opened as (
  insert into ledger_account (kind, asset, floor) values ('scheme:company_grants', 'EUR', 0)
  returning id)
insert into scheme_account (name, account_id) select 'company_grants', id from opened;

-- Where money of a lot goes once it may no longer be used; null: to the scheme's expired aids.
alter table wallet_lot add column returns_to bigint references ledger_account (id);

create table company_grant (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  company_id uuid not null references company (id),
  -- Who wrote it, then who paid.
  person_id bigint not null references person (id),
  state text not null default 'draft' constraint company_grant_state check (state in ('draft', 'granted')),
  group_id integer not null references acceptance_group (id),
  label text not null,
  expires_on date not null,
  total_cents bigint not null constraint company_grant_total check (total_cents > 0),
  -- The wallet that paid.
  wallet_id bigint references wallet (id),
  top_up_id uuid references top_up (id),
  payment_failed text,
  created_at timestamptz not null,
  granted_at timestamptz,
  -- When everybody was told that it ends soon, or that they knew from the start.
  warned_at timestamptz,
  constraint company_grant_granted check ((state = 'granted') = (granted_at is not null)
    and (state = 'granted') = (wallet_id is not null))
);
create index company_grant_company on company_grant (company_id, number);
create index company_grant_ending on company_grant (expires_on)
  where state = 'granted' and warned_at is null;
create index company_grant_draft on company_grant (created_at) where state = 'draft';

create table company_grant_card (
  grant_id uuid not null references company_grant (id) on delete cascade,
  -- Who carries the card.
  person_id bigint not null references person (id),
  amount_cents bigint not null constraint company_grant_card_amount check (amount_cents > 0),
  -- The lot, once granted.
  account_id bigint unique references ledger_account (id),
  primary key (grant_id, person_id)
);
create index company_grant_card_person on company_grant_card (person_id);

-- What came back of a card: it waits on the scheme's account until it is in the company's wallet.
create table company_grant_return (
  id bigint generated always as identity primary key,
  grant_id uuid not null,
  person_id bigint not null,
  why text not null constraint company_grant_return_why
    check (why in ('expired', 'closed', 'refunded', 'taken_back')),
  amount_cents bigint not null constraint company_grant_return_amount check (amount_cents > 0),
  at timestamptz not null,
  paid_at timestamptz,
  -- The wallet that it came back to.
  wallet_id bigint references wallet (id),
  constraint company_grant_return_card foreign key (grant_id, person_id)
    references company_grant_card (grant_id, person_id),
  constraint company_grant_return_paid check ((paid_at is null) = (wallet_id is null))
);
create index company_grant_return_of on company_grant_return (grant_id, person_id);
create index company_grant_return_waiting on company_grant_return (id) where paid_at is null;
