// Which account of the operating system runs the command line.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";

// The kernel's value for a process without a login (`(uid_t) -1`).
const unset = "4294967295";

/**
 * The account that signed in, through `sudo` and `su` too, where the system records it
 * (`/proc/self/loginuid`, https://man7.org/linux/man-pages/man8/pam_loginuid.8.html); else the account
 * of the process.
 */
export function operatorAccount(recordedAt = "/proc/self/loginuid"): string {
  const id = loginId(recordedAt) ?? process.getuid?.().toString();
  return id === undefined ? userInfo().username : nameOf(id);
}

function loginId(path: string): string | null {
  try {
    const id = readFileSync(path, "utf8").trim();
    return /^\d+$/.test(id) && id !== unset ? id : null;
  } catch {
    return null;
  }
}

/** By `id`, which asks a directory (LDAP) too; an id without a name, as in a container, is used itself. */
function nameOf(id: string): string {
  try {
    return execFileSync("id", ["-nu", id], { encoding: "utf8", stdio: "pipe" }).trim() || id;
  } catch {
    return `uid ${id}`;
  }
}
