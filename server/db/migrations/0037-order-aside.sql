-- What wallets set aside for an order whose missing part is paid at the provider: holds of the ledger, spent
-- with the payment or released when it comes to nothing.
alter table top_up add column hold_ids bigint[] not null default '{}'
  constraint top_up_holds check (hold_ids = '{}' or order_id is not null);
