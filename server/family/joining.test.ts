// How one joins a family and leaves it: invitations, printed codes, ties that end.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approveIfRequired } from "#tests/approve.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { familyCommands } from "./operator.ts";
import { printCode } from "./join.ts";

let server: TestServer;
let camille: Client;
let thomas: Client;
let hugo: Client;
let leo: Client;
beforeAll(async () => {
  server = await openTestServer();
  [camille, thomas, hugo, leo] = await Promise.all([
    server.as("guardian"),
    server.as("coGuardian"),
    server.as("stranger"),
    server.as("child"),
  ]);
});
afterAll(() => server.close());

const number = (name: CastName) => cast[name].cardnumber;
const seen = async (client: Client) => (await client.get("/api/family")).body;
const members = async (client: Client) =>
  (await seen(client)).members.map((one: any) => [one.name, one.relation]);
const invite = (client: Client, name: CastName, role: string, child?: CastName) =>
  approveIfRequired(server, client, "/api/family/invitations", {
    cardnumber: number(name),
    role,
    ...(child && { child: number(child) }),
  });

/** Accepts with the code that was sent. */
async function accept(client: Client, id: string) {
  const path = `/api/family/invitations/${id}/accept`;
  const refusal = await client.post(path);
  expect(refusal).toMatchObject({ status: 403, body: { code: "code_required" } });
  const { challenge } = refusal.body.details;
  return await client.post(path, { challenge, code: server.lastCode() });
}

describe("GET /api/family", () => {
  test("members with their cards, who shares a child, what may end", async () => {
    const { members: all, minor } = await seen(camille);
    expect(minor).toBe(false);
    expect(all).toEqual([
      {
        cardnumber: number("secondChild"),
        name: "Jade Moreau",
        relation: "child",
        state: "active",
        avatar: null,
        shares: [],
        canLeave: false,
      },
      {
        cardnumber: number("child"),
        name: "Léo Moreau",
        relation: "child",
        state: "active",
        avatar: null,
        shares: ["Thomas Moreau"],
        canLeave: true,
      },
      {
        cardnumber: number("coGuardian"),
        name: "Thomas Moreau",
        relation: "relative",
        state: "active",
        avatar: null,
        shares: ["Léo Moreau"],
        canLeave: false,
      },
    ]);
    expect(await members(thomas)).toEqual([
      ["Léo Moreau", "child"],
      ["Camille Moreau", "relative"],
    ]);
    expect(await seen(leo)).toMatchObject({ minor: true });
    expect(await members(hugo)).toEqual([]);
  });
});

describe("invitations", () => {
  // proves: family-joining
  test("a relative: nobody's name before the answer, a code to accept, then both see each other", async () => {
    const { status, body } = await invite(camille, "stranger", "relative");
    expect(status).toBe(201);
    expect(JSON.stringify(await seen(camille))).not.toContain("Hugo");
    const [received] = (await seen(hugo)).received;
    expect(received).toMatchObject({ id: body.id, from: "Camille Moreau", own: true, child: null });
    const wrong = await hugo.post(`/api/family/invitations/${body.id}/accept`);
    const { challenge } = wrong.body.details;
    const bad = server.lastCode() === "000000" ? "111111" : "000000";
    const refused = await hugo.post(`/api/family/invitations/${body.id}/accept`, {
      challenge,
      code: bad,
    });
    expect(refused).toMatchObject({ status: 422, body: { code: "code_wrong" } });
    expect(await members(hugo)).toEqual([]);
    expect((await accept(hugo, body.id)).status).toBe(200);
    expect(await members(hugo)).toEqual([["Camille Moreau", "relative"]]);
    expect(await members(camille)).toContainEqual(["Hugo Petit", "relative"]);
    const again = await hugo.post(`/api/family/invitations/${body.id}/accept`);
    expect(again).toMatchObject({ status: 410, body: { code: "invitation_over" } });
    const notices = (await camille.get("/api/notifications")).body.items;
    expect(notices[0]).toMatchObject({ title: "Invitation acceptée", path: "/family" });
    expect(await invite(camille, "stranger", "relative")).toMatchObject({
      status: 409,
      body: { code: "family_already" },
    });
    // A relative sees no money and acts on no card.
    const wallets = await hugo.get(`/api/wallets?cardnumber=${number("guardian")}`);
    expect(wallets.status).toBe(404);
  });

  test("a second guardian of Jade: Thomas sees her wallet once he accepted, not before", async () => {
    const path = `/api/wallets?cardnumber=${number("secondChild")}`;
    const { body } = await invite(camille, "coGuardian", "guardian", "secondChild");
    expect((await thomas.get(path)).status).toBe(404);
    expect((await seen(thomas)).received[0]).toMatchObject({ child: "Jade Moreau" });
    expect((await accept(thomas, body.id)).status).toBe(200);
    expect((await thomas.get(path)).status).toBe(200);
    const own = await thomas.get(`/api/wallets?cardnumber=${number("guardian")}`);
    expect(own.status).toBe(404);
    expect((await invite(camille, "coGuardian", "guardian", "secondChild")).body.code).toBe(
      "family_already",
    );
  });

  // proves: family-joining
  test("nobody makes another guardian of a child without a code and the password; the others are told", async () => {
    const invitation = { role: "guardian", child: number("secondChild") };
    const paths = ["/api/family/invitations", "/api/family/invitations/link"];
    for (const path of paths) {
      await server.deps.pool.query("delete from limiter");
      const sent = (await seen(camille)).sent.length;
      const refused = await camille.post(path, { cardnumber: number("stranger"), ...invitation });
      expect(refused).toMatchObject({
        status: 403,
        body: { code: "code_required", details: { password: true } },
      });
      expect((await seen(camille)).sent).toHaveLength(sent);
    }
    const relative = { cardnumber: number("coGuardian"), role: "relative" };
    expect((await camille.post(paths[0] ?? "", relative)).body.code).toBe("family_already");
    await server.deps.pool.query("delete from limiter");
    server.outbox.length = 0;
    const { body } = await invite(camille, "stranger", "guardian", "secondChild");
    expect((await accept(hugo, body.id)).status).toBe(200);
    const messages = server.outbox.filter(({ body: text }) => text.includes("responsable de Jade"));
    expect(new Set(messages.map(({ address }) => address))).toEqual(
      new Set([cast.guardian.email, cast.coGuardian.email]),
    );
    await hugo.post(`/api/family/members/${number("secondChild")}/leave`);
  });

  test("a child is answered for by a guardian, never by itself", async () => {
    const { body } = await invite(hugo, "secondChild", "relative");
    const jade = await server.as("secondChild");
    expect((await seen(jade)).received).toEqual([]);
    const byJade = await jade.post(`/api/family/invitations/${body.id}/accept`);
    expect(byJade).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await seen(thomas)).received[0]).toMatchObject({ to: "Jade Moreau", own: false });
    const declined = await thomas.post(`/api/family/invitations/${body.id}/decline`);
    expect(declined.status).toBe(200);
    expect((await seen(camille)).received).toEqual([]);
    expect(await members(jade)).not.toContainEqual(["Hugo Petit", "relative"]);
    const late = await camille.post(`/api/family/invitations/${body.id}/accept`);
    expect(late).toMatchObject({ status: 410, body: { code: "invitation_over" } });
  });

  // proves: family-joining
  test("an unknown card, a professional's and a disabled person's are answered alike", async () => {
    const numbers = [1999999998, number("partnerShop"), number("disabled")];
    for (const cardnumber of numbers) {
      const answer = await hugo.post("/api/family/invitations", { cardnumber, role: "relative" });
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({ cardnumber, role: "relative", child: null });
    }
    const shop = await server.as("partnerShop");
    expect((await shop.get("/api/notifications")).body.unread).toBe(0);
    const { sent } = await seen(hugo);
    expect(sent).toHaveLength(3);
    expect((await invite(hugo, "partnerShop", "relative")).body.code).toBe("family_invited");
    for (const { id } of sent) {
      expect((await thomas.post(`/api/family/invitations/${id}/cancel`)).status).toBe(404);
      expect((await hugo.post(`/api/family/invitations/${id}/cancel`)).status).toBe(200);
    }
    expect((await seen(hugo)).sent).toEqual([]);
    expect((await hugo.post(`/api/family/invitations/${sent[0].id}/cancel`)).body.code).toBe(
      "invitation_over",
    );
  });

  test("refusals: oneself, a child who invites, no child told, another's child, too many", async () => {
    const count = async () =>
      (await server.deps.pool.query("select count(*)::int as n from family_invitation")).rows[0].n;
    const before = await count();
    expect((await invite(hugo, "stranger", "relative")).body.code).toBe("family_oneself");
    expect((await invite(leo, "stranger", "relative")).body.code).toBe("family_minor");
    expect((await invite(hugo, "coGuardian", "guardian")).body.code).toBe("family_child_missing");
    expect((await invite(hugo, "coGuardian", "guardian", "child")).status).toBe(404);
    expect((await invite(camille, "child", "child")).body.code).toBe("family_already");
    expect(await count()).toBe(before);
    for (let one = 0; one < 10; one++) {
      const cardnumber = 1_900_000_000 + one;
      await hugo.post("/api/family/invitations", { cardnumber, role: "relative" });
    }
    const more = await invite(hugo, "coGuardian", "relative");
    expect(more).toMatchObject({ status: 409, body: { code: "family_full" } });
    server.clock.advance(15 * 86_400_000);
    hugo = await server.as("stranger");
    expect((await seen(hugo)).sent).toEqual([]);
    expect((await invite(hugo, "coGuardian", "relative")).status).toBe(201);
    [camille, thomas, leo] = await Promise.all([
      server.as("guardian"),
      server.as("coGuardian"),
      server.as("child"),
    ]);
  });
});

describe("POST /api/family/members/:cardnumber/leave", () => {
  const leave = (client: Client, name: CastName) =>
    client.post(`/api/family/members/${number(name)}/leave`);

  test("a relative by either side; a guardian while another remains; never the last", async () => {
    expect((await leave(hugo, "guardian")).status).toBe(200);
    expect(await members(hugo)).toEqual([]);
    expect(await members(camille)).not.toContainEqual(["Hugo Petit", "relative"]);
    const both = await Promise.all([leave(camille, "child"), leave(thomas, "child")]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(both.find(({ status }) => status === 409)?.body.code).toBe("family_last_guardian");
    const { rows } = await server.deps.pool.query(
      "select count(*)::int as n from family_tie t join card c on c.person_id = t.member_id where c.number = $1",
      [number("child")],
    );
    expect(rows[0].n).toBe(1);
  });

  test("a child does not leave its guardian, a stranger is not found", async () => {
    const guardian = (await seen(leo)).members[0].cardnumber;
    expect((await leo.post(`/api/family/members/${guardian}/leave`)).status).toBe(404);
    expect((await leave(hugo, "child")).status).toBe(404);
  });
});

describe("POST /api/family/join", () => {
  /** A person whose card stands alone, without phone or e-mail. */
  async function createLonePerson(name: string, contact: string | null, cardnumber: number) {
    await server.deps.pool.query(
      `with p as (insert into person (type, name, phonenumber, password_hash)
         values (1, $1, $2, '-') returning id)
       insert into card (number, person_id, state, activated_at) select $3, id, 'active', now() from p`,
      [name, contact, cardnumber],
    );
    return await printCode(server.deps, cardnumber, "test");
  }
  const join = (client: Client, cardnumber: number, code: string) =>
    client.post("/api/family/join", { cardnumber, code });

  test("the printed code ties once; a wrong one, another card's and a used one alike do not", async () => {
    const noe = 1000005007;
    const code = await createLonePerson("Noé Petit", null, noe);
    const wrong = code === "00000000" ? "11111111" : "00000000";
    for (const [cardnumber, tried] of [
      [noe, wrong],
      [1999999998, code],
      [number("child"), code],
    ] as const) {
      const answer = await join(hugo, cardnumber, tried);
      expect(answer).toMatchObject({ status: 422, body: { code: "join_refused" } });
    }
    expect(await members(hugo)).toEqual([]);
    expect((await join(leo, noe, code)).body.code).toBe("family_minor");
    const done = await join(hugo, noe, code);
    expect(done).toMatchObject({ status: 201, body: { name: "Noé Petit", relation: "child" } });
    expect((await join(thomas, noe, code)).body.code).toBe("join_refused");
    expect(await members(hugo)).toEqual([["Noé Petit", "child"]]);
    const fresh = await printCode(server.deps, noe, "test");
    expect((await join(thomas, noe, fresh)).body.code).toBe("join_guarded");
  });

  test("who can be reached is invited instead; ten tries a day", async () => {
    const zoe = 1000005015;
    const code = await createLonePerson("Zoé Petit", "+33612345699", zoe);
    expect((await join(hugo, zoe, code)).body.code).toBe("join_reachable");
    for (let turn = 0; turn < 5; turn++) await join(hugo, zoe, "12345678");
    const locked = await join(hugo, zoe, code);
    expect(locked).toMatchObject({ status: 409, body: { code: "join_locked" } });
    server.clock.advance(86_400_000);
    hugo = await server.as("stranger");
    expect((await join(hugo, zoe, code)).body.code).toBe("join_reachable");
  });

  test("operator family show | code", async () => {
    const command = (name: string) => familyCommands.find((one) => one.name === name);
    const args = [String(number("child"))];
    const output = await command("family show")?.run(server.deps, args, "test");
    expect(output?.lines[0]).toBe("Léo Moreau");
    const coded = await command("family code")?.run(server.deps, args, "test");
    expect(coded?.lines[0]).toMatch(/^\d{4} \d{4}$/);
    const none = await command("family code")?.run(server.deps, ["1999999998"], "test");
    expect(none?.ok).toBe(false);
  });
});

describe("an invitation by a link", () => {
  const claim = (client: Client, secret: string) =>
    client.post("/api/family/invitations/claim", { secret });
  const link = async (client: Client, input: Record<string, unknown>) => {
    const { status, body } = await client.post("/api/family/invitations/link", input);
    expect(status).toBe(201);
    return body.address.split("/family#invitation=")[1] as string;
  };

  test("is of who opens it first, and still wants their answer with a code", async () => {
    [camille, thomas, hugo, leo] = await Promise.all([
      server.as("guardian"),
      server.as("coGuardian"),
      server.as("stranger"),
      server.as("child"),
    ]);
    const secret = await link(camille, { role: "relative" });
    expect(secret).toMatch(/^[\w-]{43}$/);
    const stored = await server.deps.pool.query("select * from family_invitation");
    expect(JSON.stringify(stored.rows)).not.toContain(secret);
    expect((await seen(camille)).sent).toMatchObject([{ cardnumber: null, role: "relative" }]);
    expect((await claim(camille, secret)).body.code).toBe("family_oneself");
    expect((await claim(hugo, "x".repeat(43))).body.code).toBe("invitation_over");
    expect((await claim(hugo, secret)).status).toBe(200);
    expect((await claim(thomas, secret)).body.code).toBe("invitation_over");
    expect((await seen(camille)).sent).toMatchObject([{ cardnumber: number("stranger") }]);
    expect(await members(hugo)).not.toContainEqual(["Camille Moreau", "relative"]);
    const [received] = (await seen(hugo)).received;
    expect((await accept(hugo, received.id)).status).toBe(200);
    expect(await members(hugo)).toContainEqual(["Camille Moreau", "relative"]);
    expect((await claim(hugo, secret)).body.code).toBe("invitation_over");
    const again = await link(camille, { role: "relative" });
    expect((await claim(hugo, again)).body.code).toBe("family_already");
  });

  test("is answered by a guardian, refused to who cannot take the role, made by adults alone", async () => {
    const asChild = await link(camille, { role: "child" });
    expect((await claim(hugo, asChild)).body.code).toBe("invitation_unfit");
    const relative = await link(hugo, { role: "relative" });
    expect((await claim(leo, relative)).body.message).toContain("Votre responsable");
    expect((await seen(leo)).received).toEqual([]);
    const guardians = [await seen(camille), await seen(thomas)].flatMap(({ received }) => received);
    expect(guardians).toContainEqual(expect.objectContaining({ to: "Léo Moreau", own: false }));
    const byLeo = await leo.post("/api/family/invitations/link", { role: "relative" });
    expect(byLeo).toMatchObject({ status: 409, body: { code: "family_minor" } });
    const none = await hugo.post("/api/family/invitations/link", { role: "guardian" });
    expect(none.body.code).toBe("family_child_missing");
  });
});
