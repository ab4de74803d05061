-- What a meal brought to its provider is read from the journal by the order that each key names second
-- (server/canteen/lifecycle.ts).
create index transfer_of_meal on transfer (split_part(key, ':', 2)) where key like 'meal-%';
