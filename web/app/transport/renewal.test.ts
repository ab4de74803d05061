// The session's clock against a real HTTP server: renewed in use, announced, ended (spec.md 7).
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { User } from "#contract/identity/rows.ts";
import { answerFrom, installPage, tokenSaying } from "#tests/page-globals.ts";

const minute = 60_000;
let renewals = 0;
let renewable = true;
const server = createServer((_, response) => {
  renewals++;
  const jeton = tokenSaying({ exp: Date.now() / 1000 + 3600, sub: "person", renewals });
  const token = { jeton, expires_in: renewable ? 3600 : 240 };
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ token, endsAt: new Date().toISOString(), renewable }));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));

const page = installPage();
answerFrom(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
const { check, sessionEnd, watchSession } = await import("./renewal.ts");
const session = await import("./session.ts");
const { keepToken, readToken, tokenEndsAt } = await import("./token.ts");

/** A session whose token ends so many minutes from now, in use by somebody. */
function startSession(minutes: number): void {
  keepToken(tokenSaying({ exp: Date.now() / 1000 + minutes * 60, sub: "person" }), minutes * 60);
  session.currentUser.set({ objectID: "person" } as User & { previousCardnumber: number });
}

let stop = () => {};
beforeEach(() => {
  stop();
  page.empty();
  renewals = 0;
  renewable = true;
  stop = watchSession();
});
afterAll(() => {
  stop();
  server.closeAllConnections();
  server.close();
});

describe("check", () => {
  it("leaves a young token alone", async () => {
    startSession(30);
    await check();
    expect([renewals, sessionEnd.get()]).toEqual([0, null]);
  });

  it("renews a session in use before its hour, once for two looks", async () => {
    startSession(9);
    const before = readToken();
    await Promise.all([check(), check()]);
    expect(renewals).toBe(1);
    expect(readToken()).not.toBe(before);
    expect((tokenEndsAt() ?? 0) - Date.now()).toBeGreaterThan(59 * minute);
    expect(sessionEnd.get()).toBeNull();
  });

  // proves: session-length
  it("announces an end that cannot be renewed, five minutes ahead, and renews no more", async () => {
    renewable = false;
    startSession(9);
    await check();
    expect(sessionEnd.get()).toMatchObject({ renewable: false, at: tokenEndsAt() });
    await check();
    expect(renewals).toBe(1);
  });

  it("ends the session at its end, once", async () => {
    startSession(9);
    const ends: string[] = [];
    const deaf = session.onSessionEnd((why) => ends.push(why));
    const after = Date.now() + 10 * minute;
    await check(after);
    await check(after);
    deaf();
    expect(ends).toEqual(["ended"]);
    expect([readToken(), session.currentUser.get(), renewals]).toEqual([null, null, 0]);
  });
});
