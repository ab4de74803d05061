-- Money that a company grants on its pro cards: what was granted to whom, and what came back. Grants paid by a
-- transfer are asked for with a reference; they are on the cards once the money has come, or at once within what
-- the operator lets a company owe.

create table company_grant (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  company_id uuid not null references company (id),
  -- Who wrote it, then who paid.
  person_id bigint not null references person (id),
  state text not null default 'draft' constraint company_grant_state
    check (state in ('draft', 'awaiting', 'granted')),
  group_id integer not null references acceptance_group (id),
  label text not null,
  expires_on date not null,
  total_cents bigint not null constraint company_grant_total check (total_cents > 0),
  -- The wallet that paid.
  wallet_id bigint references wallet (id),
  -- What the transfer quotes (ISO 11649); null where it is paid otherwise.
  reference text unique,
  transfer_requested_at timestamptz,
  transfer_received_at timestamptz,
  -- Of the transfer at the bank.
  transfer_proof text,
  created_at timestamptz not null,
  granted_at timestamptz,
  -- When everybody was told that it ends soon, or that they knew from the start.
  warned_at timestamptz,
  constraint company_grant_granted check ((state = 'granted') = (granted_at is not null)
    and (state = 'granted') = (wallet_id is not null)),
  constraint company_grant_awaiting check (state <> 'awaiting' or reference is not null),
  constraint company_grant_transfer check ((reference is null) = (transfer_requested_at is null)
    and (transfer_received_at is null) = (transfer_proof is null)
    and (transfer_received_at is null or (reference is not null and state = 'granted')))
);
create index company_grant_company on company_grant (company_id, number);
create index company_grant_ending on company_grant (expires_on)
  where state = 'granted' and warned_at is null;
create index company_grant_draft on company_grant (created_at) where state = 'draft';
create index company_grant_owed on company_grant (company_id)
  where reference is not null and transfer_received_at is null;

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
  -- The wallet that it came back to; none for what comes back before its transfer has come: nobody has paid it,
  -- it lowers what the company owes.
  wallet_id bigint references wallet (id),
  constraint company_grant_return_card foreign key (grant_id, person_id)
    references company_grant_card (grant_id, person_id),
  constraint company_grant_return_paid check (wallet_id is null or paid_at is not null)
);
create index company_grant_return_of on company_grant_return (grant_id, person_id);
create index company_grant_return_waiting on company_grant_return (id) where paid_at is null;
