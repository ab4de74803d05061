-- The sales of a counter by who charged: filtered by one of them, and the list of them.
create index till_sale_cashier on till_sale (partner_id, cashier_id, asked_at desc, id);
