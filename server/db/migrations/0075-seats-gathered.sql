-- Seats that became free are kept for the first of a waiting list until they are as many as were asked for.
alter table ticket_wait add column held integer not null default 0;
update ticket_wait set held = quantity where state = 'offered';
alter table ticket_wait add constraint ticket_wait_held check (
  held between 0 and quantity
  and (state in ('waiting', 'offered') or held = 0) and (state <> 'offered' or held > 0));

-- An entry that goes with its person's account gives back what was kept for it.
create function ticket_wait_gone() returns trigger language plpgsql as $$
begin
  update ticket_quota set taken = taken - old.held where session_id = old.session_id
    and (category_id is null or category_id = old.category_id);
  return null;
end $$;
create trigger ticket_wait_gone after delete on ticket_wait
  for each row when (old.held > 0) execute function ticket_wait_gone();
