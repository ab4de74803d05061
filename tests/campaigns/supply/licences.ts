// Which licences may be here. Each package says its own in its package.json; one that is not installed
// on this machine (another platform's) is judged by what the lock file says of it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Locked, nameOf, packageFolders, readPackage } from "./lockfile.ts";
import { toOutcome, type Outcome, root } from "./step.ts";

const allowed = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  // Permissive like MIT, in plain words; npm's own authors use it (glob, minimatch, lru-cache).
  "BlueOak-1.0.0",
]);

/** Licences for one kind of package only, and why that is enough. */
const exceptions: Readonly<Record<string, { names: RegExp; why: string }>> = {
  "OFL-1.1": { names: /font/, why: "fonts" },
  "MPL-2.0": {
    names: /^(axe-core|lightningcss(-.*)?)$/,
    why: "run in tests and build, not shipped",
  },
  "Python-2.0": { names: /^argparse$/, why: "permissive; a port of Python's argparse" },
  "CC-BY-4.0": { names: /^caniuse-lite$/, why: "a table of browsers read by the build" },
  "CC0-1.0": { names: /^spdx-license-ids$/, why: "public domain; a list, in tools/ only" },
  "CC-BY-3.0": { names: /^spdx-exceptions$/, why: "a list, in tools/ only" },
  "Artistic-2.0": {
    names: /^(binaryextensions|editions|istextorbinary|textextensions|version-range)$/,
    why: "below secretlint, in tools/ only, not shipped",
  },
  WTFPL: { names: /^@azu\/style-format$/, why: "below secretlint, in tools/ only, not shipped" },
  Zlib: { names: /^pako$/, why: "permissive; with MIT, a port of zlib" },
};

/** Packages that forgot the field; what their LICENSE file says was read. */
const unsaid: Readonly<Record<string, string>> = { "png-js@2.0.0": "MIT" };

const mayUse = (licence: string, name: string): boolean =>
  allowed.has(licence) || (exceptions[licence]?.names.test(name) ?? false);

/** Whether a package may be used under an SPDX expression: all parts of AND, one part of OR. */
export function mayBeUsed(expression: string, name: string): boolean {
  const plain = expression.replaceAll(/[()]/g, "");
  // Mixed expressions are rare enough to be read by a person.
  if (plain.includes(" AND ") && plain.includes(" OR ")) return false;
  if (plain.includes(" OR ")) return plain.split(" OR ").some((one) => mayUse(one, name));
  return plain.split(" AND ").every((one) => mayUse(one, name));
}

interface Said {
  licence: string;
  installed: boolean;
}

async function licenceOf(folder: string, place: string, locked: Locked): Promise<Said> {
  const text = await readFile(join(root, folder, place, "package.json"), "utf8").catch(() => null);
  const own: unknown = text === null ? undefined : JSON.parse(text).license;
  const said = typeof own === "string" ? own : locked.license;
  const name = `${nameOf(place)}@${locked.version}`;
  return { licence: said ?? unsaid[name] ?? "none said", installed: text !== null };
}

export async function auditLicences(): Promise<Outcome> {
  const wrong = [];
  const counts = new Map<string, number>();
  let absent = 0;
  for (const folder of packageFolders) {
    const { lockfile } = await readPackage(folder);
    for (const [place, locked] of Object.entries(lockfile.packages)) {
      if (place === "") continue;
      const { licence, installed } = await licenceOf(folder, place, locked);
      counts.set(licence, (counts.get(licence) ?? 0) + 1);
      if (!installed) absent++;
      const name = nameOf(place);
      if (!mayBeUsed(licence, name)) wrong.push(`${name}@${locked.version}: ${licence}`);
    }
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`);
  const rest = absent > 0 ? `; ${absent} not installed here, judged by the lock file` : "";
  return toOutcome(wrong, `${sorted.slice(0, 6).join(", ")}, ${sorted.length - 6} rarer${rest}`);
}
