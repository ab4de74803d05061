-- What no room owns alone: days as the scheme counts them, the guard of what history names, commands that
-- wait for a second operator.

-- In one place for every query. Both are plain expressions, so that the planner writes them into the query;
-- `at time zone` with a named zone is immutable in PostgreSQL.
create function paris_day(instant timestamptz) returns date
  language sql immutable parallel safe
  return (instant at time zone 'Europe/Paris')::date;
comment on function paris_day is 'The day in Paris of an instant.';

create function start_of_paris_day(day date) returns timestamptz
  language sql immutable parallel safe
  return day::timestamp at time zone 'Europe/Paris';
comment on function start_of_paris_day is 'The instant at which a day begins in Paris.';

-- A person and a wallet stay for ever, as an account of the ledger does. What is written at every transfer
-- (transfer, wallet_transfer, audit, notification) names them without a foreign key, which would look each of
-- them up and lock it: `operator ledger verify` reads that each line names people and wallets that there are.
create function named_for_ever() returns trigger language plpgsql as $$
begin
  raise exception 'history names it: % on % refused', tg_op, tg_table_name
    using errcode = 'restrict_violation';
end $$;

-- Commands that create or undo money are run by two accounts of the operating system.
create table operator_request (
  number bigint generated always as identity primary key,
  -- The command, and what of its arguments a second operator must repeat.
  command text not null,
  arguments text[] not null,
  reason text,
  state text not null default 'requested'
    constraint operator_request_state check (state in ('requested', 'confirmed', 'withdrawn', 'expired')),
  requester_account text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  answered_account text,
  answered_at timestamptz,
  constraint operator_request_answered check ((answered_at is null) = (state = 'requested')),
  constraint operator_request_two_accounts check (state <> 'confirmed'
    or (answered_account is not null and answered_account <> requester_account))
);
-- The same command waits once.
create unique index operator_request_waiting on operator_request (command, arguments)
  where state = 'requested';
