-- Partnerships between two companies: an invitation that the other side accepts, terms version by version,
-- and what they write to each other.
create table partnership (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  inviter_id uuid not null references company (id),
  -- Null where nobody has the number that was typed: the invitation then leads nowhere, and says not so.
  invited_id uuid references company (id),
  siret text constraint partnership_siret check (siret ~ '^\d{14}$'),
  cardnumber bigint,
  state text not null constraint partnership_state_known check (state in
    ('invited', 'active', 'refused', 'withdrawn', 'expired', 'ended')),
  note text,
  invited_by bigint not null references person (id),
  invited_at timestamptz not null,
  expires_at timestamptz not null,
  answered_by bigint references person (id),
  answered_at timestamptz,
  ended_by bigint references person (id),
  ended_at timestamptz,
  ended_by_inviter boolean,
  ended_why text,
  constraint partnership_typed check (num_nonnulls(siret, cardnumber) = 1),
  constraint partnership_other check (invited_id <> inviter_id),
  constraint partnership_answered check (num_nulls(answered_by, answered_at) in (0, 2)
    and (state in ('active', 'refused', 'ended')) = (answered_at is not null)
    and (answered_at is null or invited_id is not null)),
  constraint partnership_ended check (num_nulls(ended_by, ended_at, ended_by_inviter) in (0, 3)
    and (state = 'ended') = (ended_at is not null))
);
-- Between two companies one at a time, whoever invited.
create unique index partnership_known
  on partnership (least(inviter_id, invited_id), greatest(inviter_id, invited_id))
  where state in ('invited', 'active') and invited_id is not null;
create index partnership_inviter on partnership (inviter_id, number desc);
create index partnership_invited on partnership (invited_id, number desc);

-- What the tills of either side take off for the cards of the other.
create table partnership_terms (
  partnership_id uuid not null references partnership (id) on delete cascade,
  version integer not null,
  inviter_percent smallint not null
    constraint partnership_terms_inviter check (inviter_percent between 0 and 90),
  invited_percent smallint not null
    constraint partnership_terms_invited check (invited_percent between 0 and 90),
  note text,
  by_inviter boolean not null,
  proposed_by bigint not null references person (id),
  proposed_at timestamptz not null,
  answered_by bigint references person (id),
  -- In force from then on, until the next version is.
  from_at timestamptz,
  closed text constraint partnership_terms_closed check (closed in ('refused', 'withdrawn')),
  primary key (partnership_id, version),
  constraint partnership_terms_one check (num_nonnulls(from_at, closed) <= 1)
);
create unique index partnership_terms_open on partnership_terms (partnership_id)
  where from_at is null and closed is null;

create table partnership_message (
  id bigint primary key generated always as identity,
  partnership_id uuid not null references partnership (id) on delete cascade,
  by_id bigint not null references person (id),
  from_inviter boolean not null,
  text text not null,
  at timestamptz not null
);
create index partnership_message_of on partnership_message (partnership_id, id desc);

-- What the tills of a company take off, in percent, for whoever carries a card of a partner of it.
create function partnership_percent(seller uuid, bearer bigint, at timestamptz) returns integer
  language sql stable parallel safe
  as $$ select coalesce(max(t.percent), 0)::int
    from pro_card k
    join partnership p on p.state in ('active', 'ended') and p.answered_at <= at
      and (p.ended_at is null or p.ended_at > at)
      and ((p.inviter_id = seller and p.invited_id = k.company_id)
        or (p.invited_id = seller and p.inviter_id = k.company_id))
    cross join lateral (
      select case when p.inviter_id = seller then inviter_percent else invited_percent end as percent
      from partnership_terms where partnership_id = p.id and from_at <= at
      order by version desc limit 1) t
    where k.person_id = bearer $$;
