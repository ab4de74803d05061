-- Who a person is, their cards, sessions, one-time codes, limiter counters, the audit trail.

create table secret (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null default now()
);

create table person (
  id bigint generated always as identity primary key,
  object_id uuid not null unique default gen_random_uuid(),
  type smallint not null constraint person_type check (type in (1, 2)),
  name text not null,
  avatar text,
  email text,
  phonenumber text,
  password_hash text not null,
  password_changed_at timestamptz,
  must_reset boolean not null default false,
  disabled_at timestamptz,
  subscription_renews_on date,
  subscription_expires_at timestamptz,
  created_at timestamptz not null default now()
);

create table card (
  number bigint primary key
    constraint card_number check (number between 1000000000 and 2999999999),
  -- What the QR names, so that it never shows the number.
  object_id uuid not null unique default gen_random_uuid(),
  person_id bigint not null references person (id),
  state text not null constraint card_state_known check (state in (
    'requested', 'approved', 'in_production', 'shipped', 'received', 'active', 'suspended',
    'opposed', 'damaged', 'expired', 'replaced')),
  atf smallint not null generated always as (case when state = 'active' then 1 else 0 end) stored,
  valid_until date,
  requested_at timestamptz not null default now(),
  activated_at timestamptz,
  opposed_at timestamptz,
  opposed_why text,
  replaces bigint unique references card (number)
);
create index card_of_person on card (person_id);
-- A person spends with one card at a time.
create unique index card_in_use on card (person_id) where state in ('active', 'suspended');

-- Serial parts of the numbers that the scheme gives out; the last digit is Luhn's.
create sequence card_serial_holder minvalue 10000000 maxvalue 99999999 start 10000000;
create sequence card_serial_professional minvalue 10000000 maxvalue 99999999 start 10000000;

create table session (
  id uuid primary key,
  person_id bigint not null references person (id),
  cardnumber bigint not null,
  binding bytea,
  created_at timestamptz not null,
  renewed_at timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz,
  ended_why text,
  address text,
  agent text
);
create index session_open on session (person_id) where ended_at is null;

create table code (
  id uuid primary key,
  purpose text not null,
  -- null for the decoy given to an unknown card
  person_id bigint references person (id),
  limiter_key text not null,
  binding bytea not null,
  hmac bytea not null,
  sent_to text not null,
  tries smallint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index code_by_age on code (created_at);

create table limiter (
  key text primary key,
  failures integer not null,
  since timestamptz not null,
  blocked_until timestamptz,
  updated_at timestamptz not null
);
create index limiter_by_age on limiter (updated_at);

-- Counts one attempt in every bucket, or in none when one of them is closed at `moment`; counting
-- before the work means that attempts made together cannot slip past the limit together. A ladder
-- lets `allowed` attempts pass, then closes for 1, 2, 4… seconds, at most `longest`, and forgets after
-- `spans` quiet seconds. A window lets `allowed` attempts pass per `spans` seconds. Callers name the
-- buckets in one order (narrow to wide), so that two calls cannot wait for each other.
create function limiter_take(
  keys text[], ladders boolean[], allowed int[], spans int[], longest int, moment timestamptz,
  out blocked_key text, out blocked_till timestamptz, out tally int
) language plpgsql as $$
declare
  bucket limiter;
  closed timestamptz;
begin
  for i in 1 .. cardinality(keys) loop
    insert into limiter as l (key, failures, since, updated_at) values (keys[i], 0, moment, moment)
      on conflict (key) do update set key = excluded.key
      returning * into bucket;
    if moment >= (case when ladders[i] then bucket.updated_at else bucket.since end)
        + make_interval(secs => spans[i]) then
      update limiter l set failures = 0, since = moment, blocked_until = null, updated_at = moment
        where l.key = keys[i] returning * into bucket;
    end if;
    closed := case when ladders[i] then bucket.blocked_until
      when bucket.failures >= allowed[i] then bucket.since + make_interval(secs => spans[i]) end;
    if closed > moment then
      blocked_key := keys[i];
      blocked_till := closed;
      return;
    end if;
    if i = 1 then tally := bucket.failures; end if;
  end loop;
  for i in 1 .. cardinality(keys) loop
    update limiter l set failures = l.failures + 1, updated_at = moment,
      -- Of a window this is its end, so that a sweep leaves the count alone until then.
      blocked_until = case when not ladders[i] then l.since + make_interval(secs => spans[i])
        when l.failures + 1 >= allowed[i] then moment
        + make_interval(secs => least(longest, power(2, least(l.failures + 1 - allowed[i], 20)))) end
      where l.key = keys[i];
  end loop;
end $$;

create table audit_head (
  person_id bigint primary key references person (id),
  seq bigint not null,
  hash bytea not null
);

create table audit (
  id bigint generated always as identity primary key,
  person_id bigint not null references person (id),
  seq bigint not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  address text,
  details jsonb not null default '{}',
  prev bytea not null,
  hash bytea not null,
  unique (person_id, seq)
);

create function audit_hash(prev bytea, person bigint, seq bigint, at timestamptz, actor text,
                           action text, address text, details jsonb)
returns bytea language sql stable as $$
  select sha256(prev || convert_to(jsonb_build_array(
    person, seq, extract(epoch from at), actor, action, address, details)::text, 'UTF8'))
$$;

-- Appends to the person's own chain; the head's row lock keeps the chain without gaps.
create function audit_append(person bigint, moment timestamptz, who text, what text,
                             from_address text, more jsonb)
returns bigint language plpgsql as $$
declare
  head audit_head;
  next_hash bytea;
  new_id bigint;
begin
  insert into audit_head (person_id, seq, hash) values (person, 0, '\x')
    on conflict (person_id) do nothing;
  select * into head from audit_head where person_id = person for update;
  next_hash := audit_hash(head.hash, person, head.seq + 1, moment, who, what, from_address, more);
  insert into audit (person_id, seq, at, actor, action, address, details, prev, hash)
    values (person, head.seq + 1, moment, who, what, from_address, more, head.hash, next_hash)
    returning id into new_id;
  update audit_head set seq = head.seq + 1, hash = next_hash where person_id = person;
  return new_id;
end $$;

-- Where a chain does not hold: a line altered, a line missing (in the middle or at the end), a head
-- that is not the last line. The triggers below stop programs; this finds what went around them.
create function audit_broken() returns table (person_id bigint, seq bigint, why text)
language sql stable as $$
  select a.person_id, a.seq,
    case when a.hash <> audit_hash(a.prev, a.person_id, a.seq, a.at, a.actor, a.action, a.address,
      a.details) then 'altered' else 'missing' end
  from (select audit.*,
      lag(audit.hash, 1, '\x') over chain as before, lag(audit.seq, 1, 0) over chain as earlier
    from audit window chain as (partition by audit.person_id order by audit.seq)) a
  where a.seq <> a.earlier + 1 or a.prev <> a.before
    or a.hash <> audit_hash(a.prev, a.person_id, a.seq, a.at, a.actor, a.action, a.address, a.details)
  union all
  select h.person_id, h.seq, 'head' from audit_head h
  where h.hash is distinct from coalesce(
      (select a.hash from audit a where a.person_id = h.person_id order by a.seq desc limit 1), '\x')
  union all
  select distinct a.person_id, 0::bigint, 'head' from audit a
  where not exists (select from audit_head h where h.person_id = a.person_id)
$$;

create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'audit rows are append-only' using errcode = 'restrict_violation';
end $$;
create trigger audit_append_only before update or delete or truncate on audit
  for each statement execute function audit_is_append_only();
