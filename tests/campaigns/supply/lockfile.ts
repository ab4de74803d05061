// The promise of package.json and its lock file: the same bytes for everyone, from the public registry.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { toOutcome, type Outcome, root } from "./step.ts";

export interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  inBundle?: boolean;
  dependencies?: Record<string, string>;
}

export interface Lockfile {
  lockfileVersion: number;
  packages: Record<string, Locked>;
}

/** The two packages: the portal, and the tools that are installed on demand. */
export const packageFolders = ["", "tools"] as const;

export async function readPackage(
  folder: string,
): Promise<{ manifest: Manifest; lockfile: Lockfile }> {
  const read = async (name: string) => JSON.parse(await readFile(join(root, folder, name), "utf8"));
  return { manifest: await read("package.json"), lockfile: await read("package-lock.json") };
}

/** The name of a package by its place in node_modules. */
export const nameOf = (place: string): string => place.replace(/^.*node_modules\//, "");

/** Direct dependencies whose version is not one version: a range, a tag, an address, a file. */
export function loosePins(manifest: Manifest): string[] {
  const groups = [
    manifest.dependencies,
    manifest.devDependencies,
    manifest.optionalDependencies,
  ].flatMap((group) => Object.entries(group ?? {}));
  return groups
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name} is not pinned: "${version}"`);
}

/** Whatever in a lock file could give one machine other bytes than another. */
export function looseLocks({ lockfileVersion, packages }: Lockfile): string[] {
  const wrong = lockfileVersion === 3 ? [] : [`lock file of version ${lockfileVersion}, not 3`];
  for (const [place, locked] of Object.entries(packages)) {
    if (place === "") continue;
    const name = nameOf(place);
    if (locked.link) wrong.push(`${name} is a link to a folder`);
    // Without addresses npm asks whichever registry the machine is set to; integrity does the rest.
    if (locked.resolved) wrong.push(`${name} names an address: ${locked.resolved}`);
    if (!locked.version) wrong.push(`${name} has no version`);
    if (!locked.inBundle && !locked.integrity?.startsWith("sha512-")) {
      wrong.push(`${name} has no sha512 integrity`);
    }
  }
  return wrong;
}

export async function auditPins(): Promise<Outcome> {
  const wrong = [];
  let count = 0;
  for (const folder of packageFolders) {
    const { manifest } = await readPackage(folder);
    wrong.push(...loosePins(manifest));
    count += [
      manifest.dependencies,
      manifest.devDependencies,
      manifest.optionalDependencies,
    ].reduce((sum, group) => sum + Object.keys(group ?? {}).length, 0);
  }
  return toOutcome(wrong, `${count} direct dependencies, each one version`);
}

export async function auditLockfiles(): Promise<Outcome> {
  const wrong = [];
  let count = 0;
  for (const folder of packageFolders) {
    const { lockfile } = await readPackage(folder);
    wrong.push(...looseLocks(lockfile));
    count += Object.keys(lockfile.packages).length - 1;
  }
  return toOutcome(wrong, `${count} packages with sha512, no address, no link`);
}
