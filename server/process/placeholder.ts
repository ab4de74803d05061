// Holds the port while the server starts: every request is answered 503 in the contract's form, with
// Retry-After, so that a port already taken is found before anything else is touched.
import { randomUUID } from "node:crypto";
import { sentence } from "#contract/errors.ts";
import type { Config } from "./config.ts";
import { StartProblem, exitCodes, oneLine } from "./start-problem.ts";

// `getBuiltinModule`: an import by name would load Node's own fetch and WebSocket too, 25 ms of each start.
const { createServer } = process.getBuiltinModule("node:http");

/** The 503 answer given while the server starts or stops. */
export const unavailableHeaders = {
  "content-type": "application/json; charset=utf-8",
  "retry-after": "1",
  "cache-control": "no-store",
};
export const unavailableBody = () =>
  JSON.stringify({
    message: sentence("unavailable"),
    code: "unavailable",
    requestId: randomUUID(),
  });

/** Takes the port of `config`; a StartProblem when that cannot be. `close` frees it at once. */
export async function listenWhileStarting(config: Config): Promise<{ close(): Promise<void> }> {
  const server = createServer((_request, response) => {
    response.writeHead(503, { ...unavailableHeaders, connection: "close" });
    response.end(unavailableBody());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(problemOfListening(error, config)));
    server.listen(config.port, config.host, resolve);
  });
  return {
    async close() {
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The sentence for a port or an address that cannot be listened on. */
export function problemOfListening(error: unknown, config: Config): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new StartProblem(
      `Le port ${config.port} est déjà pris : arrêtez le programme qui l'occupe, ou choisissez-en ` +
        "un autre avec PORT.",
      exitCodes.portTaken,
    );
  if (code === "EACCES")
    return new StartProblem(
      `Le port ${config.port} demande des droits que ce compte n'a pas : choisissez-en un autre ` +
        "avec PORT.",
      exitCodes.badSetting,
    );
  if (code === "ENOTFOUND" || code === "EADDRNOTAVAIL" || code === "EAI_AGAIN")
    return new StartProblem(
      `L'adresse «\u00a0${config.host}\u00a0» du réglage HOST n'est pas de cette machine ` +
        `(${oneLine(message)}).`,
      exitCodes.badSetting,
    );
  return error;
}
