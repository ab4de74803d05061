-- Meals as they are served: what the counter did, and what they brought to their provider.

-- What the counter did, one line for each scan, by the id that the device gave it: a scan that is sent
-- again is the same scan.
create table meal_scan (
  id uuid primary key,
  number bigint generated always as identity unique,
  canteen_id uuid not null references canteen (id),
  on_day date not null,
  -- Null for a code or a number that nobody has.
  person_id bigint references person (id),
  order_id uuid references meal_order (id),
  verdict text not null,
  -- How somebody without an order was served.
  walk_in text constraint meal_scan_walk_in check (walk_in in ('hold', 'cash')),
  scanned_by bigint not null references person (id),
  scanned_at timestamptz not null,
  received_at timestamptz not null,
  -- Served while offline, found otherwise by the server.
  conflict text,
  -- A conflict waits until somebody has dealt with it, on whatever device.
  settled_at timestamptz,
  settled_by bigint references person (id),
  undone_at timestamptz
);
create index meal_scan_of_day on meal_scan (canteen_id, on_day, number desc);
create index meal_scan_conflicts on meal_scan (canteen_id)
  where conflict is not null and settled_at is null;

-- What a meal brought to its provider is read from the journal by the order that each key names second.
create index transfer_of_meal on transfer (split_part(key, ':', 2)) where key like 'meal-%';
