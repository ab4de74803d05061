-- Who a person is, their sessions, second factors and known browsers, limiter counters, the audit trail.

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
  born_on date,
  avatar text,
  email text,
  phonenumber text,
  -- Since when each contact is on file; null: since before changes were dated, so it stands.
  email_since timestamptz,
  phone_since timestamptz,
  password_hash text not null,
  password_changed_at timestamptz,
  must_reset boolean not null default false,
  -- A number opened for somebody whose address a code had proved: a code sent there chooses the first
  -- password, before the card and its printed secret arrive.
  opens_by_code boolean not null default false,
  -- Set by « Ce n'était pas moi »: nobody comes in before a new password is chosen.
  locked_at timestamptz,
  disabled_at timestamptz,
  -- Why the operator disabled the account; null when it is not, or when it ended by itself.
  disabled_why text,
  subscription_renews_on date,
  subscription_expires_at timestamptz,
  created_at timestamptz not null default now(),
  constraint person_disabled_why check (disabled_why is null or disabled_at is not null)
);
create trigger person_stays before delete or truncate on person
  for each statement execute function named_for_ever();

-- Notices are about people, and come before them.
alter table outbox
  add constraint outbox_person_id_fkey foreign key (person_id) references person (id);
alter table notification_choice
  add constraint notification_choice_person_id_fkey foreign key (person_id) references person (id);

-- Somebody of 18 decides alone about their card, from the birthday in Paris on.
create function of_age(born date) returns boolean language sql stable parallel safe
return born <= (paris_day(now()) - interval '18 years');

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
  seen_at timestamptz,
  -- What a proof given in the session opens for the payments that follow: until when, and how many cents are
  -- left of it.
  money_until timestamptz,
  money_cents integer not null default 0
);
create index session_open on session (person_id) where ended_at is null;

create table code (
  id uuid primary key,
  purpose text not null,
  -- Null for the decoy given to an unknown card.
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
  -- « C'était moi »: the question is asked no more, while the link of the message serves on.
  confirmed_at timestamptz,
  contact_change_id uuid references contact_change (id) on delete cascade
);
create index login_alert_by_age on login_alert (expires_at);

create table audit (
  id bigint generated always as identity primary key,
  -- No foreign key: a person stays for ever (0001).
  person_id bigint not null,
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
