-- What the operator stops, with a reason: an account, a partner.

-- Why the operator disabled the account; null when it is not, or when it ended by itself.
alter table person add column disabled_why text,
  add constraint person_disabled_why check (disabled_why is null or disabled_at is not null);

alter table partner add column frozen_at timestamptz, add column frozen_why text,
  add constraint partner_frozen_why check ((frozen_at is null) = (frozen_why is null));
-- Whether the directory shows it.
alter table partner add column listed boolean not null
  generated always as (hidden_why is null and frozen_at is null) stored;
drop index partner_of_category;
create index partner_of_category on partner (category_id) where listed;

-- Whether a professional sells nothing for now: a sheet of theirs is frozen.
create function partner_frozen(person bigint) returns boolean
  language sql stable parallel safe
  as $$ select exists (
    select from partner p where p.person_id = person and p.frozen_at is not null) $$;
