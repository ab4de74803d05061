// Batches of cards: which cards, the printed texts of each, and that a batch is made whole or not at all.
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardCommands } from "./operator.ts";
import { cast } from "#tests/cast.ts";
import { wordsOf } from "#tests/pdf-words.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { batchCommands } from "./card-batches-operator.ts";
import { holderCommands } from "./holders-operator.ts";

let server: TestServer;
let folder: string;
beforeAll(async () => {
  [server, folder] = await Promise.all([openTestServer(), scratchFolder("batches")]);
});
afterAll(async () => {
  await server.close();
  await removeData(folder);
});

const commands = [...holderCommands, ...cardCommands, ...batchCommands];
const run = async (name: string, ...args: string[]) => {
  const command = commands.find((one) => one.name === name);
  if (!command) throw new Error(`no command ${name}`);
  return await command.run(server.deps, args, "alice");
};
const rows = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const create = async (first: string) => {
  const { lines } = await run("holders create", first, "Lot", "01/01/1980");
  const found = /carte (\d{10})  secret ([\d-]+)$/.exec(lines[0] ?? "");
  return { cardnumber: Number(found?.[1]), secret: found?.[2] ?? "" };
};
const login = (cardnumber: number, password: string) =>
  server.anonymous.post("/api/login", { login: cardnumber, password });
const secretsIn = async (path: string) => [
  ...new Set(wordsOf(await readFile(path)).match(/\d{4}-\d{4}-\d{4}/g)),
];
const stateOf = async (cardnumber: number) =>
  (await rows("select state from card where number = $1", cardnumber))[0]?.state;

// proves: card-batches
test("cards batch: letters with the secrets, a list without, the cards in production, all recorded", async () => {
  expect((await run("cards batch", join(folder, "none"))).lines[0]).toContain("Aucune carte");
  const ana = await create("Ana");
  const boris = await create("Boris");
  // A replacement of a card: its holder has a password already.
  const camille = await server.as("guardian");
  await camille.post(`/api/cards/${cast.guardian.cardnumber}/oppose`, { reason: "lost" });
  const [{ number: replacement }] = await rows(
    "select number from card where replaces = $1",
    cast.guardian.cardnumber,
  );
  expect((await run("cards approve", String(replacement))).ok).toBe(true);
  const made = await run("cards batch", join(folder, "one"));
  expect(made).toMatchObject({
    ok: true,
    lines: [
      expect.stringMatching(/^Lot \d+ : 3 cartes, dont 2 secrets de première connexion\.$/),
      expect.stringMatching(/lot-\d+-lettres\.pdf$/),
      expect.stringMatching(/lot-\d+\.csv$/),
      expect.any(String),
    ],
  });
  const [, letters = "", list = ""] = made.lines;
  expect((await stat(letters)).mode & 0o777).toBe(0o600);
  const words = wordsOf(await readFile(letters));
  expect(words).toContain("Ana Lot");
  expect(words).toContain("Boris Lot");
  expect(words).toContain("remplace celle qui se termine par 0016");
  const table = await readFile(list, "utf8");
  expect(table.split("\r\n").slice(1)).toEqual([
    `${ana.cardnumber};Ana Lot;première carte`,
    `${boris.cardnumber};Boris Lot;première carte`,
    `${replacement};Camille Moreau;remplace ${cast.guardian.cardnumber}`,
    "",
  ]);
  expect(table).not.toMatch(/\d{4}-\d{4}-\d{4}/);
  for (const number of [ana.cardnumber, boris.cardnumber, replacement]) {
    expect(await stateOf(number)).toBe("in_production");
  }
  // The secret of the letter signs in, the former one does not.
  const secrets = await secretsIn(letters);
  expect(secrets).toHaveLength(2);
  await run("cards ship", String(ana.cardnumber));
  expect((await login(ana.cardnumber, ana.secret)).body.code).toBe("wrong_credentials");
  const answers = await Promise.all(secrets.map((secret) => login(ana.cardnumber, secret)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const trail = await rows(
    `select a.actor, a.action, a.details->>'batch' as batch from audit a join card c
      on c.person_id = a.person_id where c.number = $1 and a.action in ('card.in_production', 'holder.secret')`,
    ana.cardnumber,
  );
  const [{ number: batch }] = await rows("select number from card_batch");
  expect(trail).toEqual([
    { actor: "operator:alice", action: "card.in_production", batch: String(batch) },
    { actor: "operator:alice", action: "holder.secret", batch: null },
  ]);
  expect((await run("cards batches")).lines).toEqual([
    expect.stringMatching(/3 cartes, dont 3 pas encore actives {2}\(alice\)$/),
  ]);
  expect((await run("cards batch", join(folder, "one"))).lines[0]).toContain("Aucune carte");
});

// proves: card-batches
test("cards batch: a file that cannot be written leaves cards, secrets and folder as they were", async () => {
  const chloe = await create("Chloé");
  const before = await rows("select number, operator from card_batch");
  const [{ next }] = await rows(
    "select last_value + 1 as next from pg_sequences where sequencename = 'card_batch_number_seq'",
  );
  const taken = join(folder, "taken");
  await run("holders create", "Dan", "Lot", "01/01/1980");
  await mkdir(taken);
  await writeFile(join(taken, `lot-${next}.csv`), "here");
  const refused = await run("cards batch", taken);
  expect(refused.ok).toBe(false);
  expect(refused.lines[0]).toContain("il existe déjà");
  expect(await readdir(taken)).toEqual([`lot-${next}.csv`]);
  expect(await readFile(join(taken, `lot-${next}.csv`), "utf8")).toBe("here");
  expect(await stateOf(chloe.cardnumber)).toBe("approved");
  expect(await rows("select number, operator from card_batch")).toEqual(before);
  await run("cards produce", String(chloe.cardnumber));
  await run("cards ship", String(chloe.cardnumber));
  expect((await login(chloe.cardnumber, chloe.secret)).status).toBe(200);
});

test("cards batch: as many as told; two at once make no card twice", async () => {
  await create("Elsa");
  expect((await run("cards batch", folder, "0")).ok).toBe(false);
  expect((await run("cards batch", folder, "501")).ok).toBe(false);
  const one = await run("cards batch", join(folder, "first"), "1");
  expect(one.lines[0]).toContain("1 carte, dont 1 secret");
  await create("Fred");
  const both = await Promise.all([
    run("cards batch", join(folder, "left")),
    run("cards batch", join(folder, "right")),
  ]);
  expect(both.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(1);
  const twice = await rows(
    `select c.number from card c join audit a on a.person_id = c.person_id
      and a.action = 'card.in_production' where c.batch_number is not null group by 1 having count(*) > 1`,
  );
  expect(twice).toEqual([]);
  const refused = both.find(({ ok }) => !ok);
  if (refused) expect(refused.lines[0]).toContain("Rien n'est imprimé");
});

// proves: card-batches
test("cards reprint: new secrets for those who have none of their own, the others keep their password", async () => {
  const gil = await create("Gil");
  const hana = await create("Hana");
  const made = await run("cards batch", join(folder, "lost"));
  const lot = /^Lot (\d+)/.exec(made.lines[0] ?? "")?.[1] ?? "";
  await run("cards ship", `${gil.cardnumber},${hana.cardnumber}`);
  const printed = await secretsIn(made.lines[1] ?? "");
  const tries = await Promise.all(printed.map((secret) => login(gil.cardnumber, secret)));
  const session = tries.find(({ status }) => status === 200);
  const password = "Quatre mouettes rient sur la jetée";
  await server.withToken(session?.body.token.jeton).post("/api/password/reset", { password });
  expect((await run("cards reprint", "99999", folder)).ok).toBe(false);
  expect((await run("cards reprint", lot, join(folder, "lost"))).lines[0]).toContain("existe déjà");
  const again = await run("cards reprint", lot, join(folder, "again"));
  const [secret = "", ...more] = await secretsIn(again.lines[1] ?? "");
  expect(more).toEqual([]);
  expect(printed).not.toContain(secret);
  expect((await login(hana.cardnumber, secret)).status).toBe(200);
  expect((await login(gil.cardnumber, password)).status).toBe(200);
});
