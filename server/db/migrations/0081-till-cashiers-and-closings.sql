-- The sales of a counter by who charged: filtered by one of them, and the list of them.
create index till_sale_cashier on till_sale (partner_id, cashier_id, asked_at desc, id);

-- What a closing keeps beside its totals by cashier: those by wallet, and who the shop was. Null for what was
-- closed before.
alter table till_closing add column means jsonb, add column shop jsonb;
