// The audit of the supply chain finds what it is there to find.
import { expect, test } from "vitest";
import { mayBeUsed } from "#tests/campaigns/supply/licences.ts";
import {
  looseLocks,
  loosePins,
  packageFolders,
  readPackage,
} from "#tests/campaigns/supply/lockfile.ts";

const integrity = "sha512-AAAA";

test("a range, a tag, an address and a file are no pins", () => {
  const loose = loosePins({
    dependencies: { exact: "1.2.3", before: "1.2.3-beta.4", range: "^1.2.3", tag: "latest" },
    devDependencies: { address: "https://exemple.fr/a.tgz", folder: "file:../a" },
    optionalDependencies: { any: "*" },
  });
  expect(loose.map((line) => line.split(" ")[0])).toEqual([
    "range",
    "tag",
    "address",
    "folder",
    "any",
  ]);
});

// proves: locked-packages
test("an address, a link, a missing version or integrity in a lock file is told", () => {
  const lockfile = {
    lockfileVersion: 3,
    packages: {
      "": {},
      "node_modules/good": { version: "1.0.0", integrity },
      "node_modules/private": { version: "1.0.0", integrity, resolved: "http://10.0.0.8/a.tgz" },
      "node_modules/a/node_modules/weak": { version: "1.0.0", integrity: "sha1-AAAA" },
      "node_modules/bare": { integrity },
      "node_modules/linked": { version: "1.0.0", integrity, link: true },
    },
  };
  expect(looseLocks(lockfile)).toEqual([
    "private names an address: http://10.0.0.8/a.tgz",
    "weak has no sha512 integrity",
    "bare has no version",
    "linked is a link to a folder",
  ]);
  expect(looseLocks({ lockfileVersion: 2, packages: {} })).toHaveLength(1);
});

test.each([
  ["MIT", "anything", true],
  ["(MIT OR GPL-3.0)", "anything", true],
  ["MIT AND GPL-3.0", "anything", false],
  ["MIT AND OFL-1.1", "@expo-google-fonts/source-sans-3", true],
  ["OFL-1.1", "no-letters", false],
  ["MPL-2.0", "axe-core", true],
  ["MPL-2.0", "another", false],
  ["MIT AND (ISC OR GPL-3.0)", "read-by-a-person", false],
  ["GPL-3.0-or-later", "anything", false],
  ["AGPL-3.0", "anything", false],
  ["UNLICENSED", "anything", false],
  ["none said", "anything", false],
])("licence %s of %s: %s", (licence, name, may) => {
  expect(mayBeUsed(licence, name)).toBe(may);
});

// proves: locked-packages
test("both packages of the project are pinned and locked", async () => {
  for (const folder of packageFolders) {
    const { manifest, lockfile } = await readPackage(folder);
    expect(loosePins(manifest)).toEqual([]);
    expect(looseLocks(lockfile)).toEqual([]);
  }
});
