-- What a person is told: notices of the bell, and messages waiting to leave. The foreign keys to people follow
-- with them (0003).

create table notification (
  id bigint generated always as identity primary key,
  -- No foreign key: a person stays for ever (0001).
  person_id bigint not null,
  at timestamptz not null,
  kind text not null,
  title text not null,
  body text not null,
  path text,
  read_at timestamptz,
  -- An alert on a login, answered in the bell: « C'était moi », « Pas moi ». No foreign key, alerts go before the
  -- notices that name them.
  alert_id uuid
);
create index notification_of_person on notification (person_id, id);
create index notification_unread on notification (person_id) where read_at is null;

create table outbox (
  id bigint generated always as identity primary key,
  person_id bigint,
  channel text not null constraint outbox_channel check (channel in ('email', 'sms')),
  address text not null,
  subject text not null,
  -- Blanked once a secret one (a code) has left or can no longer serve.
  body text not null,
  html text,
  -- [{filename, contentType, base64}]
  attachments jsonb,
  secret boolean not null default false,
  created_at timestamptz not null,
  sent_at timestamptz,
  abandoned_at timestamptz,
  attempts integer not null default 0,
  last_error text
);
create index outbox_waiting on outbox (id) where sent_at is null and abandoned_at is null;
create index outbox_by_age on outbox (created_at);

-- Which channels carry each kind of announcement to a person; without a row the usual channel does.
create table notification_choice (
  person_id bigint not null,
  kind text not null,
  channel text not null constraint notification_choice_channel check (channel in ('email', 'sms')),
  enabled boolean not null,
  primary key (person_id, kind, channel)
);
