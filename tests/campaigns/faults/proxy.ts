// A small TCP proxy before PostgreSQL that knows where a COMMIT begins, and can cut there: before the
// database has it, or after it obeyed and before anyone hears so.
import { connect, createServer, type Socket } from "node:net";

export type Cut = "none" | "before" | "after";

export interface Proxy {
  port: number;
  cuts: { before: number; after: number };
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1; `choose` is asked at every COMMIT. */
export async function openProxy(target: number, choose: () => Cut): Promise<Proxy> {
  const cuts = { before: 0, after: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(target, "127.0.0.1");
    const end = () => {
      client.destroy();
      database.destroy();
      sockets.delete(client);
    };
    sockets.add(client);
    for (const socket of [client, database]) socket.on("error", end).on("close", end);
    let deaf = false;
    database.on("data", (chunk) => {
      // The database has answered that it committed: the answer stops here.
      if (deaf) end();
      else client.write(chunk);
    });
    const isCommit = commitFinder();
    client.on("data", (chunk) => {
      if (deaf) return;
      const cut = isCommit(chunk) ? choose() : "none";
      if (cut !== "none") cuts[cut] += 1;
      if (cut === "before") return end();
      deaf = cut === "after";
      database.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    cuts,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Follows the messages of one client (a length, and before it a letter once the connection has
 * begun) and tells whether a chunk holds a simple query "commit".
 */
function commitFinder(): (chunk: Buffer) => boolean {
  let waiting = Buffer.alloc(0);
  let begun = false;
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    let found = false;
    for (;;) {
      const head = begun ? 1 : 0;
      if (waiting.length < head + 4) return found;
      const end = head + waiting.readInt32BE(head);
      if (waiting.length < end) return found;
      if (begun && waiting[0] === 0x51) {
        const text = waiting.subarray(5, end - 1).toString("utf8");
        found ||= text.trim().toLowerCase() === "commit";
      }
      waiting = waiting.subarray(end);
      begun = true;
    }
  };
}
