// Membership drafts over HTTP: written step by step, the code, and who is refused what.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CastName } from "#tests/cast.ts";
import {
  clearMemberships,
  company,
  membershipActs,
  path,
  phone,
  representative,
} from "#tests/memberships.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let hugo: Client;
let acts: ReturnType<typeof membershipActs>;
beforeAll(async () => {
  server = await openTestServer();
  hugo = await server.as("stranger");
  acts = membershipActs(server);
});
afterAll(() => server.close());
beforeEach(() => clearMemberships(server));

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const upload = (client: Client, mark: string) => acts.upload(client, mark);
const read = (client: Client) => acts.read(client);
const versionOf = (client: Client) => acts.versionOf(client);
const act = (client: Client, what: string, more?: object) => acts.act(client, what, more);
const fill = (client: Client) => acts.fill(client);
const prove = (client: Client) => acts.prove(client);

describe("a draft", () => {
  test("is kept after every step and says where it goes on; the sending says what is missing", async () => {
    const before = (await hugo.get(path)).body;
    expect(before).toMatchObject({ membership: null, barred: null, codeBy: "sms" });
    expect(before.service).toMatchObject({ code: "devenir-partenaire", closed: null });
    expect(before.categories).toContainEqual(expect.objectContaining({ id: company.category }));

    const begun = await act(hugo, "company", company);
    expect(begun.body.membership).toMatchObject({
      state: "draft",
      step: "representative",
      company: { name: "Crêperie du Phare", siret: company.siret },
    });
    const lacks = async () => (await act(hugo, "submit")).body;
    expect(await lacks()).toMatchObject({ code: "membership_incomplete" });
    expect((await lacks()).message).toContain("le représentant");
    expect((await act(hugo, "representative", representative)).body.membership).toMatchObject({
      step: "documents",
      representative: { phonenumber: phone },
      proved: false,
    });
    expect((await lacks()).message).toContain("Kbis");
    for (const kind of ["registration", "identity"]) {
      const document = await upload(hugo, kind);
      await hugo.post(`${path}/documents`, { kind, document });
    }
    expect((await read(hugo)).step).toBe("code");
    expect((await lacks()).message).toContain("code");
    expect((await prove(hugo)).body.membership).toMatchObject({ step: "summary", proved: true });
    // On another device of the same person.
    expect(await read(await server.as("stranger"))).toEqual(await read(hugo));
  });

  test("of two tabs the second is refused, and nothing of the first is lost", async () => {
    await act(hugo, "company", company);
    const version = await versionOf(hugo);
    const write = (name: string) => hugo.post(`${path}/company`, { ...company, name, version });
    const both = await Promise.all([write("Une"), write("Deux")]);
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.body.code).toBe("membership_changed");
    const membership = both.find(({ status }) => status === 200)?.body.membership;
    expect(await read(hugo)).toEqual(membership);
    const again = await Promise.all(
      [0, 1].map(() => hugo.post(`${path}/company`, { ...company, version: 0 })),
    );
    expect(again.map(({ body }) => body.code)).toEqual([
      "membership_changed",
      "membership_changed",
    ]);
  });

  test("begun twice at once is one draft", async () => {
    const begin = () => hugo.post(`${path}/company`, { ...company, version: 0 });
    const both = await Promise.all([begin(), begin(), begin()]);
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409", "409"]);
    expect(await query("select state from membership")).toEqual([{ state: "draft" }]);
  });

  test("is given up with its documents, by whoever has read its last version", async () => {
    await fill(hugo);
    const version = await versionOf(hugo);
    const stale = await hugo.post(`${path}/discard`, { version: version - 1 });
    expect(stale.body.code).toBe("membership_changed");
    const gone = await hugo.post(`${path}/discard`, { version });
    expect(gone.body.membership).toBeNull();
    expect(await query("select id from document")).toEqual([]);
  });

  test("wrong company, phone, category or document change nothing", async () => {
    const wrong = async (more: object) =>
      (await act(hugo, "company", { ...company, ...more })).body;
    expect((await wrong({ siret: "73282932000075" })).code).toBe("siret_invalid");
    expect((await wrong({ name: "Crêperie 李" })).message).toContain("李 ne s'imprime pas");
    expect((await wrong({ siret: "90023456800013" })).code).toBe("company_known");
    expect((await wrong({ category: "manger" })).code).toBe("invalid_input");
    expect((await wrong({ name: "   " })).code).toBe("invalid_input");
    expect(await read(hugo)).toBeNull();
    expect((await act(hugo, "representative", representative)).body.code).toBe("membership_closed");
    await act(hugo, "company", company);
    const drawn = await act(hugo, "representative", { ...representative, name: "Ana 李" });
    expect(drawn.body.message).toContain("李 ne s'imprime pas");
    const phones = await act(hugo, "representative", { ...representative, phonenumber: "12345" });
    expect(phones.body.code).toBe("phone_invalid");
    const document = await upload(hugo, "one");
    const give = (kind: string, id: string) =>
      hugo.post(`${path}/documents`, { kind, document: id });
    expect((await give("mandate", document)).status).toBe(404);
    expect((await give("identity", document)).status).toBe(200);
    expect((await give("registration", document)).body.code).toBe("document_attached");
    const other = await upload(hugo, "two");
    expect((await give("identity", other)).body.code).toBe("membership_same_documents");
    const theirs = await upload(await server.as("guardian"), "three");
    expect((await give("registration", theirs)).status).toBe(404);
    await hugo.post(`${path}/documents/remove`, { kind: "identity" });
    expect((await read(hugo)).documents).toEqual([]);
  });
});

describe("the code", () => {
  // proves: code-addresses
  test("goes to the representative's phone; another phone is proved again", async () => {
    await fill(hugo);
    expect(server.outbox.map(({ address }) => address)).toEqual([phone]);
    expect(server.outbox[0]?.body).toContain("votre code pour confirmer ce numéro de téléphone");
    expect(server.outbox[0]?.body).not.toContain("Crêperie");
    const once = server.outbox.length;
    expect((await act(hugo, "code")).status).toBe(200);
    expect(server.outbox).toHaveLength(once);
    const other = { ...representative, phonenumber: "0612345698" };
    expect((await act(hugo, "representative", other)).body.membership.step).toBe("code");
    expect((await act(hugo, "submit")).body.code).toBe("membership_incomplete");
  });

  test("is refused when wrong, for another number, and when too many were sent", async () => {
    await act(hugo, "company", company);
    expect((await act(hugo, "code")).body.code).toBe("membership_incomplete");
    await act(hugo, "representative", representative);
    const { challenge } = (await act(hugo, "code")).body.details;
    const right = server.lastCode(phone);
    const bad = right === "000000" ? "000001" : "000000";
    expect((await act(hugo, "code", { challenge, code: bad })).body.code).toBe("code_wrong");
    await act(hugo, "representative", { ...representative, phonenumber: "0612345698" });
    expect((await act(hugo, "code", { challenge, code: right })).body.code).toBe("code_expired");
    const codes = [];
    for (let sent = 0; sent < 3; sent++) codes.push((await act(hugo, "code")).body.code);
    expect(codes).toEqual(["code_required", "code_required", "code_sends_exhausted"]);
    expect((await read(hugo)).proved).toBe(false);
  });
});

describe("who may ask", () => {
  test("an unknown service, and one that nobody joins, are not found", async () => {
    for (const code of ["inconnu", "annuaire"]) {
      expect((await hugo.get(`/api/memberships/${code}`)).status).toBe(404);
      const begun = await hugo.post(`/api/memberships/${code}/company`, { ...company, version: 0 });
      expect(begun.status).toBe(404);
    }
  });

  test("people of a company and children are told why, and are not shown the service", async () => {
    for (const [name, barred, code] of [
      ["partnerShop", "company", "membership_own_company"],
      ["child", "minor", "family_minor"],
      ["stranger", null, undefined],
    ] as [CastName, string | null, string | undefined][]) {
      const client = await server.as(name);
      expect((await client.get(path)).body.barred).toBe(barred);
      expect((await act(client, "company", company)).body.code).toBe(code);
      const { items } = (await client.get("/api/services")).body;
      const codes = items.map((one: { code: string }) => one.code);
      expect(codes.includes("devenir-partenaire")).toBe(barred === null);
    }
  });

  test("a closed service takes no new request and no sending, and says why", async () => {
    await fill(hugo);
    await query("update service set closed_why = 'reprise en janvier' where screen = 'membership'");
    const refused = (await act(hugo, "submit")).body;
    expect(refused.code).toBe("membership_service_closed");
    expect(refused.message).toContain("reprise en janvier");
  });

  test("of two requests for one company the second is refused when it is sent", async () => {
    const camille = await server.as("guardian");
    await fill(camille);
    await fill(hugo);
    const both = await Promise.all([act(hugo, "submit"), act(camille, "submit")]);
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.body.code).toBe("membership_company_open");
    const third = await server.as("coGuardian");
    expect((await act(third, "company", company)).body.code).toBe("membership_company_open");
  });
});
