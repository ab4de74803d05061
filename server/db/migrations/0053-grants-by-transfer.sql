-- Grants paid by a transfer: asked for with a reference, on the cards once the money has come, or at once
-- within what the operator lets a company owe.
alter table company add column grant_credit_cents bigint not null default 0
  constraint company_grant_credit check (grant_credit_cents >= 0);

alter table company_grant drop constraint company_grant_state;
alter table company_grant
  -- What the transfer quotes (ISO 11649); null where it is paid otherwise.
  add column reference text unique,
  add column transfer_asked_at timestamptz,
  add column transfer_received_at timestamptz,
  -- Of the transfer at the bank.
  add column transfer_proof text,
  add constraint company_grant_state check (state in ('draft', 'awaiting', 'granted')),
  add constraint company_grant_awaiting check (state <> 'awaiting' or reference is not null),
  add constraint company_grant_transfer check ((reference is null) = (transfer_asked_at is null)
    and (transfer_received_at is null) = (transfer_proof is null)
    and (transfer_received_at is null or (reference is not null and state = 'granted')));
create index company_grant_owed on company_grant (company_id)
  where reference is not null and transfer_received_at is null;

-- What companies owe for grants that were on the cards before the transfer came.
with opened as (
  insert into ledger_account (kind, asset, floor) values ('scheme:grant_credits', 'EUR', null)
  returning id)
insert into scheme_account (name, account_id) select 'grant_credits', id from opened;
