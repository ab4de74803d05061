-- Family ties, how one joins a family, and a child's first card.

create table family_tie (
  guardian_id bigint not null references person (id),
  member_id bigint not null references person (id),
  role text not null constraint family_role check (role in ('child', 'relative')),
  since date not null default current_date,
  primary key (guardian_id, member_id),
  constraint family_not_oneself check (guardian_id <> member_id)
);
create index family_of_member on family_tie (member_id);

-- Joining a family: invitations that the other side accepts, printed codes of cards without a phone.

create table family_invitation (
  id uuid primary key,
  inviter_id bigint not null references person (id),
  -- As typed. Nobody may learn from an invitation whether the card exists.
  cardnumber bigint not null,
  invitee_id bigint references person (id),
  role text not null constraint family_invitation_role check (role in ('child', 'relative', 'guardian')),
  -- Of whom the invited person becomes a guardian.
  child_id bigint references person (id),
  state text not null default 'open' constraint family_invitation_state
    check (state in ('open', 'accepted', 'declined', 'cancelled', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  answered_at timestamptz,
  answered_by bigint references person (id),
  constraint family_invitation_child check ((role = 'guardian') = (child_id is not null))
);
create unique index family_invited on family_invitation
  (inviter_id, cardnumber, role, coalesce(child_id, 0)) where state = 'open';
create index family_invitation_received on family_invitation (invitee_id) where state = 'open';

-- The code printed in the letter of a card; a new one takes the place of the last.
create table card_join_code (
  cardnumber bigint primary key references card (number),
  hmac bytea not null,
  made_at timestamptz not null,
  used_at timestamptz
);

-- How often a person tried printed codes in a day, whatever the card.
create table family_join_try (
  person_id bigint not null references person (id),
  day date not null,
  tries integer not null,
  primary key (person_id, day)
);

-- A child's first card: asked by a guardian, answered by the operator.

create table first_card_request (
  -- What the operator types.
  number bigint generated always as identity primary key,
  id uuid not null unique default gen_random_uuid(),
  guardian_id bigint not null references person (id),
  name text not null,
  born_on date not null,
  state text not null default 'open' constraint first_card_request_state
    check (state in ('open', 'approved', 'refused', 'withdrawn')),
  reason text,
  person_id bigint references person (id),
  asked_at timestamptz not null,
  answered_at timestamptz,
  constraint first_card_request_reason check ((state = 'refused') = (reason is not null)),
  constraint first_card_request_person check ((state = 'approved') = (person_id is not null))
);
create unique index first_card_asked on first_card_request (guardian_id, lower(name), born_on)
  where state = 'open';
