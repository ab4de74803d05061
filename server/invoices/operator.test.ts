// Commands of invoices: a draft that is issued once, a credit note, a transfer, life-cycle states.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { cast } from "#tests/cast.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { issueInvoice } from "./issue.ts";
import { invoiceCommands } from "./operator.ts";
import { runByTwo } from "#tests/two-operators.ts";

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await openTestServer();
  folder = await scratchFolder("invoices");
});
afterAll(async () => {
  await server.close();
  await removeData(folder);
});

const run = async (name: string, ...args: string[]) => {
  const command = invoiceCommands.find((one) => one.name === `invoices ${name}`);
  if (!command) throw new Error(name);
  const { ok, lines } = await (["credit", "transfer-received"].includes(name)
    ? runByTwo(server.deps, command, args)
    : command.run(server.deps, args, "test"));
  return { ok, text: lines.join("\n").replaceAll(/[\u00a0\u202f]/g, " ") };
};
const card = String(cast.partnerShop.cardnumber);
const fileOf = async (text: string): Promise<string> => {
  const path = join(folder, "lignes.csv");
  await writeFile(path, text);
  return path;
};

test("a draft has no number until it is issued, once", async () => {
  const path = await fileOf("Location de lecteur;2;12,50;20\nFormation;1;90;exempt\n");
  const drafted = await run("draft", card, path);
  expect(drafted.text).toContain("2 lignes, 120,00 € dont TVA 5,00 €");
  expect((await run("list", card)).text).toBe("Aucun document.");
  const id = /Brouillon (\d+)/.exec(drafted.text)?.[1] ?? "";
  const [issued, again] = [await run("issue", id), await run("issue", id)];
  expect(issued.text).toMatch(/^Facture F\d{4}-00001 émise\.$/);
  expect(again.text).toBe(issued.text);
  expect((await run("list")).text).toMatch(/F\d{4}-00001.*120,00 €, reste 120,00 €  À payer/);
});

test("what makes no draft is refused with its line", async () => {
  for (const wrong of [
    "Une ligne;deux;1;20",
    "Une ligne;1;1;19,6",
    ";1;1;20",
    "Une ligne;1;gratuit;20",
  ]) {
    const refused = await run("draft", card, await fileOf(`Bonne;1;1;20\n${wrong}\n`));
    expect([refused.ok, refused.text], wrong).toEqual([false, expect.stringContaining("ligne 2")]);
  }
  expect((await run("draft", card, join(folder, "absent.csv"))).ok).toBe(false);
  const holder = String(cast.guardian.cardnumber);
  expect((await run("draft", holder, await fileOf("A;1;1;20"))).text).toContain(
    "aucune entreprise",
  );
  expect((await run("issue", "999")).ok).toBe(false);
});

test("a transfer is noted once; a credit note takes the invoice back and what was paid is owed", async () => {
  const [number = ""] = /F\d{4}-00001/.exec((await run("list")).text) ?? [];
  const command = invoiceCommands.find(({ name }) => name === "invoices transfer-received");
  await command?.run(server.deps, [number, "50", "VIR 1"], "alice");
  expect((await run("list")).text).toContain("reste 120,00 €");
  expect((await run("transfer-received", number, "50", "VIR 1")).text).toContain("reste 70,00 €");
  expect((await run("transfer-received", number, "50", "VIR 1")).text).toContain("déjà noté");
  expect((await run("transfer-received", number, "70,01", "VIR 2")).ok).toBe(false);
  expect((await run("transfer-received", number, "rien", "VIR 2")).ok).toBe(false);
  expect((await run("transfer-received", number, "1", " ")).ok).toBe(false);
  expect((await run("credit", number, " ")).ok).toBe(false);
  const credited = await run("credit", number, "Matériel rendu");
  expect(credited.text).toMatch(/^Avoir A\d{4}-00001 émis/);
  expect((await run("credit", number, "Encore")).text).toBe(credited.text);
  const output = (await run("show", number)).text;
  expect(output).toContain("Annulée par avoir, Payée");
  const [note = ""] = /A\d{4}-00001/.exec(output) ?? [];
  expect((await run("show", note)).text).toMatch(/Remboursé en partie[^]*reste {7}50,00 €/);
  expect((await run("credit", note, "Non")).ok).toBe(false);
});

test("an invoice of another room is credited by that room, whose account holds its money", async () => {
  const { rows } = await server.deps.pool.query(
    `select m.company_id as id from company_member m join card c on c.person_id = m.person_id
     where c.number = $1`,
    [cast.partnerShop.cardnumber],
  );
  for (const kind of ["card_order", "commission", "commuting"] as const) {
    const { number } = await inTx(server.deps.db, (tx) =>
      issueInvoice(tx, server.deps, {
        companyId: rows[0].id,
        kind: "invoice",
        subject: { kind, id: randomUUID() },
        lines: [{ label: kind, quantity: 1, unitCents: 10_000, vat: "normal" }],
        issuedOn: "2031-01-01",
        dueOn: "2031-01-31",
      }),
    );
    const refused = await run("credit", number, "Erreur");
    expect(refused).toMatchObject({ ok: false, text: expect.stringContaining("Passez par") });
  }
  const { rows: notes } = await server.deps.pool.query(
    "select from invoice where kind = 'credit_note' and subject_id not like 'credit:%'",
  );
  expect(notes).toEqual([]);
});

test("life-cycle states are kept as they were told", async () => {
  const [number = ""] = /A\d{4}-00001/.exec((await run("list")).text) ?? [];
  expect((await run("states", number)).text).toBe("Aucun état reçu.");
  expect((await run("states", number, "203")).text).toContain("203 Mise à disposition");
  expect((await run("states", number, "210")).ok).toBe(false);
  expect((await run("states", number, "299")).ok).toBe(false);
  const refused = await run("states", number, "210", "Mauvais destinataire");
  expect(refused.text).toContain("210 Refusée : Mauvais destinataire");
  expect((await run("states", "F1999-00001")).ok).toBe(false);
});
