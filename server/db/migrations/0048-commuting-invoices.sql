-- The invoice of a company's month of shared passes, and what was paid of it.
alter table commuting_statement
  -- What the month before could not invoice: a cent at most, that no amount with VAT reaches.
  add column carried_cents bigint not null default 0,
  add column invoiced_cents bigint not null default 0,
  -- Of what was paid, what has settled the shares in the ledger.
  add column cleared_cents bigint not null default 0,
  add column invoice_id uuid references invoice (id),
  add constraint commuting_statement_cleared check (cleared_cents between 0 and invoiced_cents);
