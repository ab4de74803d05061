// server/db/migrations.sha256 holds the hash of every migration that has landed, as `sha256sum` writes it. A file
// that a database may have applied never changes afterwards: the next change is a new file.
import type { Migration } from "#server/db/migrate.ts";

/** The list of these migrations. */
export const listOf = (files: readonly Migration[]): string =>
  files.map(({ name, sha256 }) => `${sha256}  migrations/${name}\n`).join("");

/** One sentence for each line of the list whose migration is no longer what it was, or that cannot be read. */
export function changedMigrations(list: string, files: readonly Migration[]): string[] {
  const present = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  return list.split("\n").flatMap((line) => {
    if (line === "") return [];
    const [, sha256, name] = /^([0-9a-f]{64}) {2}migrations\/(\S+)$/.exec(line) ?? [];
    if (!name) return [`server/db/migrations.sha256 has a line that cannot be read: ${line}`];
    if (present.get(name) === sha256) return [];
    return [
      `server/db/migrations/${name} was ${present.has(name) ? "changed" : "removed"} after it had ` +
        "landed: databases have applied it as it was. Restore it, and write the change as a new file. " +
        "(Only while it has landed nowhere: take its line out of server/db/migrations.sha256.)",
    ];
  });
}
