// Tests whether npm can reach its registry: npm itself retries for many minutes before it reports that. Only
// built-ins here, and only what Node 20 understands (start.mjs).
import { spawn } from "node:child_process";

/** npm's error codes when nothing answers; a registry that refuses a ping (404) counts as reached. */
const unreached =
  /\b(E?ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_SOCKET_TIMEOUT|FETCH_ERROR|request-timeout)\b|network|certificate/i;

/**
 * Pings the registry of npm's own settings (proxy included) once. Answers a French sentence where nothing
 * answers within `timeoutMs`, else null. `command` and `args` run npm.
 */
export function registryFault({ command, args, timeoutMs }) {
  return new Promise((resolve) => {
    const ping = ["ping", "--fetch-retries=0", `--fetch-timeout=${timeoutMs}`];
    const child = spawn(command, [...args, ...ping], {
      stdio: ["ignore", "ignore", "pipe"],
      shell: args.length === 0 && process.platform === "win32",
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (chunk) => (said += chunk));
    child.once("error", () => resolve(null));
    child.once("close", (code) => {
      const address = /https?:\/\/[^\s"']+/.exec(said)?.[0].replace(/\/(?:-\/ping.*)?$/, "");
      resolve(code !== 0 && unreached.test(said) ? sentence(address) : null);
    });
  });
}

const sentence = (address) =>
  `Le registre npm${address ? ` (${address})` : ""} ne répond pas : vérifiez la connexion, le proxy ou ` +
  "« npm config get registry ». L'installation essaie encore ; Ctrl-C l'arrête.";
