-- A charge that its cashier took off the device before it was sent: kept with the reason, never debited.
alter table till_offline drop constraint till_offline_conflict;
alter table till_offline
  add column withdrawn_why text,
  add constraint till_offline_conflict check (
    conflict in ('funds', 'card', 'limit', 'own', 'code', 'code_used', 'cap_charge', 'cap_till', 'late',
      'counter', 'unanswered', 'withdrawn')),
  add constraint till_offline_withdrawn check (
    (conflict is not distinct from 'withdrawn') = (withdrawn_why is not null));
