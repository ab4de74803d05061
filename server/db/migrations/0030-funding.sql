-- Alerts on a low balance, automatic top-ups from a kept payment method, links by which relatives
-- top a wallet up without an account.

create table wallet_alert (
  wallet_id bigint not null references wallet (id),
  person_id bigint not null references person (id),
  threshold_cents bigint not null
    constraint wallet_alert_threshold check (threshold_cents > 0),
  by_email boolean not null,
  by_sms boolean not null,
  -- Which side of the threshold was last seen: telling is going from false to true.
  below boolean not null,
  primary key (wallet_id, person_id)
);
create index wallet_alert_of_person on wallet_alert (person_id);

create table top_up_rule (
  id uuid primary key default gen_random_uuid(),
  wallet_id bigint not null references wallet (id),
  -- Who pays.
  person_id bigint not null references person (id),
  trigger text not null constraint top_up_rule_trigger check (trigger in ('threshold', 'day')),
  threshold_cents bigint,
  day_of_month smallint constraint top_up_rule_day check (day_of_month between 1 and 28),
  mode text not null constraint top_up_rule_mode check (mode in ('amount', 'target')),
  amount_cents bigint not null constraint top_up_rule_amount check (amount_cents > 0),
  monthly_cents bigint not null constraint top_up_rule_monthly check (monthly_cents > 0),
  payment_method_id uuid references payment_method (id),
  state text not null
    constraint top_up_rule_state check (state in ('waiting', 'active', 'paused', 'deleted')),
  paused_why text
    constraint top_up_rule_paused_why check (paused_why in ('person', 'refused', 'payment_method', 'wallet')),
  -- Whether the next look below the threshold charges: once for a crossing.
  armed boolean not null default true,
  tries smallint not null default 0,
  -- Not before: after a refusal.
  next_at timestamptz,
  -- Not before this day: the date of a monthly rule, the next month once the ceiling is reached.
  next_on date,
  -- The top-up under way.
  charging uuid references top_up (id),
  consent_at timestamptz not null,
  created_at timestamptz not null,
  constraint top_up_rule_whole check (
    (trigger = 'threshold') = (threshold_cents is not null)
    and (trigger = 'day') = (day_of_month is not null)
    and (state = 'paused') = (paused_why is not null)
    and (state <> 'active' or payment_method_id is not null))
);
create unique index rule_exists on top_up_rule (wallet_id, trigger) where state <> 'deleted';
create index top_up_rule_of_means on top_up_rule (payment_method_id) where state <> 'deleted';

create table gift_link (
  id uuid primary key default gen_random_uuid(),
  wallet_id bigint not null references wallet (id),
  -- Who made it.
  person_id bigint not null references person (id),
  secret_hash bytea not null unique,
  -- All that the page shows of the holder.
  display_name text not null,
  max_each_cents bigint not null constraint gift_link_each check (max_each_cents > 0),
  max_total_cents bigint not null
    constraint gift_link_total check (max_total_cents >= max_each_cents),
  max_count smallint not null constraint gift_link_count check (max_count > 0),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null
);
create index gift_link_of_wallet on gift_link (wallet_id, created_at);

create table gift_payment (
  top_up_id uuid primary key references top_up (id),
  link_id uuid not null references gift_link (id),
  payer_name text not null,
  payer_email text
);
