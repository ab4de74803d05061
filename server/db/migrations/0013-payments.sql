-- Kept payment methods, top-ups, what providers told about them, and the sandbox provider's own books.

-- What the provider keeps for a person, named in its own words: no number of a card is ours.
create table payment_method (
  id uuid primary key default gen_random_uuid(),
  person_id bigint not null references person (id),
  provider text not null,
  customer text,
  ref text not null,
  label text not null,
  saved_at timestamptz not null,
  forgotten_at timestamptz,
  unique (provider, ref),
  constraint payment_method_provider check (provider in ('sandbox', 'stripe'))
);
create index payment_method_of_person on payment_method (person_id) where forgotten_at is null;

create table top_up (
  id uuid primary key,
  wallet_id bigint not null references wallet (id),
  person_id bigint not null references person (id),
  amount_cents bigint not null constraint top_up_positive check (amount_cents > 0),
  state text not null constraint top_up_state check (state in (
    'initiated', 'authorized', 'credited', 'declined', 'review', 'refunded', 'disputed')),
  provider text not null,
  provider_ref text,
  idempotency_key text,
  reason text,
  payment_url text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  credited_at timestamptz,
  -- When the provider was last asked about it.
  checked_at timestamptz,
  refunded_cents bigint not null default 0
    constraint top_up_refunded check (refunded_cents between 0 and amount_cents),
  -- Of an order paid at the provider: what it pays, and what became of that.
  order_kind text
    constraint top_up_order_kind check (order_kind in ('subscription', 'pass', 'tickets', 'meals', 'invoice',
      'pro_cards', 'grants')),
  order_id uuid,
  order_label text,
  -- Where the browser returns: a path of the portal.
  order_path text,
  -- Null until the money came: it paid the order, or it stays in the wallet.
  order_outcome text
    constraint top_up_order_outcome check (order_outcome in ('settled', 'unapplied')),
  -- Which content of the order it was started for: money for another one is kept.
  order_revision integer,
  -- What wallets set aside for an order whose missing part is paid at the provider: holds of the ledger, spent
  -- with the payment or released when it comes to nothing.
  hold_ids bigint[] not null default '{}'
    constraint top_up_holds check (hold_ids = '{}' or order_id is not null),
  -- A top-up that no person started by hand, or that somebody else pays, says where it comes from.
  origin text constraint top_up_origin check (origin in ('rule', 'link')),
  origin_id uuid,
  -- What the movement of the wallet says.
  origin_label text,
  -- Charged by itself from a kept payment method.
  payment_method_id uuid references payment_method (id),
  -- Whether the payment page asks to keep the payment method.
  keep_payment_method boolean not null default false,
  return_path text,
  -- A gift is accepted without a look at the balance: what goes beyond the wallet's cap when it is
  -- credited is set aside, and given back to the payer.
  return_cents bigint not null default 0
    constraint top_up_return check (return_cents between 0 and amount_cents),
  -- A row of a provider that the code does not know could be read by nobody.
  constraint top_up_provider check (provider in ('sandbox', 'stripe')),
  constraint top_up_order_whole check (
    num_nulls(order_kind, order_id, order_label, order_path) in (0, 4)
    and (order_outcome is null or order_id is not null)),
  constraint top_up_origin_whole check (
    num_nulls(origin, origin_id, origin_label) in (0, 3) and (origin is null or order_id is null)),
  constraint top_up_key unique (person_id, idempotency_key),
  constraint top_up_charge unique (provider, provider_ref)
);
create index top_up_of_wallet on top_up (wallet_id, created_at);
create index top_up_waiting on top_up (created_at) where state in ('initiated', 'authorized');
-- What an operator must look at: parked news of any provider, top-ups to verify.
create index top_up_to_review on top_up (created_at) where state = 'review';
-- One payment of an order waits at a time: a double click and a second tab meet here.
create unique index order_payment_pending on top_up (order_kind, order_id)
  where order_id is not null and state in ('initiated', 'authorized');
create index top_up_of_order on top_up (order_id) where order_id is not null;
create index top_up_of_origin on top_up (origin_id, created_at) where origin_id is not null;

create table payment_event (
  provider text not null,
  event_id text not null,
  top_up_id uuid,
  type text not null,
  payload jsonb not null,
  received_at timestamptz not null,
  outcome text not null,
  primary key (provider, event_id)
);
create index payment_event_of_top_up on payment_event (top_up_id);
create index payment_event_parked on payment_event (received_at) where outcome = 'parked';

create table sandbox_charge (
  id uuid primary key,
  reference text not null,
  amount_cents bigint not null,
  label text,
  return_url text not null,
  state text not null constraint sandbox_charge_state check (state in (
    'open', 'pending', 'succeeded', 'declined', 'disputed')),
  outcome text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  keep text constraint sandbox_charge_keep check (keep in ('requested', 'accepted')),
  -- What the sandbox gave back of it so far.
  refunded_cents bigint not null default 0
    constraint sandbox_charge_refunded check (refunded_cents between 0 and amount_cents)
);
create unique index sandbox_charge_reference on sandbox_charge (reference);

-- What the sandbox has to tell, each until it was heard once.
create table sandbox_event (
  id uuid primary key,
  charge_id uuid not null references sandbox_charge (id),
  type text not null constraint sandbox_event_type check (type in (
    'charge.authorized', 'charge.succeeded', 'charge.declined', 'charge.refunded',
    'charge.disputed')),
  -- How often it is sent: a provider may tell the same thing several times.
  copies smallint not null default 1,
  due_at timestamptz not null,
  delivered_at timestamptz
);
create index sandbox_event_due on sandbox_event (due_at) where delivered_at is null;
