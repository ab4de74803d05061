// The server files that one operation (buying a ticket, a top-up) runs through, from the called row to the
// ledger: those that a reader opens to follow it. Counted by V8's coverage from the functions that ran; files
// that every call runs (server/http, server/db, server/process, the session) are not counted.
//   --list   names them
import { randomUUID } from "node:crypto";
import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cast } from "#tests/cast.ts";
import { ownCluster } from "#tests/cluster.ts";
import { makeEvent } from "#tests/events.ts";
import { freePort } from "#tests/free-port.ts";
import { type Client, openTestServer } from "#tests/test-server.ts";

const { values } = parseArgs({ options: { list: { type: "boolean", default: false } } });
const server = fileURLToPath(new URL("../server/", import.meta.url));

const stopCluster = await ownCluster();
const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
const portal = await openTestServer({ port, publicUrl });
// The payment provider of the sandbox calls the portal as another machine would.
await portal.app.listen({ port, host: "127.0.0.1" });
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

/** Files of `server/` in which a function ran since the last call, module bodies excluded. */
async function filesThatRan(): Promise<string[]> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result
    .filter(
      ({ url, functions }) =>
        url.startsWith("file:") &&
        functions.some(({ functionName, ranges }) => functionName && ranges[0]?.count),
    )
    .map(({ url }) => relative(server, fileURLToPath(url)))
    .filter((path) => !path.startsWith(".."))
    .sort();
}

const guardian = await portal.as("guardian");
const walletOf = async (who: Client) =>
  (await who.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`)).body.items[0];

async function buyTicket(): Promise<void> {
  const event = await makeEvent(portal);
  const { objectID } = await walletOf(guardian);
  await filesThatRan();
  const { cardnumber } = cast.guardian;
  const line = { session: event.session, category: event.full, cardnumber, quantity: 1 };
  const { cart } = (await guardian.post("/api/tickets/cart/lines", line)).body;
  const paid = await guardian.post("/api/tickets/cart/pay", {
    method: "wallet",
    order: cart.id,
    objectID,
    totalCents: cart.totalCents,
  });
  if (paid.status !== 200) throw new Error(paid.text);
}

async function topUp(): Promise<void> {
  const { objectID } = await walletOf(guardian);
  await filesThatRan();
  const started = await guardian.post(
    `/api/wallets/${objectID}/top-ups`,
    { amountCents: 2000 },
    { "idempotency-key": randomUUID() },
  );
  if (!started.body.paymentUrl) throw new Error(started.text);
  await portal.app.inject({
    method: "POST",
    url: new URL(started.body.paymentUrl).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "outcome=success",
  });
  const { body } = await guardian.get(`/api/top-ups/${started.body.id}`);
  if (body.state !== "credited") throw new Error(body.state);
}

try {
  await filesThatRan();
  await guardian.get("/api/session");
  const everyCall = new Set(await filesThatRan());
  for (const [name, trip] of Object.entries({ ticket: buyTicket, "top-up": topUp })) {
    await trip();
    const files = (await filesThatRan()).filter(
      (path) => !everyCall.has(path) && !/^(db|http|process)\//.test(path),
    );
    console.log(`${name}: ${files.length} files`);
    if (values.list) for (const path of files) console.log(`  ${path}`);
  }
} finally {
  session.disconnect();
  await portal.close();
  await stopCluster();
}
