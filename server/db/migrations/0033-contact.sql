-- Contact: threads between a person and the customer service.

create table contact_thread (
  -- What the operator types and people say on the phone.
  number bigint generated always as identity (start with 1001) primary key,
  id uuid not null unique default gen_random_uuid(),
  person_id bigint not null references person (id),
  topic text not null constraint contact_thread_topic
    check (topic in ('money', 'card', 'services', 'family', 'sign_in', 'partner', 'other')),
  subject text not null constraint contact_thread_subject check (char_length(subject) between 1 and 120),
  -- `open` waits for the customer service, `answered` for the person.
  state text not null default 'open' constraint contact_thread_state
    check (state in ('open', 'answered', 'closed')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Of its last message: the order of the list.
  last_message bigint not null default 0
);
create index contact_thread_of on contact_thread (person_id, last_message desc);
create index contact_thread_waiting on contact_thread (updated_at) where state = 'open';

create table contact_message (
  id bigint generated always as identity primary key,
  thread_number bigint not null references contact_thread (number) on delete cascade,
  -- The person who wrote it, else the operator's name.
  author_id bigint references person (id),
  operator text,
  text text not null constraint contact_message_text check (char_length(text) between 1 and 4000),
  at timestamptz not null,
  -- The client's Idempotency-Key, with what it was sent with.
  key text,
  fingerprint text,
  constraint contact_message_author check ((author_id is null) <> (operator is null))
);
create index contact_message_of on contact_message (thread_number, id);
create index contact_message_by on contact_message (author_id, at) where author_id is not null;
create unique index contact_message_key on contact_message (author_id, key) where key is not null;

create table contact_draft (
  person_id bigint not null references person (id),
  -- The thread that it answers, 0 for a new one.
  thread_number bigint not null,
  topic text,
  subject text not null,
  text text not null,
  document_ids uuid[] not null,
  updated_at timestamptz not null,
  primary key (person_id, thread_number)
);
