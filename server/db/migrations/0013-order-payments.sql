-- Orders paid at the provider: a top-up that names what it pays, and what became of that.

alter table top_up
  add column order_kind text
    constraint top_up_order_kind check (order_kind in ('subscription', 'pass', 'tickets')),
  add column order_id uuid,
  add column order_label text,
  -- Where the browser returns: a path of the portal.
  add column order_path text,
  -- Null until the money came: it paid the order, or it stays in the wallet.
  add column order_outcome text
    constraint top_up_order_outcome check (order_outcome in ('settled', 'kept')),
  add constraint top_up_order_whole check (
    num_nulls(order_kind, order_id, order_label, order_path) in (0, 4)
    and (order_outcome is null or order_id is not null));

-- One payment of an order waits at a time: a double click and a second tab meet here.
create unique index order_payment_pending on top_up (order_kind, order_id)
  where order_id is not null and state in ('initiated', 'authorized');
create index top_up_of_order on top_up (order_id) where order_id is not null;

alter table sandbox_charge add column label text;
