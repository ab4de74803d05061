-- An invitation or a ticket may be offered by a link instead of to a card number: whoever opens the
-- link first takes it for their card. The database keeps a digest of the link's secret.
alter table family_invitation
  alter column cardnumber drop not null,
  add column secret_hash bytea,
  add constraint family_invitation_to check (cardnumber is not null or secret_hash is not null);
create unique index family_invitation_secret on family_invitation (secret_hash);

alter table ticket_transfer
  alter column to_cardnumber drop not null,
  add column secret_hash bytea,
  add constraint ticket_transfer_to_known
    check (to_cardnumber is not null or secret_hash is not null);
create unique index ticket_transfer_secret on ticket_transfer (secret_hash);
