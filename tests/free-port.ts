// Ports for the servers that tests start. A port is kept by a file until the run is over: between the
// choice and the server's own `listen`, nobody else of the run takes it.
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";

const tmp = join(import.meta.dirname, "..", ".tmp");
/**
 * Below the ports of embedded databases and those that systems give to outgoing connections; above the last
 * one that browsers refuse to open (10080).
 */
const lowest = 10_100;
const count = 9_900;

/** A port on which nothing listens, given to nobody else while this process lives. */
export async function freePort(): Promise<number> {
  await mkdir(tmp, { recursive: true });
  for (;;) {
    const port = lowest + Math.floor(Math.random() * count);
    if (
      (await keep(port)) &&
      (await canListen(port, "127.0.0.1")) &&
      (await canListen(port, "::1"))
    )
      return port;
  }
}

/** `sweep` removes the file, as all that bears the process's number. */
const keep = (port: number) =>
  writeFile(join(tmp, `port-${process.pid}-${port}`), "", { flag: "wx" }).then(
    () => true,
    () => false,
  );

const canListen = (port: number, host: string) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer();
    // A machine without IPv6 has nobody there either.
    probe.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "EADDRNOTAVAIL"));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
