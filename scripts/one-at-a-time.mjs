// Two starts in one folder at once: the second waits until the first has installed and built.
// Only built-ins here, and only what Node 20 understands (start.mjs).
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const lookAgainMs = 200;
/** A lock whose process has not written its number by then was left behind. */
const unwrittenMs = 5000;

/** Runs `work` while no other process holds the lock file; `onWait` is told once whom one waits for. */
export async function oneAtATime(lock, onWait, work) {
  mkdirSync(dirname(lock), { recursive: true });
  for (let told = false; !taken(lock);) {
    const holder = holderOf(lock);
    if (holder === null) rmSync(lock, { force: true });
    else if (!told) {
      onWait(holder);
      told = true;
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

/** The process that holds the lock, 0 while it has not said who it is; null where none does any more. */
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
