// The route table as a command reads it: Node strips types, and the table is a .tsx of the browser's.
import { join } from "node:path";
import { runnerImport } from "vite";
import type { Entry } from "#web/app/route-entry.ts";

const root = join(import.meta.dirname, "..", "..");

/** The one route table, `web/routes.tsx`. */
export async function routeTable(): Promise<readonly Entry[]> {
  const { module } = await runnerImport<{ table: readonly Entry[] }>(
    join(root, "web", "routes.tsx"),
    { root, configFile: false, logLevel: "error" },
  );
  return module.table;
}
