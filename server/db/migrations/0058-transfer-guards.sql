-- What guards the lines that a transfer writes, a statement at a time instead of a row at a time.

-- The limits of who sends from a wallet of their own. The rules of transfers refuse first, with the words of
-- each; this is the last guard, for what another transaction spent meanwhile. It looks after the lines are in,
-- under the lock of the limit, so that of two at once the second counts the first.
drop trigger wallet_transfer_within_limits on wallet_transfer;
drop function wallet_transfer_within_limits();
create function wallet_transfers_within_limits() returns trigger language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  sender record;
  refusal text;
begin
  for sender in
    select m.person_id, max(s.at) as at from sent s
    join member_limit m on m.person_id = s.person_id
    join wallet w on w.id = s.from_wallet and w.person_id = s.person_id
    group by m.person_id order by m.person_id
  loop
    -- Nothing more is wanted: what was sent stands among what was spent.
    refusal := member_refusal(sender.person_id, 0, null, sender.at);
    if refusal is not null then
      raise exception 'beyond the limits of the card' using errcode = '23514', constraint = refusal;
    end if;
  end loop;
  return null;
end $$;
create trigger wallet_transfers_within_limits after insert on wallet_transfer
  referencing new table as sent for each statement execute function wallet_transfers_within_limits();

-- A person and a wallet stay for ever, as an account does. What names them is written at every transfer and
-- needs no foreign key, which would look each of them up and lock it: `operator ledger verify` reads that
-- each line names people and wallets that there are.
create function named_for_ever() returns trigger language plpgsql as $$
begin
  raise exception 'history names it: % on % refused', tg_op, tg_table_name
    using errcode = 'restrict_violation';
end $$;
create trigger person_stays before delete or truncate on person
  for each statement execute function named_for_ever();
create trigger wallet_stays before delete or truncate on wallet
  for each statement execute function named_for_ever();
alter table wallet_transfer
  drop constraint wallet_transfer_person_id_fkey,
  drop constraint wallet_transfer_from_wallet_fkey,
  drop constraint wallet_transfer_to_wallet_fkey;
alter table audit drop constraint audit_person_id_fkey;
alter table notification drop constraint notification_person_id_fkey;
