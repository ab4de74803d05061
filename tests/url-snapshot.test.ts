// Every address of the portal: name, path, and where each kind of caller ends up. The real router
// walks the real table; a change here is a change of what people can reach.
import { createMemoryHistory } from "@tanstack/react-router";
import { beforeEach, describe, expect, it } from "vitest";
import type { User } from "#contract/identity/rows.ts";
import { installPage, tokenSaying } from "./page-globals.ts";

const page = installPage();
// After the globals: these modules look at the page as they load.
const { buildRouter, pattern } = await import("#web/app/shell/router.tsx");
const { currentUser } = await import("#web/app/transport/session.ts");
const { keepToken } = await import("#web/app/transport/token.ts");
const { table } = await import("#web/paths.ts");
const { bareSegments, isBuilt } = await import("#web/app/shared/route-entry.ts");
type Entry = import("#web/app/shared/route-entry.ts").Entry;

const nothing = () => null;
const values: Record<string, string> = {
  id: "7",
  cardnumber: "1000000024",
  code: "bus",
  objectID: "0d8e2b1c-0000-4000-8000-000000000001",
  name: "principale",
  idgroup: "1",
  code_services: "adhesion",
  group: "12",
};
const concrete = (path: string) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => `${values[name]}`);

const callers = ["anonymous", "holder", "professional", "reset"] as const;
type Caller = (typeof callers)[number];

function become(caller: Caller): void {
  page.empty();
  currentUser.set(null);
  if (caller === "anonymous") return;
  keepToken(tokenSaying({ exp: Date.now() / 1000 + 3600, sub: "person" }), 3600);
  const user = { type: caller === "professional" ? 2 : 1, isReset: caller === "reset" };
  currentUser.set({ ...(user as User), previousCardnumber: 0 });
}

async function visit(caller: Caller, address: string, entries: readonly Entry[] = table) {
  become(caller);
  const router = buildRouter(
    entries,
    () => Promise.resolve(nothing),
    {
      root: nothing,
      layouts: { shell: nothing, entry: nothing, public: nothing, plain: nothing },
      notFound: nothing,
      pending: nothing,
      failed: nothing,
      prepare: () => Promise.resolve(),
    },
    createMemoryHistory({ initialEntries: [address] }),
  );
  await router.load();
  const { pathname, href } = router.state.location;
  const matched = router.state.matches.at(-1)?.fullPath ?? "";
  const found = entries.find((entry) => pattern(entry.path) === matched);
  return { pathname, href, entry: found };
}

/** `here` is the screen, `not found` its absence, an address where one was sent. */
async function outcome(caller: Caller, path: string): Promise<string> {
  const address = concrete(path);
  const { pathname, entry } = await visit(caller, address);
  if (pathname !== address) return pathname;
  return entry && isBuilt(entry) ? "here" : "not found";
}

beforeEach(() => become("anonymous"));

describe("every address", () => {
  it("leads each caller where it is written", async () => {
    const lines: string[] = [];
    for (const { path, name } of table) {
      const ends = [];
      for (const caller of callers) ends.push(`${caller} ${await outcome(caller, path)}`);
      lines.push(`${path}  (${name ?? "—"})  ${ends.join(" · ")}`);
    }
    await expect(lines.join("\n")).toMatchFileSnapshot("./url-snapshot.txt");
  });

  it("enters each entry of the table by its own path, whatever stands beside it", async () => {
    const whole = table.map((entry) => ({ ...entry, guard: { kind: "open" } as const }));
    for (const { path } of whole.filter((entry) => !("redirect" in entry))) {
      const { entry, pathname } = await visit("anonymous", concrete(path), whole);
      expect([pathname, entry?.path]).toEqual([concrete(path), path]);
    }
  });
});

describe("spelling", () => {
  const open = table.map((entry) => ({ ...entry, guard: { kind: "open" } as const }));

  it("matches ignoring case and redirects to the canonical path", async () => {
    for (const { path } of open.filter((entry) => !("redirect" in entry))) {
      const shouted = path.replaceAll(/(?<=\/)[^:/]+/g, (segment) => segment.toUpperCase());
      const { pathname, entry } = await visit("anonymous", concrete(shouted), open);
      expect([shouted, pathname, entry?.path]).toEqual([shouted, concrete(path), path]);
    }
  });

  it("/Contact does not fall into /:code_services", async () => {
    const { entry } = await visit("holder", "/Contact?topic=1");
    expect(entry?.name).toBe("contact");
  });

  it("keeps what follows the path when it corrects the spelling", async () => {
    expect((await visit("holder", "/Services/Cagnottes?page=2#bas")).href).toBe(
      "/services/cagnottes?page=2#bas",
    );
  });

  it("keeps a parameter as it is, accents and spaces too", async () => {
    const path = "/services/0d8e2b1c-0000-4000-8000-000000000001/caf%C3%A9%20du%20port/3";
    const { entry, href } = await visit("holder", path);
    expect([entry?.name, href]).toEqual(["recharge_cagnotte", path]);
  });

  it("takes a slash at the end for the same page", async () => {
    expect((await visit("holder", "/dashboard/?tab=billets")).href).toBe("/dashboard?tab=billets");
  });

  it("ends where the plain address does, with slashes and blanks too many, in any case", async () => {
    const spellings: ((path: string) => string)[] = [
      (path) => `${path}/`,
      (path) => `${path}//`,
      (path) => path.replaceAll("/", "//").slice(1),
      (path) => `${path}%20`,
      (path) => `${path}/%C2%A0/`,
      (path) => `${path.replaceAll(/(?<=\/)[a-z_-]+(?=\/|$)/g, (one) => one.toUpperCase())}/`,
    ];
    const elsewhere: unknown[] = [];
    for (const { path } of table) {
      const plain = await visit("holder", concrete(path));
      for (const spelling of spellings) {
        const address = spelling(concrete(path));
        const { entry, href } = await visit("holder", `${address}?page=2#bas`);
        const isThere =
          entry?.path === plain.entry?.path && !/\/\/|(?:\/|%20)(?:[?#]|$)/.test(href);
        if (!isThere) elsewhere.push([address, href, entry?.path]);
      }
    }
    expect(elsewhere).toEqual([]);
  });

  it("shows the not-found page on first segments that are no page", async () => {
    const named = ["/partenaire", "/pro", "/commande", "/test", "/servivces"];
    expect(bareSegments(table)).toEqual(expect.arrayContaining(named));
    for (const path of bareSegments(table))
      expect(await outcome("anonymous", path)).toBe("not found");
  });

  it("shows the not-found page on a path that nobody has", async () => {
    const { pathname, entry } = await visit("anonymous", "/nulle/part/du/tout");
    expect([pathname, entry]).toEqual(["/nulle/part/du/tout", undefined]);
  });
});

describe("coming back after the login", () => {
  it("remembers the page one was sent away from when there was no session", async () => {
    const { href } = await visit("anonymous", "/services/cagnottes?page=2");
    expect(href).toBe("/login?retour=%2Fservices%2Fcagnottes%3Fpage%3D2");
  });

  it("remembers nothing for the dashboard, which is where one arrives anyway", async () => {
    expect((await visit("anonymous", "/")).href).toBe("/login");
    expect((await visit("anonymous", "/dashboard")).href).toBe("/login");
  });

  it("remembers nothing for a person of the wrong type, who keeps the session", async () => {
    const { href } = await visit("professional", "/commande/cantine");
    expect(href).toBe("/dashboard");
    expect(currentUser.get()).not.toBeNull();
  });
});
