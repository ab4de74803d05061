// The writes of each call, recorded by triggers and undone: the next call finds the database as it was.
import { isDeepStrictEqual } from "node:util";
import type { Pool } from "pg";

/** One recorded write of a row. */
export interface RecordedWrite {
  /** The table, with its schema where that is not the portal's. */
  at: string;
  op: "INSERT" | "UPDATE" | "DELETE";
  was: Record<string, unknown> | null;
  becomes: Record<string, unknown> | null;
}

/** Tables that a refused call may write, each with its reason. */
const bookkeeping: Readonly<Record<string, (write: RecordedWrite) => boolean>> = {
  // It counts refused calls above all.
  limiter: () => true,
  // A secret of the server's own, made the first time that it is needed.
  secret: ({ op }) => op === "INSERT",
  // When it was last used.
  session: ({ op, was, becomes }) =>
    op === "UPDATE" && isDeepStrictEqual({ ...was, seen_at: "" }, { ...becomes, seen_at: "" }),
};
/** Whether any call may write this, even a refused one. */
export const isBookkeeping = (write: RecordedWrite): boolean =>
  bookkeeping[write.at]?.(write) ?? false;

const recording = `
  -- By its key, what was taken back costs the next read nothing.
  create table recorded_write (n bigint generated always as identity primary key, at text, op text, was jsonb,
    becomes jsonb);
  create function note_write() returns trigger language plpgsql security definer
    set search_path = public as $$
  begin
    if tg_op = 'UPDATE' and to_jsonb(old) = to_jsonb(new) then return null; end if;
    insert into recorded_write (at, op, was, becomes) values (tg_relid::regclass::text, tg_op,
      case when tg_op <> 'INSERT' then to_jsonb(old) end,
      case when tg_op <> 'DELETE' then to_jsonb(new) end);
    return null;
  end $$;
  create function undo_writes(after bigint) returns void language plpgsql as $$
  declare one recorded_write; names text; same text;
  begin
    for one in select * from recorded_write where n > after order by n desc loop
      select string_agg(format('%I', attname), ', ') filter (where attgenerated = ''),
          -- By the key where there is one: « is not distinct from » would read the whole table.
          string_agg(format(case when i.indkey is null then '(t.%1$I is not distinct from w.%1$I)'
              else 't.%1$I = w.%1$I' end, attname), ' and ')
            filter (where attnum = any (i.indkey) or i.indkey is null)
        into names, same
        from pg_attribute a left join pg_index i on i.indrelid = attrelid and i.indisprimary
        where attrelid = one.at::regclass and attnum > 0 and not attisdropped;
      if one.becomes is not null then
        execute format('delete from %1$s t using jsonb_populate_record(null::%1$s, $1) w where %2$s',
          one.at, same) using one.becomes;
      end if;
      if one.was is not null then
        execute format('insert into %1$s (%2$s) overriding system value
          select %2$s from jsonb_populate_record(null::%1$s, $1)', one.at, names) using one.was;
      end if;
    end loop;
    delete from recorded_write where n > after;
  end $$;
  do $$ declare one regclass; begin
    for one in select c.oid from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind in ('r', 'p') and not relispartition
        and nspname in ('public', 'graphile_worker') and relname <> 'recorded_write'
    loop
      execute format('create trigger note_write after insert or update or delete on %s
        for each row execute function note_write()', one);
    end loop;
  end $$`;

/** Has every table record its changed rows, in the transaction that changes them. `pool` is the owner's. */
export async function recordWrites(pool: Pool): Promise<void> {
  await pool.query(recording);
}

/** The last recorded write: where `undoWrites` may stop. */
export async function lastWrite(pool: Pool): Promise<number> {
  const { rows } = await pool.query("select coalesce(max(n), 0) as n from recorded_write");
  return rows[0].n;
}

/** Undoes what was written after a recorded write, but for `exceptTables`; returns those writes. */
export async function undoWrites(
  pool: Pool,
  after: number,
  exceptTables: readonly string[],
): Promise<RecordedWrite[]> {
  const { rows } = await pool.query<RecordedWrite>(
    "select at, op, was, becomes from recorded_write where n > $1 order by n",
    [after],
  );
  if (rows.length === 0) return rows;
  // As a replica it fires no trigger: neither the recording ones nor those that keep tables append-only.
  await pool.query(`begin; set local session_replication_role = replica;
    delete from recorded_write where at = any ('{${exceptTables.join(",")}}');
    select undo_writes(${after}); commit`);
  return rows;
}
