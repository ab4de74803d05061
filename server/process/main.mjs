// Entry point: `node server/process/main.mjs`. Separate from run.ts so that the compile cache is enabled
// before any large module is loaded, and in JavaScript so that Node does not load its type stripper, which
// takes 50 ms and 17 MB. `--sources` ignores the bundle.
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { freshBundle } from "./bundle.mjs";

const root = join(import.meta.dirname, "..", "..");
enableCompileCache(join(root, "node_modules", ".cache", "ma-carte"));
const bundle = process.argv.includes("--sources") ? undefined : freshBundle(root);
const { run } = await import(bundle ? pathToFileURL(bundle).href : "./run.ts");
await run(process.env);
// Written now: a server that is killed writes nothing when it ends.
flushCompileCache();
