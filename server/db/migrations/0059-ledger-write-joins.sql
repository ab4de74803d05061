-- Whoever decides under locks forbids hash joins for its own reads (wallet/transfer-reads.ts). The write that follows
-- joins lists of the call with each other, which have no index: without a hash each pair is compared, 2,000 for a
-- batch of 32.
alter function ledger_write(int[], text[], bigint[], bigint[], bigint[], text[], jsonb[], bigint[], timestamptz[])
  set enable_hashjoin = on;
