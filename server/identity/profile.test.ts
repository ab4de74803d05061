// GET /api/profile: the state of each setting, one's own alone.
import { afterAll, beforeAll, expect, test } from "vitest";
import { session as limits } from "#contract/limits.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const settingsOf = async (client: Awaited<ReturnType<TestServer["as"]>>) =>
  (await client.get("/api/profile")).body.settings;
const run = (statement: string) => server.deps.pool.query(statement);
const person = (name: CastName) =>
  `(select person_id from card where number = ${cast[name].cardnumber})`;

test("of an account where nothing was set up", async () => {
  const settings = await settingsOf(await server.as("stranger"));
  expect(settings).toMatchObject({
    passkeys: 0,
    recoveryCodesLeft: null,
    sessions: 1,
    lastActivity: { label: "Connexion" },
    allergiesDeclaredAt: null,
    closesOn: null,
    dataExport: null,
  });
  expect(settings.kindsSent.email).toBeGreaterThan(0);
  expect(settings.kindsSent.sms).toBe(0);
});

test("counts what is one's own and still serves", async () => {
  const camille = await server.as("guardian");
  const hugo = await server.as("stranger");
  const before = await settingsOf(hugo);
  const me = person("guardian");
  for (const name of ["Téléphone", "Tablette"]) {
    await run(`insert into passkey (id, person_id, credential_id, public_key, counter, transports,
      synced, name, created_at) values (gen_random_uuid(), ${me}, uuid_send(gen_random_uuid()), '', 0,
      '{internal}', true, '${name}', now())`);
  }
  await run(`insert into recovery_code (person_id, hmac, made_at, used_at)
    select ${me}, uuid_send(gen_random_uuid()), now(), case when n <= 3 then now() end
    from generate_series(1, 10) n`);
  await run(`insert into health_record (person_id, sealed, consented_by, consented_at, updated_at)
    values (${me}, '', ${me}, '2026-03-12 12:00+00', now())`);
  await run(`insert into closure (person_id, requested_by, requested_at, closes_on)
    values (${me}, ${me}, now(), '2031-03-05')`);
  await run(`insert into data_export (person_id, requested_by, requested_at)
    values (${me}, ${me}, now())`);
  expect(await settingsOf(camille)).toMatchObject({
    passkeys: 2,
    recoveryCodesLeft: 7,
    allergiesDeclaredAt: "2026-03-12T12:00:00.000Z",
    closesOn: "2031-03-05",
    dataExport: "waiting",
  });
  await run(
    `update data_export set ready_at = now(), bytes = 1, expires_at = now() + interval '9 days'`,
  );
  await run("update recovery_code set used_at = now()");
  expect(await settingsOf(camille)).toMatchObject({ recoveryCodesLeft: 0, dataExport: "ready" });
  await run("update data_export set expires_at = now() - interval '1 day'");
  await run("update closure set state = 'cancelled', answered_at = now()");
  expect(await settingsOf(camille)).toMatchObject({ closesOn: null, dataExport: null });
  expect(await settingsOf(hugo)).toEqual(before);
});

test("an ended session and one whose token has expired are not open", async () => {
  const first = await server.as("coGuardian");
  const { sessions } = await settingsOf(first);
  const second = await server.as("coGuardian");
  expect((await settingsOf(first)).sessions).toBe(sessions + 1);
  await second.post("/api/logout", {});
  expect(await settingsOf(first)).toMatchObject({
    sessions,
    lastActivity: { label: "Déconnexion" },
  });
  server.clock.advance((limits.tokenSeconds + 1) * 1000);
  expect((await settingsOf(await server.as("coGuardian"))).sessions).toBe(1);
});

test("a choice of notifications counts by channel; a channel without an address sends nothing", async () => {
  const thomas = await server.as("coGuardian");
  const { kindsSent: before } = await settingsOf(thomas);
  for (const enabled of [true, false]) {
    await thomas.post("/api/notifications/choices", { kind: "ticket", channel: "sms", enabled });
    const { kindsSent } = await settingsOf(thomas);
    expect(kindsSent).toEqual({ ...before, sms: before.sms + (enabled ? 1 : 0) });
  }
  await thomas.post("/api/notifications/choices", { kind: "meal", channel: "sms", enabled: true });
  await run(`update person set phonenumber = null where id = ${person("coGuardian")}`);
  expect((await settingsOf(thomas)).kindsSent.sms).toBe(0);
});
