-- What is owed on the account of disputes is repaid as a transfer is undone: asked by one operator, confirmed by
-- another. Such a request says how much, from which account, and whose debt it is.
alter table reversal add column amount bigint constraint reversal_amount check (amount > 0);
alter table reversal add column debit_account bigint references ledger_account (id);
alter table reversal add column person_id bigint references person (id);
alter table reversal add constraint reversal_repayment
  check ((amount is null) = (debit_account is null) and (amount is null) = (person_id is null));
