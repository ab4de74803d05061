// The demo's directory in a test's database: its partners, and the cagnottes that they accept.
import { sql } from "kysely";
import { inTx } from "#server/db/db.ts";
import { openDirectory } from "#server/demo/partners.ts";
import type { Deps } from "#server/process/deps.ts";

/** Writes it; gives the ids of a partner and of a transport service for professionals. */
export async function furnishDirectory({
  db,
  now,
}: Pick<Deps, "db" | "now">): Promise<{ partner: string; transport: string }> {
  return await inTx(db, async (tx) => {
    await sql`insert into acceptance_group (name, slug, rule) values
      ('Cagnotte restauration', 'restauration', 'Acceptée dans les restaurants du réseau.'),
      ('Cagnotte culture', 'culture', 'Acceptée au cinéma, au musée, à la piscine.')
      on conflict (slug) do nothing`.execute(tx);
    await openDirectory(tx, now());
    const { rows } = await sql<{ partner: string; transport: string }>`select
      (select id from partner where reference = 'librairie-des-embruns') as partner,
      (select id from transport_service where reference = 'mobilite-salaries') as transport`.execute(
      tx,
    );
    return rows[0] as (typeof rows)[number];
  });
}
