// Has Node load the server's modules with their access checks behind switches.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { instrument, type Site } from "./instrument.ts";

/**
 * Files that no call of a row reaches: commands of the operator, the demo's content, and how tables are made.
 */
const leftOut = /(?:^server\/(?:operator|demo|db)\/|(?:^|\/)(?:operator[^/]*|[^/]*\.test)\.ts$)/;

/** Installs the hook; the sites grow as modules are loaded, the number of each its place. */
export function instrumentServer(root: string): readonly Site[] {
  const sites: Site[] = [];
  const server = pathToFileURL(join(root, "server")).href;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.startsWith(`${server}/`) || !url.endsWith(".ts")) return loaded;
      const path = fileURLToPath(url);
      const file = relative(root, path);
      if (leftOut.test(file)) return loaded;
      const made = instrument(file, readFileSync(path, "utf8"), sites.length);
      sites.push(...made.sites);
      return { ...loaded, source: made.code };
    },
  });
  return sites;
}
