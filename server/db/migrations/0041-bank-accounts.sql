-- What the scheme keeps of a sale of the partner, beside the discount that it gives.
alter table partner_terms add column commission_basis_points integer not null default 0
  constraint partner_terms_commission check (commission_basis_points between 0 and 10000);
alter table partner_terms alter column commission_basis_points drop default;

-- Where a company is paid, change by change. The last one that is neither undone nor unanswered stands;
-- payouts rest while it is frozen.
create table company_bank_account (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references company (id),
  iban text not null
    constraint company_bank_iban check (iban ~ '^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$'),
  bic text constraint company_bank_bic check (bic ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  holder_name text not null,
  asked_by bigint not null references person (id),
  asked_at timestamptz not null,
  frozen_until timestamptz not null,
  -- Until when a second owner may confirm it; null where the company had none when it was asked.
  answer_until timestamptz,
  confirmed_by bigint references person (id),
  confirmed_at timestamptz,
  undone_by bigint references person (id),
  undone_at timestamptz,
  constraint company_bank_second check (confirmed_by <> asked_by),
  constraint company_bank_confirmed check (num_nulls(confirmed_by, confirmed_at) in (0, 2)
    and (confirmed_at is null or answer_until is not null)),
  constraint company_bank_undone check (num_nulls(undone_by, undone_at) in (0, 2))
);
create index company_bank_account_of on company_bank_account (company_id, asked_at desc);

-- Since when an owner no longer decides: for a while nobody changes alone where the money goes.
alter table company add column owner_left_at timestamptz;
