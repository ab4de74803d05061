// SIGTERM while hundreds of transfers are on their way, each on a connection of its own: every one is
// answered, and what was acknowledged is stored.
import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { removeData } from "#tests/scratch.ts";
import { stop } from "#tests/server-process.ts";
import type { Campaign } from "./campaign.ts";
import { startDatabase } from "./data-folder.ts";
import { onDatabase, verifyLoad } from "./load.ts";
import { type Answer, startPortal, type PortalProcess } from "./portal-process.ts";

export const sigterm: Campaign = {
  name: "sigterm",
  says: "SIGTERM with requests in flight: all answered, exit 0, what was acknowledged is stored",
  sizes: { inflight: { full: 500, quick: 100 } },
  async run({ folder, size, progress }) {
    const { inflight = 1 } = size;
    // The database is not the server's own, so that it can be looked at after the end.
    const database = await startDatabase(`${folder}/database`);
    const portal = await startPortal({ dataDir: `${folder}/data`, databaseUrl: database.url });
    try {
      const acknowledged = new Map<string, string>();
      const statuses = new Map<number, number>();
      const pending = Array.from({ length: inflight }, () => sendTransfer(portal));
      await Promise.all(pending.map(({ sent }) => sent));
      progress(`${inflight} sent, SIGTERM`);
      const before = performance.now();
      const code = await stop(portal.server);
      const tookMs = Math.round(performance.now() - before);
      let unanswered = 0;
      for (const { key, answered } of pending) {
        const answer = await answered;
        if (!answer) unanswered += 1;
        else statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer?.status === 201) acknowledged.set(key, String(answer.body["id"]));
      }
      const load = { acknowledged, unexpected: [] };
      // A call that was answered 503 may have been served after all: the key tells, later.
      const open = statuses.get(503) ?? 0;
      const { lost } = await onDatabase(portal, (one) => verifyLoad(one, load, open));
      if (unanswered > 0) lost.push(`${unanswered} requests were not answered`);
      if (code !== 0) lost.push(`the server left with ${code}`);
      const strange = [...statuses.keys()].filter((status) => status !== 201 && status !== 503);
      if (strange.length > 0) lost.push(`answers ${strange.join(", ")}`);
      if (acknowledged.size === 0) lost.push("none was acknowledged: the campaign proves nothing");
      const counts = [...statuses].map(([status, times]) => `${times} × ${status}`).join(", ");
      return { did: `${inflight} in flight, ${counts}; out in ${tookMs} ms`, lost };
    } finally {
      await portal.close();
      await database.stop();
      await removeData(`${folder}/database`);
    }
  },
};

interface PendingRequest {
  key: string;
  /** The request has left this process. */
  sent: Promise<void>;
  /** Its answer, null when the connection broke. */
  answered: Promise<Answer | null>;
}

function sendTransfer(portal: PortalProcess): PendingRequest {
  const key = randomUUID();
  const left = Promise.withResolvers<void>();
  const answered = new Promise<Answer | null>((resolve) => {
    const broke = () => {
      left.resolve();
      resolve(null);
    };
    const call = request(`${portal.address}/api/transfers`, {
      method: "POST",
      agent: false,
      headers: { ...portal.bearer, "content-type": "application/json", "idempotency-key": key },
    });
    call.once("finish", () => left.resolve()).once("error", broke);
    call.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("error", broke);
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Answer["body"] }),
      );
    });
    const { guardian, child } = portal;
    const transfer = { fromWallet: guardian.objectID, toCardnumber: child.cardnumber };
    call.end(JSON.stringify({ ...transfer, amountCents: 1, repeat: true }));
  });
  return { key, sent: left.promise, answered };
}
