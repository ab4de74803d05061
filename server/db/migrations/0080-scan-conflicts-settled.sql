-- A conflict of a counter waits until somebody has dealt with it, on whatever device. Older ones were read on the
-- device that they came back to.
alter table meal_scan
  add column settled_at timestamptz,
  add column settled_by bigint references person (id);
update meal_scan set settled_at = received_at where conflict is not null and received_at < now() - interval '2 days';
create index meal_scan_conflicts on meal_scan (canteen_id)
  where conflict is not null and settled_at is null;
