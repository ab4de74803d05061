-- A notice of the bell may be about an alert on a login, answered there: « C'était moi », « Pas moi ».

-- The alert's id; no foreign key, alerts go before the notices that name them.
alter table notification add column alert_id uuid;
-- « C'était moi »: the question is asked no more, while the link of the message serves on.
alter table login_alert add column confirmed_at timestamptz;
