-- A registration for the next school year is asked for while the one of this year still counts: it counts from the
-- day after. Of those that count or wait, one person has one at a canteen for each end.
alter table canteen_registration add column from_on date;
drop index canteen_registered;
create unique index canteen_registered on canteen_registration (canteen_id, person_id, until_on)
  nulls not distinct where state in ('requested', 'accepted');
