-- Commands that create or undo money are run by two accounts of the operating system.

create table operator_request (
  number bigint generated always as identity primary key,
  -- The command, and what of its arguments a second operator must repeat.
  command text not null,
  arguments text[] not null,
  reason text,
  state text not null default 'asked'
    constraint operator_request_state check (state in ('asked', 'confirmed', 'withdrawn', 'expired')),
  asked_account text not null,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  answered_account text,
  answered_at timestamptz,
  constraint operator_request_answered check ((answered_at is null) = (state = 'asked')),
  constraint operator_request_two_accounts check (state <> 'confirmed'
    or (answered_account is not null and answered_account <> asked_account))
);
-- The same command waits once.
create unique index operator_request_waiting on operator_request (command, arguments)
  where state = 'asked';

-- A reversal waits there too, and is judged by the accounts, no more by names that anybody types. What was
-- answered before stays.
update reversal set state = 'expired', answered_at = now() where state = 'asked';
alter table reversal drop constraint reversal_same_operator;
alter table reversal add constraint reversal_two_accounts check (state <> 'confirmed'
  or (answered_account is not null and answered_account <> asked_account)) not valid;
