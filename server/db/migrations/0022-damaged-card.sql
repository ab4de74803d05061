-- A damaged card pays for as long as it can, until its replacement is activated (spec.md, Cards).
alter table card alter column atf set expression as
  (case when state in ('active', 'damaged') then 1 else 0 end);
drop index card_in_use;
create unique index card_in_use on card (person_id) where state in ('active', 'suspended', 'damaged');
