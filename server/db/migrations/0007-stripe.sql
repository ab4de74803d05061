-- Stripe beside the sandbox: where its money is counted, and what was given back of a top-up so far.

alter table top_up add column refunded_cents bigint not null default 0
  constraint top_up_refunded check (refunded_cents between 0 and amount_cents);

with opened as (
  insert into ledger_account (kind, asset, floor)
    values ('scheme:payments:stripe', 'EUR', null) returning id
)
insert into scheme_account (name, account_id) select 'payments:stripe', id from opened;

-- What an operator must look at: parked news of any provider, top-ups to verify.
create index top_up_to_review on top_up (created_at) where state = 'review';
