// Archive of the embedded database's WAL, segment by segment, from the first backup on: with a copy of the
// files it restores any moment since. Until then nothing is kept.
import { readlink, rm, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Beside the cluster's folder: a link to the folder that keeps the segments. */
const linkName = "archive";

/** At most this much is lost with the disk: a segment is archived after so many seconds even if short. */
const longestSegmentSeconds = 300;

// PostgreSQL runs this in the cluster's folder for each segment, again until it succeeds. Without a link
// there is nothing to do; with a dangling link (a disk that is not mounted) it must fail, or segments would
// be lost. A segment archived before a crash must be the same; a partial one is never visible.
const keep = [
  "a=../archive",
  'if [ ! -e "$a" ] && [ ! -L "$a" ]; then exit 0; fi',
  'if [ -f "$a/%f.gz" ]; then gzip -dc "$a/%f.gz" | cmp -s - "%p"; exit $?; fi',
  'gzip -c "%p" > "$a/%f.part" && sync "$a/%f.part" && mv "$a/%f.part" "$a/%f.gz"',
].join("; ");

/** Settings of the embedded database that make backups possible; Windows has no shell for them. */
export function archiveSettings(): Record<string, string> {
  if (process.platform === "win32") return {};
  return {
    archive_mode: "on",
    archive_command: keep,
    archive_timeout: String(longestSegmentSeconds),
  };
}

/** Settings of a recovery from the segments in `folder` to `until`, or to the last segment kept. */
export function recoverySettings(folder: string, until: Date | null): Record<string, string> {
  // In PostgreSQL's own strings % is doubled; in the shell's a quote closes, stands alone, opens.
  const quoted = `'${folder.replaceAll("%", "%%").replaceAll("'", String.raw`'\''`)}'`;
  return {
    // A restored database archives nothing until a backup of its own is made.
    archive_mode: "off",
    // Otherwise it would report ready before it has reached the end.
    hot_standby: "off",
    restore_command: `test -f ${quoted}/%f.gz && gzip -dc ${quoted}/%f.gz > "%p"`,
    recovery_target_timeline: "latest",
    ...(until
      ? {
          recovery_target_time: until.toISOString().replace("T", " ").replace("Z", "+00"),
          recovery_target_action: "promote",
        }
      : {}),
  };
}

/** Makes the database of `dataDir` archive its segments in `folder` from now on. */
export async function keepIn(dataDir: string, folder: string): Promise<void> {
  const link = join(dataDir, linkName);
  const known = await readlink(link).catch(() => null);
  if (known !== null && resolve(dataDir, known) === folder) return;
  await rm(link, { force: true });
  await symlink(folder, link);
}
