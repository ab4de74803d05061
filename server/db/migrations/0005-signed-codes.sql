-- QR codes to refuse although their signature is good and their time not over: one list for every kind,
-- given out signed to those who check without network. A code is good from revision first_good on, none
-- of its id where it is 0. What is past its validity leaves the list.
create table revoked_code (
  kind text not null,
  id uuid not null,
  first_good integer not null constraint revoked_code_first_good check (first_good between 0 and 65536),
  until timestamptz not null,
  primary key (kind, id)
);
create index revoked_code_until on revoked_code (until);
