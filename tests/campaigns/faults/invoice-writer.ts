// A process that issues its share of the subjects, four at once, each until it has its number. Now and
// then a transaction is undone after the number was taken: the next one must have it.
import { openDb, inTx } from "#server/db/db.ts";
import { issueInvoice } from "#server/invoices/invoices.ts";
import { demoIssuer } from "#server/process/issuer.ts";
import { loadConfig } from "#server/process/config.ts";

const [url = "", companyId = "", from = "0", until = "0"] = process.argv.slice(2);
const atOnce = 4;
const { db, close } = openDb(url, { max: atOnce, connectTimeoutMs: 60_000 });
const config = { ...loadConfig({ DATABASE_URL: url }), issuer: demoIssuer };
const deps = { config, send: async () => {}, now: () => new Date() };
const issuedOn = "2026-11-02";
let next = Number(from);

async function issue(subject: number, fails: boolean): Promise<void> {
  await inTx(db, async (tx) => {
    await issueInvoice(tx, deps, {
      companyId,
      kind: "invoice",
      subject: { kind: "other", id: `campaign:${subject}` },
      lines: [{ label: `Ligne ${subject}`, quantity: 1, unitCents: 100 + subject, vat: "normal" }],
      issuedOn,
      dueOn: "2026-12-02",
    });
    if (fails) throw new Error("undone on purpose");
  });
}

async function write(): Promise<void> {
  while (next < Number(until)) {
    const subject = next++;
    if (subject % 7 === 3) await issue(subject, true).catch(() => undefined);
    await issue(subject, false);
  }
}

await Promise.all(Array.from({ length: atOnce }, write));
await close();
