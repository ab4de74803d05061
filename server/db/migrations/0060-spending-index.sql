-- What a wallet spends lately (its forecast, on every dashboard) is read from what was bought alone: the index of all
-- that left brought every transfer of four weeks too, only to leave it out.
create index transfer_spending on transfer (debit_account, at) include (amount)
  where kind in ('purchase', 'meal');
