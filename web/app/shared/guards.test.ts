// The verdict of each guard, in the order of spec.md 2, and the way back after the login.
import { describe, expect, it } from "vitest";
import { returnPath } from "./addresses.ts";
import { decide, type Facts, type Guard } from "./guards.ts";

const person: Guard = { kind: "person" };
const holders: Guard = { kind: "person", type: 1, otherwise: "/dashboard" };
const holder = { type: 1, isReset: false } as const;
const facts = (more: Partial<Facts> = {}): Facts => ({ token: "valid", user: holder, ...more });

describe("decide", () => {
  it.each(["undecodable", "expired"] as const)("an %s token ends the session", (token) => {
    expect(decide(person, facts({ token }))).toEqual({ to: "/login", end: true, comeBack: true });
    expect(decide({ kind: "guest" }, facts({ token }))).toMatchObject({ to: null, end: true });
  });

  it("a missing token leads to the login and ends nothing", () => {
    expect(decide(person, { token: "missing", user: null })).toEqual({
      to: "/login",
      end: false,
      comeBack: true,
    });
  });

  it("a valid token without a stored user ends the session: never a loop with the login", () => {
    const tokenOnly = facts({ user: null });
    expect(decide(person, tokenOnly)).toMatchObject({ to: "/login", end: true });
    expect(decide({ kind: "guest" }, tokenOnly)).toMatchObject({ to: null, end: true });
  });

  it("isReset comes before the type", () => {
    const user = { type: 2, isReset: true } as const;
    expect(decide(holders, facts({ user })).to).toBe("/reset/password");
    expect(decide({ kind: "reset" }, facts({ user })).to).toBeNull();
  });

  it("a password that is due first brings one back to where one was going", () => {
    const user = { type: 1, isReset: true } as const;
    expect(decide(person, facts({ user }))).toEqual({
      to: "/reset/password",
      end: false,
      comeBack: true,
    });
    expect(decide({ kind: "guest" }, facts({ user }))).toMatchObject({ comeBack: false });
  });

  it("the reset page is for a forced reset alone", () => {
    expect(decide({ kind: "reset" }, facts()).to).toBe("/dashboard");
    expect(decide({ kind: "reset" }, { token: "missing", user: null }).to).toBe("/login");
  });

  it("the wrong type keeps its session and remembers nothing", () => {
    const user = { type: 2, isReset: false } as const;
    const bus: Guard = { kind: "person", type: 1, otherwise: "/login" };
    expect(decide(bus, facts({ user }))).toEqual({ to: "/login", end: false, comeBack: false });
    expect(decide(holders, facts()).to).toBeNull();
  });

  it("who is in does not see the login", () => {
    expect(decide({ kind: "guest" }, facts()).to).toBe("/dashboard");
  });

  it("an open page asks nothing", () => {
    expect(decide({ kind: "open" }, { token: "expired", user: null })).toMatchObject({
      to: null,
      end: false,
    });
  });
});

describe("the way back", () => {
  const back = (path: string) => returnPath(`?${new URLSearchParams({ retour: path })}`, "/home");

  it("is a path of this very site", () => {
    expect(back("/services/cagnottes?page=2#bas")).toBe("/services/cagnottes?page=2#bas");
  });

  // proves: redirects
  it.each([
    "//evil.example",
    "/\\evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "dashboard",
    "/\t/evil.example",
    "/.//evil.example/x",
    "/..//evil.example/x",
    "/./\\evil.example/x",
    "/%2e//evil.example/x",
    "/%2E%2e/%2e//evil.example/x",
    "/a/..//evil.example/x",
    "/a/b/../..//evil.example/x",
    "/.\t//evil.example/x",
    "/.///evil.example/x",
    "",
  ])("is never %s", (path) => {
    expect(new URL(back(path), "https://ici.example").origin).toBe("https://ici.example");
    expect(back(path)).toBe("/home");
  });
});
