-- When the holder was told that points end soon: once for each lot.
alter table point_lot add column warned_at timestamptz;
create index point_lot_ending on point_lot (expires_on) where warned_at is null and expired_at is null;
