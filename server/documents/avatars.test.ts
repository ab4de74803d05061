// Avatars: who sets them, the stored form of a picture, who sees it, and its deletion.
import { Transformer } from "@napi-rs/image";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { avatars as limits } from "#contract/limits.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
let leo: Client;
beforeAll(async () => {
  server = await openTestServer();
  [camille, leo] = await Promise.all([server.as("guardian"), server.as("child")]);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.deps.pool.query("delete from avatar; delete from limiter");
  await server.deps.pool.query("update person set avatar = null");
});

/** A plain picture of so many points. */
const picture = (width: number, height: number) =>
  Transformer.fromRgbaPixels(Buffer.alloc(width * height * 4, 200), width, height);
const number = (name: CastName) => cast[name].cardnumber;
const set = (client: Client, name: CastName, file: Buffer) =>
  client.post(`/api/cards/${number(name)}/avatar`, file, {
    "content-type": "application/octet-stream",
  });
const remove = (client: Client, name: CastName) =>
  client.post(`/api/cards/${number(name)}/avatar/remove`);
const fetched = (client: Client, url: string) =>
  server.app.inject({ url, headers: { authorization: `Bearer ${client.token}` } });
const sessionAvatar = async (client: Client) => (await client.get("/api/session")).body.data.avatar;
const trail = async (action: string) => {
  const { rows } = await server.deps.pool.query(
    "select actor from audit where action = $1 order by id desc limit 1",
    [action],
  );
  return rows[0]?.actor;
};

describe("POST /api/cards/:cardnumber/avatar", () => {
  test("a picture is kept as a small square without metadata, and is the person's avatar", async () => {
    const png = await picture(900, 300).png();
    const { status, body } = await set(camille, "guardian", png);
    expect(status).toBe(200);
    expect(body.avatar).toMatch(/^\/api\/avatars\/[0-9a-f-]{36}$/);
    expect(await sessionAvatar(camille)).toBe(body.avatar);
    const content = (await fetched(camille, body.avatar)).rawPayload;
    expect(await new Transformer(content).metadata()).toMatchObject({
      width: limits.sidePixels,
      height: limits.sidePixels,
      format: "jpeg",
    });
    expect(content.includes("Exif")).toBe(false);
    expect(await trail("profile.avatar")).toBe("person");
  });

  test("another picture has another address; the one before is gone", async () => {
    const jpeg = await picture(80, 80).jpeg(80);
    const first = (await set(camille, "guardian", jpeg)).body.avatar;
    const second = (await set(camille, "guardian", jpeg)).body.avatar;
    expect(second).not.toBe(first);
    expect((await fetched(camille, first)).statusCode).toBe(404);
    expect((await fetched(camille, second)).statusCode).toBe(200);
  });

  test("a guardian sets a child's; the child sees it, the trail says who", async () => {
    const { status, body } = await set(camille, "child", await picture(50, 60).png());
    expect(status).toBe(200);
    expect(await sessionAvatar(leo)).toBe(body.avatar);
    expect(await sessionAvatar(camille)).toBeNull();
    expect(await trail("profile.avatar")).toMatch(/^guardian:\d+$/);
    const { body: family } = await camille.get("/api/family");
    const member = family.members.find((one: any) => one.cardnumber === number("child"));
    expect(member.avatar).toBe(body.avatar);
    const { body: home } = await camille.get(`/api/home?cardnumber=${number("guardian")}`);
    expect(home.children.map((one: any) => one.avatar)).toContain(body.avatar);
  });

  test("a stranger's, a relative's and a guardian's card is not found: nothing is kept", async () => {
    const file = await picture(50, 50).png();
    for (const [client, name] of [
      [camille, "stranger"],
      [camille, "coGuardian"],
      [leo, "guardian"],
    ] as const) {
      expect((await set(client, name, file)).status).toBe(404);
    }
    expect((await server.deps.pool.query("select from avatar")).rowCount).toBe(0);
  });

  test("what is no JPEG nor PNG by its content is refused, and the picture stays as it was", async () => {
    const before = (await set(camille, "guardian", await picture(50, 50).png())).body.avatar;
    const refused = async (file: Buffer) => (await set(camille, "guardian", file)).body.code;
    expect(await refused(Buffer.from("%PDF-1.4\n%%EOF"))).toBe("document_type");
    expect(await refused(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"))).toBe(
      "document_type",
    );
    expect(await refused(Buffer.alloc(0))).toBe("document_unreadable");
    expect(await refused((await picture(50, 50).png()).subarray(0, 60))).toBe(
      "document_unreadable",
    );
    expect(await sessionAvatar(camille)).toBe(before);
  });

  test("so many in an hour, then later", async () => {
    const file = Buffer.alloc(0);
    for (let sent = 0; sent < limits.setsPerHour; sent++) {
      expect((await set(camille, "guardian", file)).status).toBe(422);
    }
    expect((await set(camille, "guardian", file)).body.code).toBe("too_many_requests");
  });
});

describe("GET /api/avatars/:id", () => {
  test("shown to the person and their family, not found for anybody else", async () => {
    const { avatar } = (await set(camille, "child", await picture(50, 50).png())).body;
    for (const name of ["child", "guardian", "coGuardian"] as const) {
      expect((await fetched(await server.as(name), avatar)).statusCode, name).toBe(200);
    }
    for (const name of ["stranger", "partnerShop", "secondChild"] as const) {
      expect((await fetched(await server.as(name), avatar)).statusCode, name).toBe(404);
    }
    expect((await server.app.inject({ url: avatar })).statusCode).toBe(401);
  });

  test("a browser keeps it for that session only; it is an image and nothing else", async () => {
    const { avatar } = (await set(camille, "guardian", await picture(50, 50).png())).body;
    const { headers } = await fetched(camille, avatar);
    expect(headers).toMatchObject({
      "content-type": "image/jpeg",
      "cache-control": `private, max-age=${limits.cachedSeconds}, immutable`,
      "x-content-type-options": "nosniff",
    });
    expect(String(headers["vary"]).toLowerCase()).toContain("authorization");
    expect(headers["content-security-policy"]).toContain("sandbox");
  });
});

describe("POST /api/cards/:cardnumber/avatar/remove", () => {
  test("it goes for everybody, by oneself or a guardian; twice changes nothing", async () => {
    const { avatar } = (await set(leo, "child", await picture(50, 50).png())).body;
    expect((await remove(await server.as("stranger"), "child")).status).toBe(404);
    expect((await fetched(leo, avatar)).statusCode).toBe(200);
    expect(await remove(camille, "child")).toMatchObject({ status: 200, body: { avatar: null } });
    expect((await fetched(leo, avatar)).statusCode).toBe(404);
    expect(await sessionAvatar(leo)).toBeNull();
    expect(await trail("profile.avatar_removed")).toMatch(/^guardian:/);
    expect((await remove(camille, "child")).status).toBe(200);
    const { rows } = await server.deps.pool.query(
      "select count(*)::int as n from audit where action = 'profile.avatar_removed'",
    );
    expect(rows[0].n).toBe(1);
  });
});
