// The operator's side of rights: what waits, what a paper says, and the answer.
import { sql } from "kysely";
import { type ProofKind, proofRules } from "#contract/entitlements.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate } from "#contract/french.ts";
import { proofNames } from "#contract/proof-words.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { documentsOf } from "#server/documents/documents.ts";
import { audit } from "#server/identity/identity.ts";
import { type Sent, tellSender } from "./tell.ts";

/** What the desk needs of the dependencies: it runs beside the server too. */
type Desk = Pick<Deps, "db" | "now" | "send" | "config">;

interface Answer {
  ok: boolean;
  lines: string[];
}

/** A command of `npm run operator -- rights …`. */
export interface EntitlementCommand {
  name: string;
  arguments: readonly string[];
  says: string;
  run(desk: Desk, given: readonly string[], operator: string): Promise<Answer>;
}

export const entitlementCommands: readonly EntitlementCommand[] = [
  {
    name: "rights list",
    arguments: [],
    says: "montre les justificatifs qui attendent une réponse",
    run: async ({ db }) => {
      const { rows } = await sql<{ number: number; kind: ProofKind; name: string; day: string }>`
        select p.number, p.kind, person.name, p.sent_at::date as day
        from proof p join person on person.id = p.person_id
        where p.state = 'waiting' order by p.number limit 200`.execute(db);
      const lines = rows.map(
        ({ number, kind, name, day }) => `${number}  ${day}  ${proofNames[kind]}  ${name}`,
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucun justificatif en attente."] };
    },
  },
  {
    name: "rights show",
    arguments: ["<justificatif>"],
    says: "montre un justificatif et ses fichiers (documents save les enregistre)",
    run: (desk, [given = ""]) => told(() => show(desk, numberIn(given))),
  },
  {
    name: "rights validate",
    arguments: ["<justificatif>"],
    says: "valide un justificatif ; dit jusqu'à quand il compte",
    run: (desk, [given = ""], operator) =>
      told(async () => {
        const { name, kind, until } = await validateProof(desk, numberIn(given), operator);
        const words = until === null ? "sans fin" : `jusqu'au ${formatDate(until)}`;
        return [`${name}  ${proofNames[kind]}  validé ${words}`];
      }),
  },
  {
    name: "rights refuse",
    arguments: ["<justificatif>", "<motif>"],
    says: "refuse un justificatif, avec le motif que lira la personne",
    run: (desk, [given = "", reason = ""], operator) =>
      told(async () => {
        const { name, kind } = await refuseProof(desk, numberIn(given), { reason, operator });
        return [`${name}  ${proofNames[kind]}  refusé`];
      }),
  },
];

async function show({ db }: Desk, number: number): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
    kind: ProofKind;
    state: string;
    about: string;
    sender: string;
    quotient: number | null;
    written_on: string | null;
    born_on: string | null;
    expires_on: string | null;
  }>`select p.*, about.name as about, sender.name as sender from proof p
    join person about on about.id = p.person_id join person sender on sender.id = p.sent_by
    where p.number = ${number}`.execute(db);
  const [one] = rows;
  if (!one) throw new Problem("not_found");
  const files = await documentsOf(db, { kind: "proof", id: one.id });
  const facts: [string, string | null][] = [
    ["quotient", one.quotient === null ? null : String(one.quotient)],
    ["daté du", one.written_on],
    ["né le", one.born_on],
    ["valable jusqu'au", one.expires_on],
  ];
  return [
    `${proofNames[one.kind]} de ${one.about}, envoyé par ${one.sender} (${one.state})`,
    ...facts.flatMap(([label, value]) => (value === null ? [] : [`  ${label} ${value}`])),
    ...files.map(({ id, name, bytes }) => `  fichier ${id}  ${name}  ${bytes} octets`),
  ];
}

interface Open extends Sent {
  id: string;
  personId: number;
  bornOn: string | null;
}

async function openProof(tx: Tx, number: number): Promise<Open> {
  const { rows } = await sql<Open & { state: string }>`
    select p.id, p.kind, p.state, p.person_id as "personId", p.sent_by as "sentBy",
      p.born_on as "bornOn", person.name
    from proof p join person on person.id = p.person_id
    where p.number = ${number} for no key update of p`.execute(tx);
  if (!rows[0]) throw new Problem("not_found");
  if (rows[0].state !== "waiting") throw new Problem("proof_answered");
  return rows[0];
}

/** Validates a paper that waits; `until` is its last day, null for what has no end. */
export function validateProof(
  { db, now, ...deps }: Desk,
  number: number,
  operator: string,
): Promise<{ name: string; kind: ProofKind; until: string | null }> {
  return inTx(db, async (tx) => {
    const at = now();
    const open = await openProof(tx, number);
    // It counts from the day it was sent: nobody waits for the desk. From 1 June on, a paper of a
    // school year serves the next one as well.
    const { rows } = await sql<{ until: string | null }>`
      update proof p set state = 'validated', answered_at = ${at}, valid_from = sent,
        valid_until = case ${proofRules[open.kind].counts} when 'school year' then school
          when 'year' then (p.written_on + interval '1 year')::date else p.expires_on end
      from (select number, sent, make_date(extract(year from sent)::int
            + case when extract(month from sent) >= 6 then 1 else 0 end, 8, 31) as school
          from (select number, (sent_at at time zone 'Europe/Paris')::date as sent from proof
            where number = ${number}) s) days
      where p.number = days.number returning valid_until as until`.execute(tx);
    const until = rows[0]?.until ?? null;
    if (proofRules[open.kind].asks.includes("bornOn")) {
      await sql`update person set born_on = ${open.bornOn} where id = ${open.personId}`.execute(tx);
    }
    await answered(tx, open, { what: "validated", operator, at });
    const words = until === null ? "sans limite de durée" : `jusqu'au ${formatDate(until)}`;
    await tellSender(tx, deps, open, {
      title: "Justificatif validé",
      what: `est validé, ${words}.`,
      at,
    });
    return { name: open.name, kind: open.kind, until };
  });
}

/** Refuses a paper that waits; its sender reads why. */
export function refuseProof(
  { db, now, ...deps }: Desk,
  number: number,
  { reason, operator }: { reason: string; operator: string },
): Promise<{ name: string; kind: ProofKind }> {
  return inTx(db, async (tx) => {
    const at = now();
    const open = await openProof(tx, number);
    await sql`update proof set state = 'refused', reason = ${reason}, answered_at = ${at}
      where number = ${number}`.execute(tx);
    await answered(tx, open, { what: "refused", operator, at });
    await tellSender(tx, deps, open, {
      title: "Justificatif refusé",
      what: `est refusé : ${reason.trim().replace(/\.$/, "")}. Vous pouvez en envoyer un autre.`,
      at,
    });
    return { name: open.name, kind: open.kind };
  });
}

async function answered(
  tx: Tx,
  { personId, kind }: Open,
  { what, operator, at }: { what: "validated" | "refused"; operator: string; at: Date },
): Promise<void> {
  const line = { action: `proof.${what}`, actor: `operator:${operator}`, address: null };
  await audit(tx, { ...line, personId, details: { kind }, at });
}

function numberIn(given: string): number {
  const number = Number(given);
  if (!Number.isSafeInteger(number)) throw new Problem("not_found");
  return number;
}

async function told(say: () => Promise<string[]>): Promise<Answer> {
  try {
    return { ok: true, lines: await say() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ok: false, lines: [error.message] };
  }
}
