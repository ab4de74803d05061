-- The company of professionals, apart from its sheet in the directory: one company may have several
-- sheets or none, and several people with a role each.
create table company (
  id uuid primary key default gen_random_uuid(),
  -- Null for accounts opened before companies were kept; the operator writes it.
  siren text constraint company_known unique
    constraint company_siren check (siren ~ '^\d{9}$'),
  siret text constraint company_siret check (siret ~ '^\d{14}$' and left(siret, 9) = siren),
  name text not null,
  vat_number text constraint company_vat_number check (vat_number ~ '^[A-Z]{2}[A-Z0-9]{2,13}$'),
  street text not null,
  postcode text not null,
  town text not null,
  created_at timestamptz not null
);

-- A professional number belongs to one company.
create table company_member (
  person_id bigint constraint company_member_once primary key references person (id),
  company_id uuid not null references company (id),
  role text not null
    constraint company_member_role check (role in ('owner', 'accountant', 'cashier')),
  since timestamptz not null
);
create index company_member_company on company_member (company_id);

alter table partner add column company_id uuid references company (id);

with opened as (
  insert into company (name, street, postcode, town, created_at)
  select distinct on (p.person_id) p.name || chr(1) || p.person_id, p.street, p.postcode, p.town, now()
  from partner p where p.person_id is not null order by p.person_id, p.reference
  returning id, name)
insert into company_member (person_id, company_id, role, since)
select split_part(name, chr(1), 2)::bigint, id, 'owner', now() from opened;
update company set name = split_part(name, chr(1), 1);
update partner p set company_id = m.company_id from company_member m where m.person_id = p.person_id;

-- A professional whose company the operator has frozen sells nothing.
create or replace function partner_frozen(person bigint) returns boolean
  language sql stable parallel safe
  as $$ select exists (
    select from company_member m join partner p on p.company_id = m.company_id
    where m.person_id = person and p.frozen_at is not null) $$;

alter table partner drop column person_id;
create index partner_company on partner (company_id);
