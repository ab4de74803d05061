-- E-tickets: offers, sessions and their quotas, carts, tickets, transfers, waiting lists.

create table ticket_event (
  id uuid primary key default gen_random_uuid(),
  -- What the operator types.
  number bigint generated always as identity unique,
  partner_id bigint references person (id),
  -- Events belong to the company, not to the person whose card their file named.
  company_id uuid references company (id),
  title text not null,
  summary text not null,
  kind text not null,
  organiser text not null,
  venue text not null,
  address text not null,
  sale_from timestamptz not null,
  sale_until timestamptz not null,
  max_per_person integer not null constraint ticket_event_max_per_person check (max_per_person between 1 and 20),
  -- {text, rules: [{hours, percent}]}, copied into each ticket when it is held.
  policy jsonb not null,
  cancelled_at timestamptz,
  created_at timestamptz not null,
  constraint ticket_event_sale check (sale_from < sale_until)
);
create index ticket_event_of_partner on ticket_event (partner_id);
create index ticket_event_of_company on ticket_event (company_id);

create table ticket_category (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references ticket_event (id),
  place integer not null,
  name text not null,
  price_cents bigint not null constraint ticket_price check (price_cents >= 0),
  age_min integer,
  age_max integer,
  student boolean not null default false,
  quotient_max integer,
  unique (event_id, place)
);

create table ticket_session (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references ticket_event (id),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  constraint ticket_session_span check (starts_at < ends_at)
);
create index ticket_session_of_event on ticket_session (event_id, starts_at);

-- A row without a category counts the whole session. Held and sold seats are `taken`.
create table ticket_quota (
  id bigint generated always as identity primary key,
  session_id uuid not null references ticket_session (id),
  category_id uuid references ticket_category (id),
  seats integer not null,
  taken integer not null default 0,
  constraint tickets_sold_out check (taken between 0 and seats),
  constraint ticket_quota_once unique nulls not distinct (session_id, category_id)
) with (fillfactor = 50);

-- Takes seats (gives them back where the count is negative), all or none, locking quotas in one order.
-- Answers -1 when done, else how many are left where they lack.
create function ticket_take(sessions uuid[], categories uuid[], counts integer[]) returns integer
language plpgsql as $$
declare
  one record;
  ids bigint[] := '{}';
  adds integer[] := '{}';
begin
  for one in
    select q.id, q.seats - q.taken as spare, w.n from ticket_quota q
    join (select q2.id, sum(requested.n)::integer as n
          from ticket_quota q2
          join unnest(sessions, categories, counts) requested (session, category, n)
            on q2.session_id = requested.session
            and (q2.category_id is null or q2.category_id = requested.category)
          group by q2.id) w on w.id = q.id
    order by q.id for update of q
  loop
    if one.n > one.spare then
      return greatest(one.spare, 0);
    end if;
    ids := ids || one.id;
    adds := adds || one.n;
  end loop;
  update ticket_quota q set taken = q.taken + a.n
    from unnest(ids, adds) a (id, n) where q.id = a.id;
  return -1;
end $$;

create table ticket_order (
  id uuid primary key default gen_random_uuid(),
  person_id bigint not null references person (id),
  state text not null default 'cart' constraint ticket_order_state
    check (state in ('cart', 'paid', 'expired', 'dropped')),
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  -- Since when a payment at the provider's page was started: the order no longer changes. Kept here, and not read
  -- from the payment, as a cart is looked at under its own lock.
  paying_since timestamptz,
  wallet_id bigint references wallet (id),
  paid_at timestamptz,
  ended_at timestamptz,
  constraint ticket_order_paid check ((state = 'paid') = (paid_at is not null and wallet_id is not null))
);
create unique index ticket_order_cart on ticket_order (person_id) where state = 'cart';
create index ticket_order_due on ticket_order (expires_at) where state = 'cart';
create index ticket_order_of_person on ticket_order (person_id, opened_at);

create table ticket (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references ticket_order (id),
  session_id uuid not null references ticket_session (id),
  category_id uuid not null references ticket_category (id),
  owner_id bigint not null references person (id),
  price_cents bigint not null constraint ticket_paid_price check (price_cents >= 0),
  -- Bought at a price with a condition: one for each person and session.
  reduced boolean not null,
  state text not null constraint ticket_state_known
    check (state in ('held', 'issued', 'used', 'transferred', 'cancelled', 'expired')),
  -- Of the QR: an earlier one is no longer good.
  revision integer not null default 1,
  policy jsonb not null,
  -- The ticket that was transferred into this one.
  replaces uuid unique references ticket (id),
  issued_at timestamptz,
  used_at timestamptz,
  used_by bigint references person (id),
  ended_at timestamptz,
  -- What a cancellation gave back, so that the rest is owed to whoever holds the event.
  refund_cents bigint constraint ticket_refund check (refund_cents between 0 and price_cents),
  constraint ticket_used_at check ((state = 'used') = (used_at is not null))
);
create unique index tickets_one_each on ticket (session_id, category_id, owner_id)
  where reduced and state in ('held', 'issued', 'used');
create index ticket_of_order on ticket (order_id);
create index ticket_of_owner on ticket (owner_id);
create index ticket_of_session on ticket (session_id, state);

create table ticket_transfer (
  id uuid primary key default gen_random_uuid(),
  ticket_id uuid not null references ticket (id),
  from_id bigint not null references person (id),
  to_cardnumber bigint,
  -- Offered by a link instead: a digest of its secret. Whoever opens the link first takes it for their card.
  secret_hash bytea,
  -- Null when nobody has that card: the sender is not told.
  to_id bigint references person (id),
  state text not null default 'open' constraint ticket_transfer_state
    check (state in ('open', 'accepted', 'declined', 'withdrawn', 'expired')),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  answered_at timestamptz,
  constraint ticket_transfer_to_known check (to_cardnumber is not null or secret_hash is not null)
);
create unique index ticket_transfer_open on ticket_transfer (ticket_id) where state = 'open';
create index ticket_transfer_to on ticket_transfer (to_id) where state = 'open';
create index ticket_transfer_from on ticket_transfer (from_id) where state = 'open';
create index ticket_transfer_due on ticket_transfer (expires_at) where state = 'open';
create unique index ticket_transfer_secret on ticket_transfer (secret_hash);

create table ticket_wait (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  person_id bigint not null references person (id),
  owner_id bigint not null references person (id),
  session_id uuid not null references ticket_session (id),
  category_id uuid not null references ticket_category (id),
  quantity integer not null constraint ticket_wait_quantity check (quantity between 1 and 20),
  state text not null default 'waiting' constraint ticket_wait_state
    check (state in ('waiting', 'offered', 'taken', 'left', 'expired')),
  requested_at timestamptz not null,
  offered_until timestamptz,
  -- Seats that became free are kept for the first of the list until they are as many as were asked for.
  held integer not null default 0,
  constraint ticket_wait_offered check (state <> 'offered' or offered_until is not null),
  constraint ticket_wait_held check (
    held between 0 and quantity
    and (state in ('waiting', 'offered') or held = 0) and (state <> 'offered' or held > 0))
);
create unique index ticket_wait_twice on ticket_wait (person_id, session_id)
  where state in ('waiting', 'offered');
create index ticket_wait_queue on ticket_wait (session_id, number) where state = 'waiting';
create index ticket_wait_due on ticket_wait (offered_until) where state = 'offered';

-- An entry that goes with its person's account gives back what was kept for it.
create function ticket_wait_gone() returns trigger language plpgsql as $$
begin
  update ticket_quota set taken = taken - old.held where session_id = old.session_id
    and (category_id is null or category_id = old.category_id);
  return null;
end $$;
create trigger ticket_wait_gone after delete on ticket_wait
  for each row when (old.held > 0) execute function ticket_wait_gone();
