// The list of the portal's components (CycloneDX), written by npm itself.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Lockfile, nameOf, readPackage } from "./lockfile.ts";
import { complaint, npm, notDone, type Outcome, passed, root } from "./step.ts";

const file = join(".tmp", "sbom.cdx.json");

/**
 * A package that asks for "latest" of another is no valid tree to `npm sbom` once the registry has a
 * later one; what is locked is what is installed, so the copy that npm reads says just that.
 */
function withoutTags(lockfile: Lockfile): Lockfile {
  const packages = Object.entries(lockfile.packages).map(([place, locked]) => {
    const ranges = Object.entries(locked.dependencies ?? {});
    if (place === "" || !ranges.some(([, range]) => range === "latest")) return [place, locked];
    const exact = ranges.map(([name, range]) => [name, range === "latest" ? "*" : range]);
    return [place, { ...locked, dependencies: Object.fromEntries(exact) }];
  });
  return { ...lockfile, packages: Object.fromEntries(packages) };
}

export async function writeSbom(): Promise<Outcome> {
  await mkdir(join(root, ".tmp"), { recursive: true });
  const folder = await mkdtemp(join(root, ".tmp", "sbom-"));
  try {
    const { lockfile } = await readPackage("");
    await writeFile(join(folder, "package.json"), await readFile(join(root, "package.json")));
    await writeFile(join(folder, "package-lock.json"), JSON.stringify(withoutTags(lockfile)));
    const options = ["--sbom-format", "cyclonedx", "--package-lock-only"];
    const ran = await npm(["sbom", ...options], { folder });
    if (ran.code !== 0) return notDone(`npm sbom refused: ${complaint(ran)}`);
    const bom = JSON.parse(ran.out) as { specVersion: string; components: { name: string }[] };
    const listed = new Set(bom.components.map(({ name }) => name));
    const forgotten = Object.entries(lockfile.packages)
      .filter(([place, { dev }]) => place !== "" && !dev)
      .map(([place]) => nameOf(place))
      .filter((name) => !listed.has(name));
    if (forgotten.length > 0) {
      const says = `${forgotten.length} packages are not in it`;
      return { state: "failed", says, details: forgotten };
    }
    await writeFile(join(root, file), ran.out);
    const says = `CycloneDX ${bom.specVersion}, ${bom.components.length} components, in ${file}`;
    return passed(says);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
