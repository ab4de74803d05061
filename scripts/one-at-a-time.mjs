// File lock for two starts in one folder: the second waits until the first has installed and built. Only
// built-ins here, and only what Node 20 understands (start.mjs).
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const lookAgainMs = 200;
/** A lock file without a process number after this long is stale. */
const unwrittenMs = 5000;

/**
 * Runs `work` while no other process holds the lock file; `onWait` is called once with the holder's process
 * number.
 */
export async function oneAtATime(lock, onWait, work) {
  mkdirSync(dirname(lock), { recursive: true });
  for (let isAnnounced = false; !taken(lock);) {
    const holder = holderOf(lock);
    if (holder === null) rmSync(lock, { force: true });
    else if (!isAnnounced) {
      onWait(holder);
      isAnnounced = true;
    }
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
  const release = () => rmSync(lock, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

function taken(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

/**
 * The process that holds the lock: 0 while its number is not written, null where the holder no longer runs.
 */
function holderOf(lock) {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    if (pid === 0) return Date.now() - statSync(lock).mtimeMs < unwrittenMs ? 0 : null;
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    return error.code === "EPERM" ? 0 : null;
  }
}
