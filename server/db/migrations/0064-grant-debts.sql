-- What comes back of a grant before its transfer has come goes to no wallet: nobody has paid it, it lowers
-- what the company owes.
alter table company_grant_return drop constraint company_grant_return_paid;
alter table company_grant_return add constraint company_grant_return_paid
  check (wallet_id is null or paid_at is not null);
