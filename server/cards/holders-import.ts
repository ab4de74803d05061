// Imports a file of holders, all of them or none. A holder whose reference is known stays unchanged, so that
// importing the same file again, or a longer one, creates nobody twice.
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { isCardnumber } from "#contract/endpoint.ts";
import { formatDate } from "#contract/french.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditAll, hashFirstPassword } from "#server/identity/identity.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { openHolder } from "./holders.ts";
import { isChildOn, readHolders, type HolderLine } from "./holders-file.ts";

/** Result of an import, or of a check. */
export interface ImportReport {
  created: { reference: string; name: string; cardnumber: number | null }[];
  /** How many of the file existed already. */
  known: number;
  /** If there is one, nothing was written. */
  faults: string[];
}

/** Imports the file, or with `check` only reports what it would do. */
export async function importHolders(
  deps: OperatorDeps,
  bytes: Buffer,
  { operator, check }: { operator: string; check: boolean },
): Promise<ImportReport> {
  const now = deps.now();
  const file = await readHolders(bytes, now);
  // A password that nobody knows: the secret is made when it is printed (cards batch, holders secret).
  const passwordHash = check ? "" : await hashFirstPassword(randomBytes(32).toString("base64"));
  return await inTx(deps.db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await lockNewHolders(tx);
    const { unknown, known, faults } = await compare(tx, file.holders, now);
    const all = [...file.faults, ...faults].sort((a, b) => lineOf(a) - lineOf(b));
    if (all.length > 0) return { created: [], known: 0, faults: all };
    if (check) {
      const created = unknown.map(({ reference, name }) => ({ reference, name, cardnumber: null }));
      return { created, known, faults: [] };
    }
    return {
      created: await write(tx, unknown, { passwordHash, operator, now }),
      known,
      faults: [],
    };
  });
}

/** Serializes imports and creations: the second waits, then finds whom the first created. */
export async function lockNewHolders(tx: Tx): Promise<void> {
  await sql`lock table holder_reference in share row exclusive mode`.execute(tx);
}

const lineOf = (fault: string) => Number(/^ligne (\d+)/.exec(fault)?.[1] ?? 0);

interface KnownHolder {
  reference: string;
  name: string;
  bornOn: string | null;
  closed: boolean;
}

/** Who is new, and where the file contradicts existing people. */
async function compare(tx: Tx, holders: readonly HolderLine[], now: Date) {
  const { rows } = await sql<KnownHolder>`
    select r.reference, p.name, p.born_on, p.disabled_at is not null as closed
    from holder_reference r join person p on p.id = r.person_id
    where r.reference = any (${holders.map(({ reference }) => reference)}::text[])`.execute(tx);
  const byReference = new Map(rows.map((row) => [row.reference, row]));
  const faults: string[] = [];
  for (const { line, reference, name, bornOn } of holders) {
    const same = byReference.get(reference);
    // The name of a closed account is erased, so it contradicts nothing.
    if (!same || same.closed || (same.name === name && same.bornOn === bornOn)) continue;
    faults.push(
      `ligne ${line} : la référence ${reference} est celle de ${same.name}` +
        `${same.bornOn ? `, naissance le ${formatDate(same.bornOn)}` : ""} : rien ne change un porteur déjà importé.`,
    );
  }
  const unknown = holders.filter(({ reference }) => !byReference.has(reference));
  const homonyms = await sameNamed(tx, unknown);
  for (const { line, name, bornOn } of unknown) {
    const cardnumber = homonyms.get(keyOf(name, bornOn));
    if (cardnumber !== undefined) faults.push(`ligne ${line} : ${homonym(name, cardnumber)}`);
  }
  const twins = Map.groupBy(unknown, ({ name, bornOn }) => keyOf(name, bornOn));
  for (const [first, ...others] of twins.values()) {
    for (const { line, name } of others) {
      faults.push(
        `ligne ${line} : ${name}, de même date de naissance, est déjà à la ligne ${first?.line}.`,
      );
    }
  }
  faults.push(...(await guardianFaults(tx, unknown, now)));
  return { unknown, known: holders.length - unknown.length, faults };
}

/** A sentence that a person of this name and day of birth exists. */
export const homonym = (name: string, cardnumber: number | null): string =>
  `${name}, de même date de naissance, existe déjà${cardnumber === null ? "" : ` (carte ${cardnumber})`} ; ` +
  "pour un homonyme, donnez aussi un second prénom.";

const keyOf = (name: string, bornOn: string) => `${name.toLowerCase()} ${bornOn}`;

/** The cards of people who bear the name and the day of birth of new ones. */
export async function sameNamed(
  db: Db,
  people: readonly { name: string; bornOn: string }[],
): Promise<Map<string, number | null>> {
  const { rows } = await sql<{ key: string; cardnumber: number | null }>`
    select lower(p.name) || ' ' || p.born_on as key, card.number as cardnumber
    from person p left join lateral current_card(p.id) card on true
    where p.disabled_at is null and (lower(p.name), p.born_on) in (
      select lower(n.name), n.born_on from unnest(${people.map(({ name }) => name)}::text[],
        ${people.map(({ bornOn }) => bornOn)}::date[]) as n (name, born_on))`.execute(db);
  return new Map(rows.map(({ key, cardnumber }) => [key, cardnumber]));
}

async function guardianFaults(
  tx: Tx,
  unknown: readonly HolderLine[],
  now: Date,
): Promise<string[]> {
  const inFile = new Map(unknown.map((one) => [one.reference, one]));
  const faults: string[] = [];
  for (const { line, guardian } of unknown) {
    if (guardian === null) continue;
    const here = inFile.get(guardian);
    if (here?.isChild) faults.push(`ligne ${line} : le responsable ${guardian} est mineur.`);
    if (here) continue;
    const why = await guardianProblem(tx, guardian, now);
    if (why !== null) faults.push(`ligne ${line} : ${why}`);
  }
  return faults;
}

/** A sentence when nobody of this reference or card may be a child's guardian, else null. */
export async function guardianProblem(
  db: Db,
  identifier: string,
  now: Date,
): Promise<string | null> {
  const found = await guardianNamed(db, identifier);
  if (!found) return `le responsable ${identifier} n'est ni une référence connue ni une carte.`;
  const child = found.guarded || (found.bornOn !== null && isChildOn(found.bornOn, now));
  return child ? `le responsable ${identifier} est mineur.` : null;
}

/** The holder of a reference or of a card. */
export async function guardianNamed(
  db: Db,
  identifier: string,
): Promise<{ personId: number; bornOn: string | null; guarded: boolean } | null> {
  const number = isCardnumber(Number(identifier)) ? Number(identifier) : 0;
  return await query(db).maybeOne(sql<{
    personId: number;
    bornOn: string | null;
    guarded: boolean;
  }>`
    select p.id as person_id, p.born_on, exists (select from current_ties() t
      where t.member_id = p.id and t.role = 'child') as guarded
    from person p where p.type = 1 and p.disabled_at is null
      and (p.id = (select person_id from holder_reference where reference = ${identifier})
        or p.id = (select person_id from card where number = ${number}))
    order by p.id limit 1`);
}

async function write(
  tx: Tx,
  unknown: readonly HolderLine[],
  { passwordHash, operator, now }: { passwordHash: string; operator: string; now: Date },
) {
  const created: ImportReport["created"] = [];
  const people: number[] = [];
  // Adults first: a child's guardian may stand further down in the file.
  for (const one of [...unknown].sort((a, b) => Number(a.isChild) - Number(b.isChild))) {
    const { reference, name, guardian: identifier, isChild: _, line: __, ...details } = one;
    const guardian =
      identifier === null ? null : ((await guardianNamed(tx, identifier))?.personId ?? null);
    const made = await openHolder(tx, { ...details, name, guardian, passwordHash, at: now });
    await sql`insert into holder_reference (reference, person_id, at)
      values (${reference}, ${made.personId}, ${now})`.execute(tx);
    people.push(made.personId);
    created.push({ reference, name, cardnumber: made.cardnumber });
  }
  const line = { action: "holder.create", actor: `operator:${operator}`, address: null, at: now };
  await auditAll(
    tx,
    people.map((personId) => ({ ...line, personId })),
  );
  return created;
}
