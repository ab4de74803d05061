-- Who a person is, their cards, sessions, second factors, limiter counters, the audit trail and its seals.

-- Days as the scheme counts them, in one place for every query. Both are plain expressions, so that the
-- planner writes them into the query; `at time zone` with a named zone is immutable in PostgreSQL.

create function paris_day(instant timestamptz) returns date
  language sql immutable parallel safe
  return (instant at time zone 'Europe/Paris')::date;
comment on function paris_day is 'The day in Paris of an instant.';

create function start_of_paris_day(day date) returns timestamptz
  language sql immutable parallel safe
  return day::timestamp at time zone 'Europe/Paris';
comment on function start_of_paris_day is 'The instant at which a day begins in Paris.';

create table secret (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null default now(),
  -- Keys are kept wrapped by the root key, which is not in the database; null: not wrapped yet.
  root_id text
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
  created_at timestamptz not null default now(),
  -- Set by « Ce n'était pas moi »: nobody comes in before a new password is chosen.
  locked_at timestamptz,
  born_on date,
  -- Since when each contact is on file; null: since before changes were dated, so it stands.
  email_since timestamptz,
  phone_since timestamptz
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
  atf smallint not null generated always as (case when state in ('active', 'damaged') then 1 else 0 end) stored,
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

-- The card by which a person is known (docs/spec.md, "Cards and family"): the one in use, active or
-- suspended; else the last activated one that no other card has replaced, which still logs in while its
-- replacement is awaited; else the first card, awaited. One row or none. The planner inlines it into
-- the statement that calls it, where it is a lookup by the index card_of_person.
create function current_card(person bigint) returns setof card language sql stable parallel safe
rows 1 as $$
  select c.* from card c where c.person_id = person
  order by c.state in ('active', 'suspended') desc, c.state = 'replaced',
    c.activated_at desc nulls last, c.number desc
  limit 1
$$;

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
  agent text,
  -- Null until the session's first call after its login.
  seen_at timestamptz
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

-- Strong sign-in: passkeys, recovery codes, known browsers, and the alert on an unknown one.

create table passkey (
  id uuid primary key,
  person_id bigint not null references person (id),
  credential_id bytea not null constraint passkey_known unique,
  public_key bytea not null,
  -- How many times the authenticator says it signed; 0 for ever where it does not count.
  counter bigint not null,
  transports text[] not null,
  synced boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- In which session it was made: « Ce n'était pas moi » takes back what that session did.
  session_id uuid
);
create index passkey_of_person on passkey (person_id);

-- What a browser was asked to sign: the row goes with its first use, right or wrong.
create table passkey_challenge (
  challenge text primary key,
  -- Whose passkey is being made, in which session; null for a login.
  person_id bigint references person (id),
  session_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index passkey_challenge_by_age on passkey_challenge (expires_at);

create table recovery_code (
  person_id bigint not null references person (id),
  hmac bytea not null,
  made_at timestamptz not null,
  used_at timestamptz,
  -- In which session it was made, as for a passkey.
  session_id uuid,
  primary key (person_id, hmac)
);

-- Browsers that a person came in from: the hash of a cookie that lasts.
create table known_device (
  person_id bigint not null references person (id),
  hash bytea not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (person_id, hash)
);
create index known_device_by_hash on known_device (hash);

-- A change of an address, and what it can be undone to.
create table contact_change (
  id uuid primary key,
  person_id bigint not null references person (id),
  session_id uuid not null,
  channel text not null constraint contact_change_channel check (channel in ('email', 'sms')),
  -- The address that was left, null where there was none, and since when it had been on file.
  former text,
  former_since timestamptz,
  at timestamptz not null
);
create index contact_change_of_person on contact_change (person_id, at);

-- An alert is about a login, or about this change of an address. What to put back stands there.
create table login_alert (
  id uuid primary key,
  person_id bigint not null references person (id),
  session_id uuid not null,
  at timestamptz not null,
  address text,
  agent text,
  expires_at timestamptz not null,
  used_at timestamptz,
  contact_change_id uuid references contact_change (id) on delete cascade
);
create index login_alert_by_age on login_alert (expires_at);

create table audit (
  id bigint generated always as identity primary key,
  person_id bigint not null references person (id),
  at timestamptz not null,
  actor text not null,
  action text not null,
  address text,
  details jsonb not null default '{}'
);
create index audit_of_person on audit (person_id, id);

create function audit_append(person bigint, moment timestamptz, who text, what text,
                             from_address text, more jsonb)
returns bigint language sql as $$
  insert into audit (person_id, at, actor, action, address, details)
    values (person, moment, who, what, from_address, more) returning id
$$;

create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'audit rows are append-only' using errcode = 'restrict_violation';
end $$;
create trigger audit_append_only before update or delete or truncate on audit
  for each statement execute function audit_is_append_only();

-- What was written is sealed seconds later, by a chain of HMACs whose key the database does not hold
-- (server/seals/seals.ts). The transaction that writes only inserts its row.
create table seal (
  chain text not null,
  seq bigint not null,
  ids bigint[] not null,
  digests bytea[] not null,
  -- Greatest id sealed so far.
  through bigint not null,
  mac bytea not null,
  sealed_at timestamptz not null,
  primary key (chain, seq),
  constraint seal_chain_known check (chain in ('audit', 'journal')),
  constraint seal_whole check (cardinality(ids) = cardinality(digests) and cardinality(ids) > 0)
);
create trigger seal_append_only before update or delete or truncate on seal
  for each statement execute function audit_is_append_only();
