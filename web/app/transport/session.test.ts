// A session as this tab opens it, and its end as another tab tells of it.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { User } from "#contract/identity/rows.ts";
import { installPage, tokenSaying } from "#tests/page-globals.ts";
import type { EndReason } from "./session.ts";

const page = installPage();
const session = await import("./session.ts");
session.watchTabs();

const otherTab = new BroadcastChannel("ma-carte");
let reasons: EndReason[] = [];
let stop = () => {};

beforeEach(() => {
  page.empty();
  reasons = [];
  stop = session.onSessionEnd((why) => reasons.push(why));
  session.currentUser.set({ objectID: "person" } as User & { previousCardnumber: number });
});
afterEach(() => stop());

async function endedElsewhere(): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  otherTab.postMessage("ended");
  await expect.poll(() => session.currentUser.get()).toBeNull();
}

it("is over here too", async () => {
  await endedElsewhere();
  expect(reasons).toEqual(["ended"]);
});

it("stays the logout that this tab asked for, when another heard of it first", async () => {
  session.beginEnd("logout");
  await endedElsewhere();
  session.endSession("logout");
  expect(reasons).toEqual(["logout"]);
});

it("leaves a screen that goes on without a session", async () => {
  session.beginEnd("stay");
  await endedElsewhere();
  expect(reasons).toEqual([]);
});

it("keeps the user of a login, though the cookies just written are not read back yet", async () => {
  session.currentUser.set(null);
  const data = { objectID: "person", cardnumber: 1000000016 } as User;
  const jeton = tokenSaying({ exp: Date.now() / 1000 + 3600, sub: data.objectID });
  const jar = vi.spyOn(document, "cookie", "get").mockReturnValue("");
  await session.openSession({ message: "", data, token: { jeton, expires_in: 3600 } });
  jar.mockRestore();
  session.currentUser.set(null);
  expect(await session.storedUser()).toMatchObject(data);
});
