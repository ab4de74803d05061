-- The payment of an order is read from top_up, by the order and its revision: no room keeps a copy. A cart keeps
-- paying_since, which is looked at under its own lock.
alter table subscription drop column top_up_id, drop column payment_by, drop column payment_failed;
alter table pass_order drop column top_up_id;
alter table ticket_order drop column top_up_id;
alter table meal_request drop column top_up_id, drop column paying_since;
alter table card_order drop column top_up_id, drop column payment_failed;
alter table company_grant drop column top_up_id, drop column payment_failed;
