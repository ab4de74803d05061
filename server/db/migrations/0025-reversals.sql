-- Reversals of a transfer, asked by one operator and confirmed by another.

create table reversal (
  number bigint generated always as identity primary key,
  transfer_id bigint not null references transfer (id),
  reason text not null,
  state text not null default 'asked'
    constraint reversal_state check (state in ('asked', 'confirmed', 'refused', 'expired')),
  -- The names that the operators gave; the system accounts that they used stand in the audit trail too.
  asked_by text not null,
  asked_account text not null,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  answered_by text,
  answered_account text,
  answered_at timestamptz,
  answer_reason text,
  -- The transfer that undoes it.
  posted_id bigint references transfer (id),
  constraint reversal_answered check ((answered_at is null) = (state = 'asked')),
  constraint reversal_posted check ((posted_id is null) = (state <> 'confirmed')),
  constraint reversal_same_operator check (state <> 'confirmed'
    or (answered_by is not null and lower(answered_by) <> lower(asked_by)))
);
-- One request waits for a transfer.
create unique index reversal_waiting on reversal (transfer_id) where state = 'asked';
create index reversal_of_transfer on reversal (transfer_id);
