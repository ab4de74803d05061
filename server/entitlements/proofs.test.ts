// Papers: sent with their files, answered by the operator, asked again before they end.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { entitlementCommands } from "./operator.ts";
import { quotientOf } from "./entitlements.ts";
import { pdfFile } from "#tests/pdf-file.ts";

let server: TestServer;
let camille: Client;
let thomas: Client;

const day = 86_400_000;
const login = async () => {
  [camille, thomas] = await Promise.all([server.as("guardian"), server.as("coGuardian")]);
};
beforeAll(async () => {
  server = await openTestServer();
  await login();
});
beforeEach(async () => {
  await server.deps.pool.query("delete from document");
  await server.deps.pool.query("delete from proof");
});
afterAll(() => server.close());

/** A day so far from now, in Paris. */
const on = (days: number) => addDays(parisDay(server.clock.now()), days);
let files = 0;
/** A small PDF, another one each time. */
async function upload(client: Client): Promise<string> {
  files += 1;
  const { body, status } = await client.post(
    `/api/documents?name=attestation-${files}.pdf`,
    pdfFile(files),
    { "content-type": "application/pdf" },
  );
  expect(status).toBe(201);
  return body.id;
}
const path = (name: CastName) => `/api/family/members/${cast[name].cardnumber}/proofs`;
const send = async (client: Client, body: object, about: CastName = "guardian") =>
  await client.post(path(about), { documents: [await upload(client)], ...body });
const quotient = (value = 640) => ({ kind: "quotient", quotient: value, writtenOn: on(-10) });
const run = async (name: string, ...args: string[]) =>
  await entitlementCommands
    .find((one) => one.name === `rights ${name}`)
    ?.run(server.deps, args, "test");
const waiting = async () =>
  (await run("list"))?.lines.map((line) => line.split(" ")[0] ?? "") ?? [];
const validate = async () => await run("validate", (await waiting())[0] ?? "");
const seen = async (client: Client, about: CastName = "guardian") =>
  (await client.get("/api/family/rights")).body.people.find(
    (one: { cardnumber: number }) => one.cardnumber === cast[about].cardnumber,
  )?.proofs;
const idOf = async (name: CastName) =>
  (
    await server.deps.db
      .selectFrom("card")
      .select("personId")
      .where("number", "=", cast[name].cardnumber)
      .executeTakeFirstOrThrow()
  ).personId;
const counts = async (name: CastName) =>
  (await quotientOf(server.deps.db, await idOf(name), on(0)))?.value ?? null;
/** 31 August that ends the school year, the next one from June on. */
const schoolYear = () => {
  const [year = 0, month = 0] = on(0).split("-").map(Number);
  return `${month >= 6 ? year + 1 : year}-08-31`;
};

// proves: household-papers
test("validated: it counts from the day it was sent until 31 August, for the children too", async () => {
  const sent = await send(camille, quotient());
  expect(sent).toMatchObject({
    status: 201,
    body: { kind: "quotient", state: "waiting", quotient: 640, sentByMe: true, renew: false },
  });
  expect(sent.body.documents).toMatchObject([{ kind: "pdf" }]);
  expect(await counts("guardian")).toBeNull();
  const [number = ""] = await waiting();
  expect((await run("show", number))?.lines.join("\n")).toMatch(
    /Quotient familial de Camille Moreau[^]*quotient 640[^]*fichier /,
  );
  expect((await validate())?.ok).toBe(true);
  expect(await counts("guardian")).toBe(640);
  expect(await counts("child")).toBe(640);
  expect(await counts("secondChild")).toBe(640);
  expect(await counts("coGuardian")).toBeNull();
  expect(await seen(camille)).toMatchObject([
    { state: "validated", validFrom: on(0), validUntil: schoolYear() },
  ]);
  const [notice] = (await camille.get("/api/notifications")).body.items;
  expect(notice).toMatchObject({ title: "Justificatif validé", path: "/family/droits" });
  expect(server.outbox.at(-1)).toMatchObject({
    channel: "email",
    address: cast.guardian.email,
    subject: "Justificatif validé",
  });
  for (const word of ["validate", "refuse"]) {
    const args = word === "refuse" ? [number, "trop tard"] : [number];
    expect((await run(word, ...args))?.ok).toBe(false);
  }
});

test("refused: its sender reads why, nothing counts, another may be sent", async () => {
  await send(camille, quotient());
  const [number = ""] = await waiting();
  expect((await run("refuse", number, "L'attestation est illisible."))?.ok).toBe(true);
  expect(await counts("guardian")).toBeNull();
  expect(await seen(camille)).toMatchObject([
    { state: "refused", reason: "L'attestation est illisible.", validUntil: null },
  ]);
  const [notice] = (await camille.get("/api/notifications")).body.items;
  expect(notice.body).toContain("est refusé : L'attestation est illisible. Vous pouvez");
  expect((await send(camille, quotient(500))).status).toBe(201);
});

test("a newer one while the old one counts: the old one counts until the answer, then is replaced", async () => {
  await send(camille, quotient(640));
  await validate();
  expect((await send(camille, quotient(900))).status).toBe(201);
  expect(await counts("guardian")).toBe(640);
  await validate();
  expect(await counts("guardian")).toBe(900);
  expect((await seen(camille)).map(({ state }: { state: string }) => state)).toEqual([
    "validated",
    "replaced",
  ]);
});

// proves: household-papers
test("nobody else's: the other guardian sees a child's paper, not its file nor a household's quotient", async () => {
  await send(camille, quotient());
  const { body } = await send(camille, { kind: "schooling" }, "child");
  expect(await seen(thomas, "guardian")).toBeUndefined();
  expect(await seen(thomas, "coGuardian")).toEqual([]);
  expect(await seen(thomas, "child")).toMatchObject([
    { kind: "schooling", state: "waiting", sentByMe: false, documents: [] },
  ]);
  const file = `/api/documents/${body.documents[0].id}`;
  expect((await camille.get(file)).status).toBe(200);
  const [leo, hugo] = await Promise.all([server.as("child"), server.as("stranger")]);
  for (const other of [thomas, leo, hugo]) {
    expect((await other.get(file)).status).toBe(404);
    expect((await other.post(`/api/family/proofs/${body.id}/withdraw`)).status).toBe(404);
  }
  expect((await leo.get("/api/family/rights")).body).toMatchObject({ minor: true });
  expect(await seen(leo, "child")).toMatchObject([{ kind: "schooling", documents: [] }]);
  expect(await seen(hugo, "child")).toBeUndefined();
  expect((await send(hugo, { kind: "schooling" }, "child")).status).toBe(404);
});

test("withdrawn while it waits, once; its files are gone", async () => {
  const { body } = await send(camille, quotient());
  expect((await camille.post(`/api/family/proofs/${body.id}/withdraw`)).status).toBe(200);
  const again = await camille.post(`/api/family/proofs/${body.id}/withdraw`);
  expect(again).toMatchObject({ status: 409, body: { code: "proof_answered" } });
  expect((await camille.get(`/api/documents/${body.documents[0].id}`)).status).toBe(404);
  expect(await seen(camille)).toEqual([]);
  expect(await waiting()).toEqual(["Aucun"]);
});

test("refusals leave nothing: what is missing, dates, the household of a child, a child, others' files", async () => {
  const documents = [await upload(camille)];
  const refused = async (body: object, about: CastName = "guardian") =>
    (await camille.post(path(about), { documents, ...body })).body.code;
  expect(await refused({ kind: "quotient", writtenOn: on(0) })).toBe("proof_incomplete");
  expect(await refused({ kind: "quotient", quotient: 600 })).toBe("proof_incomplete");
  expect(await refused({ ...quotient(), documents: [] })).toBe("proof_incomplete");
  expect(await refused({ kind: "identity" }, "child")).toBe("proof_incomplete");
  expect(await refused({ ...quotient(), writtenOn: on(-93) })).toBe("proof_old");
  expect(await refused({ ...quotient(), writtenOn: on(1) })).toBe("proof_old");
  expect(await refused({ kind: "disability", expiresOn: on(-1) }, "child")).toBe("proof_date");
  expect(await refused({ kind: "identity", bornOn: on(1) }, "child")).toBe("proof_date");
  expect(await refused(quotient(), "child")).toBe("proof_household");
  expect(await refused({ kind: "home", writtenOn: on(0) }, "child")).toBe("proof_household");
  expect(await refused({ ...quotient(), quotient: -1 })).toBe("invalid_input");
  const leo = await server.as("child");
  expect((await send(leo, { kind: "schooling" }, "child")).body.code).toBe("family_minor");
  const foreign = await upload(thomas);
  expect(await refused({ ...quotient(), documents: [foreign] })).toBe("not_found");
  expect(await waiting()).toEqual(["Aucun"]);
  const used = await upload(camille);
  expect((await send(camille, { ...quotient(), documents: [used] })).status).toBe(201);
  expect(await refused({ kind: "schooling", documents: [used] }, "child")).toBe(
    "document_attached",
  );
  expect(await refused(quotient())).toBe("proof_waiting");
  expect(await waiting()).toHaveLength(1);
});

test("sent twice at once, one waits", async () => {
  const [one, two] = [await upload(camille), await upload(camille)];
  const answers = await Promise.all(
    [one, two].map((id) => camille.post(path("guardian"), { ...quotient(), documents: [id] })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(await waiting()).toHaveLength(1);
});

test("identity gives the day of birth; a disability without an end counts for ever", async () => {
  await send(
    camille,
    { kind: "identity", bornOn: "2018-05-04", expiresOn: on(900) },
    "secondChild",
  );
  await validate();
  await send(camille, { kind: "disability" }, "secondChild");
  await validate();
  const { body } = await camille.get("/api/family/rights");
  const jade = body.people.find((one: { name: string }) => one.name === "Jade Moreau");
  expect(jade.bornOn).toBe("2018-05-04");
  expect(jade.proofs).toMatchObject([
    { kind: "disability", validUntil: null, renew: false },
    { kind: "identity", validUntil: on(900) },
  ]);
});

test("renewal is asked once, 30 days before the end, unless a newer one was sent; then files go", async () => {
  const { body } = await send(camille, { kind: "disability", expiresOn: on(60) }, "child");
  await validate();
  await send(thomas, { kind: "disability", expiresOn: on(60) }, "child");
  await run("refuse", (await waiting())[0] ?? "", "Déjà reçu.");
  const renewalNotices = async () =>
    (await camille.get("/api/notifications")).body.items.filter(
      ({ title }: { title: string }) => title === "Justificatif à renouveler",
    ).length;
  const jobs = async () => {
    for (const task of ["ask_renewals", "erase_proof_files"]) {
      await server.deps.db.transaction().execute((tx) => server.deps.enqueue(tx, task, {}));
    }
    await server.runJobs();
  };
  await jobs();
  expect(await renewalNotices()).toBe(0);
  server.clock.advance(31 * day);
  await login();
  await jobs();
  await jobs();
  expect(await renewalNotices()).toBe(1);
  const own = (await seen(camille, "child")).find(({ id }: { id: string }) => id === body.id);
  expect(own).toMatchObject({ state: "validated", renew: true });
  server.clock.advance(30 * day);
  await login();
  expect(
    (await seen(camille, "child")).find(({ sentByMe }: { sentByMe: boolean }) => sentByMe),
  ).toMatchObject({
    state: "expired",
    renew: true,
  });
  expect(own.documents).toHaveLength(1);
  server.clock.advance(91 * day);
  await login();
  await jobs();
  const { rows } = await server.deps.pool.query("select from document");
  expect(rows).toEqual([]);
  expect(await renewalNotices()).toBe(1);
});
