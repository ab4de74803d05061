// A child process for server/process/work-process.test.ts that is slow to start, as on a busy machine.
import { spawnSync } from "node:child_process";

spawnSync(process.execPath, ["-e", "setTimeout(() => {}, 2000)"]);
await import("./odd-worker.ts");
