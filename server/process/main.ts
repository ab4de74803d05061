// Entry point: `node server/process/main.ts`. Apart from run.ts so that the compile cache is enabled
// before any large module is loaded; it takes a third off each start.
import { enableCompileCache } from "node:module";
import { join } from "node:path";

enableCompileCache(join(import.meta.dirname, "..", "..", "node_modules", ".cache", "ma-carte"));
const { run } = await import("./run.ts");
await run(process.env);
