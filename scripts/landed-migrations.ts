// server/db/migrations.sha256 holds the hash of every migration that has landed, as `sha256sum` writes it. A file
// that a database may have applied never changes afterwards: the next change is a new file.
import type { Migration } from "#server/db/migrate.ts";

interface Landed {
  /** The list with the new migrations, in the order of their numbers. */
  list: string;
  /** One sentence for each migration of the list that is no longer what it was. */
  faults: string[];
}

/** Compares the list with the files that there are. */
export function landedMigrations(list: string, files: readonly Migration[]): Landed {
  const listed = new Map(
    [...list.matchAll(/^([0-9a-f]{64}) {2}migrations\/(\S+)$/gm)].map(
      ([, sha256 = "", name = ""]) => [name, sha256],
    ),
  );
  const present = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  const faults = [...listed]
    .filter(([name, sha256]) => present.get(name) !== sha256)
    .map(
      ([name]) =>
        `server/db/migrations/${name} was ${present.has(name) ? "changed" : "removed"} after it had ` +
        "landed: databases have applied it as it was. Restore it, and write the change as a new file. " +
        "(Only while it has landed nowhere: take its line out of server/db/migrations.sha256.)",
    );
  const lines = [...new Map([...present, ...listed])]
    .map(([name, sha256]) => ({ name, line: `${sha256}  migrations/${name}\n` }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ line }) => line);
  return { list: lines.join(""), faults };
}
