-- Strong sign-in: passkeys, recovery codes, known browsers, and the alert on an unknown one.

-- Set by « Ce n'était pas moi »: nobody comes in before a new password is chosen.
alter table person add column locked_at timestamptz;

-- Null until the session's first call after its login.
alter table session add column seen_at timestamptz;

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
  last_used_at timestamptz
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

create table login_alert (
  id uuid primary key,
  person_id bigint not null references person (id),
  session_id uuid not null,
  at timestamptz not null,
  address text,
  agent text,
  -- The contacts of that moment: put back if whoever came in changed them.
  email text,
  phonenumber text,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index login_alert_by_age on login_alert (expires_at);
