-- Words that only their author used give way to standard terms: columns, constraints, indexes, states, and what
-- functions call their parameters and variables. Nothing else changes.

alter table canteen rename column most_a_week to max_per_week;
alter table canteen rename constraint canteen_most_a_week to canteen_max_per_week;

alter table closure rename column asked_by to requested_by;
alter table closure rename column asked_at to requested_at;
alter table closure rename constraint closure_asked_by_fkey to closure_requested_by_fkey;
drop index closure_asked;
drop index closure_due;
alter table closure drop constraint closure_state;
update closure set state = 'requested' where state = 'asked';
alter table closure alter column state set default 'requested';
alter table closure add constraint closure_state check (state in ('requested', 'cancelled', 'closed'));
create unique index closure_requested on closure (person_id) where state = 'requested';
create index closure_due on closure (closes_on) where state = 'requested';

alter table company_bank_account rename column asked_by to requested_by;
alter table company_bank_account rename column asked_at to requested_at;
alter table company_bank_account
  rename constraint company_bank_account_asked_by_fkey to company_bank_account_requested_by_fkey;

alter table company_grant rename column transfer_asked_at to transfer_requested_at;

alter table data_export rename column asked_by to requested_by;
alter table data_export rename column asked_at to requested_at;
alter table data_export rename constraint data_export_asked_by_fkey to data_export_requested_by_fkey;
alter index data_export_asked rename to data_export_requested;

alter table family_tie rename column birthday_told_at to birthday_notified_at;

alter table fare_product rename column most_suspended_days to max_suspended_days;

alter table first_card_request rename column asked_at to requested_at;
alter index first_card_asked rename to first_card_requested;

alter table gift_link rename column shown_name to display_name;

alter table invoice_draft rename column asked to content;

alter table meal_notice rename column told_at to notified_at;

alter table meal_wait rename column asked_by to requested_by;
alter table meal_wait rename column asked_at to requested_at;
alter table meal_wait rename constraint meal_wait_asked_by_fkey to meal_wait_requested_by_fkey;

alter table membership rename column asked to requested_parts;

alter table notification_choice rename column wanted to enabled;

alter table operator_request rename column asked_account to requester_account;
alter table operator_request rename column asked_at to requested_at;
drop index operator_request_waiting;
alter table operator_request drop constraint operator_request_answered;
alter table operator_request drop constraint operator_request_state;
update operator_request set state = 'requested' where state = 'asked';
alter table operator_request alter column state set default 'requested';
alter table operator_request
  add constraint operator_request_answered check ((answered_at is null) = (state = 'requested')),
  add constraint operator_request_state check (state in ('requested', 'confirmed', 'withdrawn', 'expired'));
create unique index operator_request_waiting on operator_request (command, arguments) where state = 'requested';

alter table outbox rename column given_up_at to abandoned_at;

alter table partner_identity_request rename column asked_by to requested_by;
alter table partner_identity_request rename column asked_at to requested_at;
alter table partner_identity_request
  rename constraint partner_identity_request_asked_by_fkey to partner_identity_request_requested_by_fkey;

alter table pass rename column asked_key to idempotency_key;

alter table pass_order rename column exemption_asked_at to exemption_requested_at;
drop index pass_order_exemptions;
alter table pass_order drop constraint pass_order_exemption;
update pass_order set exemption = 'requested' where exemption = 'asked';
alter table pass_order
  add constraint pass_order_exemption check (exemption in ('none', 'requested', 'accepted', 'refused'));
create index pass_order_exemptions on pass_order (number) where exemption = 'requested';

alter table payment_method rename column kept_at to saved_at;

alter table proof rename column renewal_asked_at to renewal_requested_at;

alter table purchase rename column set_aside to held;

alter table reversal rename column asked_by to requested_by;
alter table reversal rename column asked_account to requester_account;
alter table reversal rename column asked_at to requested_at;
drop index reversal_waiting;
alter table reversal drop constraint reversal_answered;
alter table reversal drop constraint reversal_state;
update reversal set state = 'requested' where state = 'asked';
alter table reversal alter column state set default 'requested';
alter table reversal
  add constraint reversal_answered check ((answered_at is null) = (state = 'requested')),
  add constraint reversal_state check (state in ('requested', 'confirmed', 'refused', 'expired'));
create unique index reversal_waiting on reversal (transfer_id) where state = 'requested';

alter table sandbox_charge drop constraint sandbox_charge_keep;
update sandbox_charge set keep = case keep when 'asked' then 'requested' else 'accepted' end where keep is not null;
alter table sandbox_charge add constraint sandbox_charge_keep check (keep in ('requested', 'accepted'));

alter table subscription_proof rename column given_at to sent_at;

alter table ticket_event rename constraint ticket_event_most to ticket_event_max_per_person;

alter table ticket_transfer rename column asked_at to requested_at;

alter table ticket_wait rename column asked_at to requested_at;

alter table till_sale rename column asked_at to requested_at;
drop index till_sale_asked;
drop index till_waiting;
alter table till_sale drop constraint till_sale_state;
update till_sale set state = 'requested' where state = 'asked';
alter table till_sale add constraint till_sale_state
  check (state in ('requested', 'paid', 'cancelled', 'refunded', 'declined', 'withdrawn', 'expired'));
create index till_sale_requested on till_sale (holder_id) where state = 'requested';
create unique index till_waiting on till_sale (partner_id, holder_id) where state = 'requested';

alter table top_up rename column asked_at to checked_at;
alter table top_up drop constraint top_up_order_outcome;
update top_up set order_outcome = 'unapplied' where order_outcome = 'kept';
alter table top_up add constraint top_up_order_outcome check (order_outcome in ('settled', 'unapplied'));

update payment_event set payload = payload - 'told' || jsonb_build_object('eventName', payload -> 'told')
  where payload ? 'told';

alter index transfer_given_back rename to transfer_returned;

drop function member_refusal(bigint, bigint, integer, timestamptz);
create function member_refusal(person bigint, amount bigint, place integer, moment timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  own_limit member_limit;
  spent record;
begin
  select * into own_limit from member_limit where person_id = person for no key update;
  if not found or not limit_counts(person) then return null; end if;
  if own_limit.groups is not null and (place is null or not place = any (own_limit.groups)) then
    return 'limit_place';
  end if;
  select * into spent from member_spent(person, moment);
  if spent.day_cents + amount > own_limit.day_cents then return 'limit_day'; end if;
  if spent.week_cents + amount > own_limit.week_cents then return 'limit_week'; end if;
  return null;
end $function$;

create or replace function ticket_take(sessions uuid[], categories uuid[], counts integer[])
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  one record;
  ids bigint[] := '{}';
  adds integer[] := '{}';
begin
  for one in
    select q.id, q.seats - q.taken as spare, w.n from ticket_quota q
    join (select q2.id, sum(requested.n)::integer as n
          from ticket_quota q2
          join unnest(sessions, categories, counts) requested (session, category, n)
            on q2.session_id = requested.session
            and (q2.category_id is null or q2.category_id = requested.category)
          group by q2.id) w on w.id = q.id
    order by q.id for update of q
  loop
    if one.n > one.spare then
      return greatest(one.spare, 0);
    end if;
    ids := ids || one.id;
    adds := adds || one.n;
  end loop;
  update ticket_quota q set taken = q.taken + a.n
    from unnest(ids, adds) a (id, n) where q.id = a.id;
  return -1;
end $function$;

drop function transit_stops_like(text[], integer);
create function transit_stops_like(words text[], max_count integer)
 RETURNS TABLE(id integer, score real)
 LANGUAGE sql
 STABLE
 SET "pg_trgm.word_similarity_threshold" TO '0.4'
AS $function$
  select s.id, near.score::real
    from transit_stop s, lateral (
      select avg(alike) as score, min(alike) as least from (
        select case when position(' ' || w in ' ' || s.letters) > 0 then 1
          else word_similarity(w, s.letters) * 0.9 end as alike
        from unnest(words) w) each_word) near
    where s.feed_id is not null and s.parent_id is null
      and words[1] <% s.letters and near.least >= 0.36
    order by near.score desc, length(s.letters), s.name, s.id limit max_count
$function$;
