// Closing the demo's accounts: their password is public, so a portal that is no demo must not have them.
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { type Db, inTx } from "#server/db/db.ts";
import { auditOperator } from "#server/identity/identity.ts";
import { exitCodes, StartProblem } from "#server/process/start-problem.ts";
import { cast, castPassword } from "./cast.ts";

interface OpenAccount {
  personId: number;
  cardnumber: number;
  passwordHash: string;
}

/** The accounts that the demo's cards and its public password open. */
async function openDemoAccounts(db: Db): Promise<OpenAccount[]> {
  const numbers = Object.values(cast).map(({ cardnumber }) => cardnumber);
  const { rows } = await sql<OpenAccount>`
    select p.id as person_id, c.number as cardnumber, p.password_hash
      from card c join person p on p.id = c.person_id
     where c.number = any (${numbers}::bigint[]) and p.disabled_at is null
       and p.password_hash is not null order by c.number`.execute(db);
  const isPublic = new Map<string, boolean>();
  for (const { passwordHash } of rows) {
    if (isPublic.has(passwordHash)) continue;
    const { verify } = await import("@node-rs/argon2");
    isPublic.set(passwordHash, await verify(passwordHash, castPassword).catch(() => false));
  }
  return rows.filter(({ passwordHash }) => isPublic.get(passwordHash));
}

/** Refuses to start outside demo mode while the public password opens an account (StartProblem). */
export async function requireNoDemoAccounts(db: Db): Promise<void> {
  const open = await openDemoAccounts(db);
  if (open.length === 0) return;
  throw new StartProblem(
    `Cette base contient ${open.length} comptes de démonstration, dont le mot de passe est public : ` +
      "fermez-les par «\u00a0npm run operator -- demo close\u00a0», ou donnez un DATA_DIR neuf. " +
      "DEMO=1 accepte ces comptes et l'argent fictif.",
    exitCodes.badSetting,
  );
}

/** Disables every open demo account, ends its sessions and gives it a password that nobody knows. */
async function closeDemoAccounts(db: Db, at: Date, operator: string): Promise<number[]> {
  const open = await openDemoAccounts(db);
  const { hash } = await import("@node-rs/argon2");
  const unknown = await hash(randomBytes(32));
  const people = open.map(({ personId }) => personId);
  await inTx(db, async (tx) => {
    await tx
      .updateTable("person")
      .set({ disabledAt: at, passwordHash: unknown })
      .where("id", "in", people.length > 0 ? people : [-1])
      .execute();
    await tx
      .updateTable("session")
      .set({ endedAt: at })
      .where("personId", "in", people.length > 0 ? people : [-1])
      .where("endedAt", "is", null)
      .execute();
    for (const personId of people)
      await auditOperator(tx, operator, "demo.close", { personId, at });
  });
  return open.map(({ cardnumber }) => cardnumber);
}

export const demoCommands = [
  {
    name: "demo close",
    arguments: [],
    says: "ferme les comptes de démonstration, dont le mot de passe est public",
    async run(
      { db, now }: { db: Db; now: () => Date },
      _input: readonly string[],
      operator: string,
    ) {
      const closed = await closeDemoAccounts(db, now(), operator);
      if (closed.length === 0)
        return { ok: true, lines: ["Aucun compte de démonstration n'est ouvert."] };
      return { ok: true, lines: [`Comptes de démonstration fermés : ${closed.join(", ")}.`] };
    },
  },
];
