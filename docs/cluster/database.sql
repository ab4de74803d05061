-- Once, on the leader, as postgres: the role that owns the database and the one that the server works as.
create role ma_carte_owner login password '${OWNER_PASSWORD}';
create role ma_carte_app login password '${APP_PASSWORD}';
create database macarte owner ma_carte_owner template template0 encoding 'UTF8';
