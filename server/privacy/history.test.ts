// One holder's history: all events, newest first, a page or a file; nothing of other people.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast } from "#tests/cast.ts";
import { makeEvent } from "#tests/events.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { historyCommands } from "./history-operator.ts";

let server: TestServer;
let folder: string;
beforeAll(async () => {
  [server, folder] = await Promise.all([openTestServer(), scratchFolder("history")]);
});
afterAll(async () => {
  await server.close();
  await removeData(folder);
});

const run = async (...args: string[]) => {
  const { ok, lines } = (await historyCommands[0]?.run(server.deps, args, "alice")) ?? {
    ok: false,
    lines: [],
  };
  return { ok, lines: lines.map((line) => line.replaceAll(/[\u202f\u00a0]/g, " ")) };
};
const card = String(cast.guardian.cardnumber);

// proves: history-read-recorded
test("holders history: identity, cards, wallets, then everything that happened; reading it is written down", async () => {
  const camille = await server.as("guardian");
  await server.as("stranger");
  const event = await makeEvent(server);
  const { objectID } = (await camille.get(`/api/wallets?cardnumber=${card}`)).body.items[0];
  const { cart } = (
    await camille.post("/api/tickets/cart/lines", {
      session: event.session,
      category: event.full,
      cardnumber: cast.guardian.cardnumber,
      quantity: 1,
    })
  ).body;
  const order = { method: "wallet", order: cart.id, objectID, totalCents: cart.totalCents };
  expect((await camille.post("/api/tickets/cart/pay", order)).status).toBe(200);
  await camille.post(`/api/wallets/${objectID}/top-ups`, { amountCents: 2000 });
  const { ok, lines } = await run(card);
  const text = lines.join("\n");
  expect(ok).toBe(true);
  expect(lines[0]).toMatch(/^Camille Moreau, porteur, inscrit le /);
  expect(text).toMatch(/^joint par {2}camille\.moreau@exemple\.fr, \+33612345601$/m);
  expect(text).toMatch(/^famille .*Léo Moreau/m);
  expect(text).toMatch(/^carte +1000 000 016 {2}Active/m);
  expect(text).toMatch(/^cagnotte .* 108,00 €$/m);
  expect(text).toMatch(/opération +− 12,00 € {2}achat/);
  expect(text).toMatch(/opération +\+ 120,00 € {2}recharge .*Solde d'ouverture/);
  expect(text).toMatch(/recharge +20,00 € {2}recharge {2}sandbox.* {2}Commencée$/m);
  expect(text).toMatch(/commande +12,00 € {2}e-billets {2}Concert du port {2}payée$/m);
  expect(text).toMatch(/activité +E-billets achetés/);
  expect(text).not.toContain(cast.stranger.name);
  const again = (await run(card)).lines.join("\n");
  expect(again).toMatch(/activité .*Historique consulté par le service clients {2}opérateur alice/);
  expect(await run("1999999999")).toMatchObject({ ok: false });
});

// proves: history-read-recorded
test("holders history: a page of a hundred on the screen, all of it in a file that is new", async () => {
  await server.deps.pool.query(
    `select audit_append(person_id, now(), 'person', 'session.open', 'mark ' || n || chr(8238), '{}')
      from card, generate_series(1, 230) n where number = $1`,
    [cast.child.cardnumber],
  );
  const child = String(cast.child.cardnumber);
  const marks = (lines: readonly string[]) =>
    lines.flatMap((line) => /mark (\d+)/.exec(line)?.[1] ?? []);
  const pages = [];
  for (const page of ["1", "2", "3", "4"]) pages.push((await run(child, page)).lines);
  expect(pages[0]?.at(-1)).toMatch(/^Page 1 sur 3 : \d+ lignes\.$/);
  expect(marks(pages[3] ?? [])).toEqual([]);
  const path = join(folder, "child.txt");
  expect((await run(child, path)).ok).toBe(true);
  const file = await readFile(path, "utf8");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(new Set(marks(file.split("\n"))).size).toBe(230);
  expect(file).toContain("mark 1\\u202e");
  expect(file).not.toContain("\u202e");
  const before = file;
  const refused = await run(child, path);
  expect(refused).toMatchObject({ ok: false, lines: [expect.stringContaining("il existe déjà")] });
  expect(await readFile(path, "utf8")).toBe(before);
});
