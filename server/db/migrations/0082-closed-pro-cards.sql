-- A company closes the card of who leaves it, without another in its place: from then on it is no card of the
-- company, whose past figures keep it.
alter table pro_card add column closed_at timestamptz;

create or replace function card_company(person bigint) returns table (name text, managers bigint[])
  language sql stable parallel safe rows 1
  as $$ select c.name, array(
      select m.person_id from company_member m
      where m.company_id = c.id and 'owner' = any (m.roles) order by m.since, m.person_id)
    from pro_card p join company c on c.id = p.company_id
    where p.person_id = person and p.closed_at is null $$;

-- A number opened for somebody whose address a code had proved: a code sent there chooses the first password, before
-- the card and its printed secret arrive.
alter table person add column opens_by_code boolean not null default false;
