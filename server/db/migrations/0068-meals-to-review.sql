-- Since when an ordered meal is to be looked at again: its menu holds what the person declared, and did not when it
-- was ordered, or the person has declared it since. Null once somebody keeps the meal all the same.
alter table meal_order add column warned_since timestamptz;
create index meal_order_warned on meal_order (person_id) where warned_since is not null;
