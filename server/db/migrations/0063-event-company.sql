-- Events belong to the company, not to the person whose card their file named.
alter table ticket_event add column company_id uuid references company (id);
-- Whoever has lost their role since still carries the company's card.
update ticket_event e set company_id = coalesce(
  (select company_id from company_member where person_id = e.partner_id),
  (select company_id from pro_card where person_id = e.partner_id));
create index ticket_event_of_company on ticket_event (company_id);

-- The version before this one writes the person alone.
create function ticket_event_takes_company() returns trigger
  language plpgsql
  as $$ begin
    new.company_id := coalesce(new.company_id,
      (select company_id from company_member where person_id = new.partner_id));
    return new;
  end $$;
create trigger ticket_event_company before insert on ticket_event
  for each row execute function ticket_event_takes_company();

-- Whether a company sells nothing for now: a sheet of it is frozen. Replaces partner_frozen(person), which
-- the version before this one still calls.
create function company_frozen(company uuid) returns boolean
  language sql stable parallel safe
  as $$ select exists (
    select from partner p where p.company_id = company and p.frozen_at is not null) $$;
