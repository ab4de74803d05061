-- Charges without network of one holder beyond what they may add up to in a day.
alter table till_offline
  drop constraint till_offline_conflict,
  add constraint till_offline_conflict check (conflict in ('funds', 'card', 'limit', 'own', 'code',
    'code_used', 'cap_charge', 'cap_till', 'cap_holder', 'late', 'counter', 'unanswered', 'withdrawn'));
