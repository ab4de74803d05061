// The programs of others that the drill on three machines' parts runs, as Debian packs them. Nothing is
// installed here: what is missing is named.
import { accessSync, constants } from "node:fs";
import { join } from "node:path";

const packageOf = {
  patroni: "patroni python3-etcd",
  etcd: "etcd-server",
  haproxy: "haproxy",
  pgbouncer: "pgbouncer",
  postgres: "postgresql-15",
} as const;

export type ProgramName = keyof typeof packageOf;
export type Programs = Readonly<Record<ProgramName, string>>;

/** Where Debian puts them, then PATH: an administrator's has no /usr/sbin, and may have another PostgreSQL. */
export const usualFolders = (path: string): string[] => [
  "/usr/lib/postgresql/15/bin",
  "/usr/bin",
  "/usr/sbin",
  ...path.split(":").filter(Boolean),
];

/** Finds each in `folders`; else the sentence that says what is missing and how to install it. */
export function findPrograms(folders: readonly string[]): Programs | string {
  const names = Object.keys(packageOf) as ProgramName[];
  const found = names.map((name) => [name, folders.map((one) => join(one, name)).find(runs)]);
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => name);
  if (missing.length === 0) return Object.fromEntries(found) as Programs;
  const packages = missing.map((name) => packageOf[name as ProgramName]).join(" ");
  return (
    `The drill on three machines' parts needs ${missing.join(", ")}, not found on this machine. ` +
    `On Debian 12: apt install ${packages} (--programs <folder>:<folder> says where else to look). ` +
    "Nothing was started."
  );
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
