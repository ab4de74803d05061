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
