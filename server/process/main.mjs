// Entry point: `node server/process/main.mjs`. Apart from run.ts so that the compile cache is there before
// any large module is read, and in JavaScript so that nothing loads Node's own reader of types, which
// takes 50 ms and 17 MB. `--sources` leaves the bundle aside.
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { freshBundle } from "./bundle.mjs";

const root = join(import.meta.dirname, "..", "..");
enableCompileCache(join(root, "node_modules", ".cache", "ma-carte"));
const bundle = process.argv.includes("--sources") ? undefined : freshBundle(root);
const { run } = await import(bundle ? pathToFileURL(bundle).href : "./run.ts");
await run(process.env);
// Kept now: a server that is killed writes nothing when it ends.
flushCompileCache();
