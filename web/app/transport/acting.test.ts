// Acting for a card of the family: whose card is current, what is stored, and how it ends.
import { beforeEach, expect, it } from "vitest";
import type { User } from "#contract/identity/rows.ts";
import { installPage, tokenSaying } from "#tests/page-globals.ts";

const page = installPage();
const session = await import("./session.ts");
const { keepToken } = await import("./token.ts");

const [own, child] = [1_000_000_016, 1_000_000_024];
const user = { objectID: "p-1", cardnumber: own, isReset: false, email: "a@b.fr" } as User;
const comeIn = async (who: User) => {
  keepToken(tokenSaying({ exp: Date.now() / 1000 + 3600, sub: who.objectID }), 3600);
  await session.keepUser(who);
};
const now = () => session.currentUser.get();

beforeEach(async () => {
  session.forget();
  page.empty();
  await comeIn(user);
});

it("makes the child's card the current one and keeps one's own, until one comes back", () => {
  session.actFor(child);
  expect(now()).toMatchObject({ cardnumber: child, previousCardnumber: own });
  expect(Object.keys(user)).not.toContain("previousCardnumber");
  session.actFor(child);
  expect(now()).toMatchObject({ cardnumber: child, previousCardnumber: own });
  session.actForOneself();
  expect(now()).toMatchObject({ cardnumber: own, previousCardnumber: 0 });
  expect(sessionStorage.length).toBe(0);
});

it("stores one's own number whatever is kept meanwhile, and still acts after a reload", async () => {
  session.actFor(child);
  const acting = now();
  if (acting) await session.keepUser({ ...acting, email: "c@d.fr" });
  expect(now()).toMatchObject({ cardnumber: child, previousCardnumber: own, email: "c@d.fr" });
  session.currentUser.set(null);
  expect(await session.storedUser()).toMatchObject({ cardnumber: child, previousCardnumber: own });
  session.actForOneself();
  expect(now()).toMatchObject({ cardnumber: own, email: "c@d.fr" });
});

it("ends with the session, and is worth nothing to somebody else", async () => {
  session.actFor(child);
  const left = sessionStorage.getItem("previousCardnumber") ?? "";
  session.endSession("logout");
  expect(sessionStorage.getItem("previousCardnumber")).toBeNull();
  sessionStorage.setItem("previousCardnumber", left);
  await comeIn({ ...user, objectID: "p-2", cardnumber: 1_000_000_057 });
  expect(now()).toMatchObject({ cardnumber: 1_000_000_057, previousCardnumber: 0 });
  for (const garbled of ["", "1", "1000000057", "1000000057 x", "x y"]) {
    sessionStorage.setItem("previousCardnumber", garbled);
    session.currentUser.set(null);
    expect(await session.storedUser()).toMatchObject({ previousCardnumber: 0 });
  }
});
