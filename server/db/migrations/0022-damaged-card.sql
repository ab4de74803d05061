-- A damaged card pays for as long as it can, until its replacement is activated (spec.md, Cards).
drop index card_in_use;
create unique index card_in_use on card (person_id) where state in ('active', 'suspended', 'damaged');
