-- What was said of a pass that was controlled. It tells where somebody was: kept for two days.
create table pass_control (
  id uuid primary key,
  pass_id uuid not null references pass (id),
  company_id uuid not null references company (id),
  by_id bigint not null references person (id),
  at timestamptz not null,
  verdict text not null constraint pass_control_verdict check (
    verdict in ('valid', 'early', 'expired', 'suspended', 'replaced', 'code_old', 'card'))
);
create index pass_control_company on pass_control (company_id, at desc);
create index pass_control_pass on pass_control (pass_id, company_id, at desc);
create index pass_control_at on pass_control (at);
