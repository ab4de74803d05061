-- What a person is told: notices of the bell, and messages waiting to leave.

create table notification (
  id bigint generated always as identity primary key,
  person_id bigint not null references person (id),
  at timestamptz not null,
  kind text not null,
  title text not null,
  body text not null,
  path text,
  read_at timestamptz
);
create index notification_of_person on notification (person_id, id);
create index notification_unread on notification (person_id) where read_at is null;

create table outbox (
  id bigint generated always as identity primary key,
  person_id bigint references person (id),
  channel text not null constraint outbox_channel check (channel in ('email', 'sms')),
  address text not null,
  subject text not null,
  -- blanked once a secret one (a code) has left or can no longer serve
  body text not null,
  secret boolean not null default false,
  created_at timestamptz not null,
  sent_at timestamptz,
  given_up_at timestamptz,
  attempts integer not null default 0,
  last_error text,
  html text,
  -- [{filename, contentType, base64}]
  attachments jsonb
);
create index outbox_waiting on outbox (id) where sent_at is null and given_up_at is null;
create index outbox_by_age on outbox (created_at);

-- Which channels carry each kind of announcement to a person; without a row the usual channel does.
create table notification_choice (
  person_id bigint not null references person (id),
  kind text not null,
  channel text not null constraint notification_choice_channel check (channel in ('email', 'sms')),
  wanted boolean not null,
  primary key (person_id, kind, channel)
);
