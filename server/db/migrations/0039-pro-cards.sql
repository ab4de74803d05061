-- Cards that a company hands to the people who work there: numbers of type 2 that it manages. Carrying one
-- gives no power over the company; a role does (company_member).
create table pro_card (
  person_id bigint primary key references person (id),
  company_id uuid not null references company (id),
  issued_at timestamptz not null,
  -- Null while it waits for somebody to carry it.
  assigned_at timestamptz
);
create index pro_card_company on pro_card (company_id);

insert into pro_card (person_id, company_id, issued_at, assigned_at)
select person_id, company_id, since, since from company_member;

-- The company whose card a person carries, and who manages it there; nothing for other people.
create function card_company(person bigint) returns table (name text, managers bigint[])
  language sql stable parallel safe rows 1
  as $$ select c.name, array(
      select m.person_id from company_member m
      where m.company_id = c.id and m.role = 'owner' order by m.since, m.person_id)
    from pro_card p join company c on c.id = p.company_id where p.person_id = person $$;
