// The database role of the running server: it reads and writes rows and owns nothing, so that an attacker on
// its connection can neither change the schema, nor switch off a trigger, nor rewrite the journal.
// Migrations, backups and the operator's commands use the role that owns the database.
import { createHash } from "node:crypto";
import { type Client, escapeIdentifier, escapeLiteral } from "pg";

/** Its name in the embedded database; a database of one's own names it in DATABASE_URL. */
export const embeddedRole = "ma_carte_app";

/** Our tables and those of the queue. */
export const schemas = ["public", "graphile_worker"];
/** Never updated: corrections are new rows (triggers enforce the same for the owner). */
const appendOnly = ["transfer", "audit", "seal", "invoice", "invoice_payment", "invoice_event"];
/** Never deleted: history refers to them. */
const lasting = ["ledger_account", "hold", "invoice_counter", "invoice_balance"];

/** The role's password in the embedded database, derived from that of its owner. */
export const embeddedPassword = (ownerPassword: string): string =>
  createHash("sha256").update(`${embeddedRole}:${ownerPassword}`).digest("base64url");

/** The statement that makes the role of the embedded database. */
export const createEmbeddedRole = (ownerPassword: string): string =>
  `create role ${embeddedRole} login password ${escapeLiteral(embeddedPassword(ownerPassword))}`;

/** The server's version, 18 for 18.4. */
export async function majorVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ major: number }>(
    "select current_setting('server_version_num')::int / 10000 as major",
  );
  return rows[0]?.major ?? 0;
}

/** Whether the role `$2` lacks a right on a table of the schemas `$1`. */
export const rightsLacking = `exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1) and c.relkind in ('r', 'p')
    and not has_table_privilege($2::text, c.oid, 'insert'))`;

/**
 * Whether `role` still lacks rights on something that a migration has added. The owner and a superuser lack
 * nothing.
 */
export async function lacksRights(client: Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ lacks: boolean }>(`select ${rightsLacking} as lacks`, [
    schemas,
    role,
  ]);
  return rows[0]?.lacks === true;
}

/**
 * Grants `role` reading and writing of rows in every table, on the owner's connection, in its transaction.
 */
export async function grantRights(client: Client, role: string): Promise<void> {
  const name = escapeIdentifier(role);
  // Older versions have no such right: autovacuum then updates the statistics a minute after an import.
  const maintain = (await majorVersion(client)) >= 17 ? ", maintain" : "";
  for (const schema of schemas) {
    await client.query(`grant usage on schema ${schema} to ${name};
      grant select, insert, update, delete${maintain} on all tables in schema ${schema} to ${name};
      grant usage, select, update on all sequences in schema ${schema} to ${name}`);
  }
  await client.query(`revoke update, delete on ${appendOnly.join(", ")} from ${name};
    revoke delete on ${lasting.join(", ")} from ${name}`);
  // Row security hides the queue's tables from everybody but their owner unless a policy allows it.
  const { rows } = await client.query<{ id: string }>(
    `select c.oid::regclass::text as id from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'graphile_worker' and c.relrowsecurity
        and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = $1)`,
    [`runs_${role}`],
  );
  for (const { id } of rows) {
    const policy = escapeIdentifier(`runs_${role}`);
    await client.query(
      `create policy ${policy} on ${id} to ${name} using (true) with check (true)`,
    );
  }
}
