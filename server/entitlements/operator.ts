// Operator commands of proofs: list those that wait, show one, validate or refuse it.
import { sql } from "kysely";
import { type ProofKind, proofRules, type ProofState } from "#contract/entitlements/rows.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate } from "#contract/french.ts";
import { proofNames } from "#contract/entitlements/words.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { documentsOf } from "#server/documents/documents.ts";
import { auditOperator } from "#server/identity/identity.ts";
import { asSentence } from "#server/notifications/notifications.ts";
import {
  commandResult,
  numberArgument,
  type OperatorCommand,
  type OperatorDeps,
} from "#server/process/room.ts";
import { type SentProof, announceProof } from "./announcements.ts";
import { schoolRightEnd } from "./entitlements.ts";

const stateNames: Record<ProofState, string> = {
  waiting: "attend une réponse",
  validated: "validé",
  refused: "refusé",
  expired: "expiré",
  replaced: "remplacé",
};

/** Commands `npm run operator -- rights …`. */
export const entitlementCommands: readonly OperatorCommand[] = [
  {
    name: "rights list",
    arguments: [],
    says: "montre les justificatifs qui attendent une réponse",
    run: async ({ db }) => {
      const { rows } = await sql<{ number: number; kind: ProofKind; name: string; day: string }>`
        select p.number, p.kind, person.name, to_char(paris_day(p.sent_at), 'YYYY-MM-DD') as day
        from proof p join person on person.id = p.person_id
        where p.state = 'waiting' order by p.number limit 200`.execute(db);
      const lines = rows.map(
        ({ number, kind, name, day }) =>
          `${number}  ${formatDate(day)}  ${proofNames[kind]}  ${name}`,
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucun justificatif en attente."] };
    },
  },
  {
    name: "rights show",
    arguments: ["<justificatif>"],
    says: "montre un justificatif et ses fichiers (documents save les enregistre)",
    run: (deps, [proof = ""]) => commandResult(() => showProof(deps, numberArgument(proof))),
  },
  {
    name: "rights validate",
    arguments: ["<justificatif>"],
    says: "valide un justificatif ; dit jusqu'à quand il compte",
    run: (deps, [proof = ""], operator) =>
      commandResult(async () => {
        const { name, kind, until } = await validateProof(deps, numberArgument(proof), operator);
        const words = until === null ? "sans fin" : `jusqu'au ${formatDate(until)}`;
        return [`${name}  ${proofNames[kind]}  validé ${words}`];
      }),
  },
  {
    name: "rights refuse",
    arguments: ["<justificatif>", "<motif>"],
    says: "refuse un justificatif, avec le motif que lira la personne",
    run: (deps, [proof = "", reason = ""], operator) =>
      commandResult(async () => {
        const { name, kind } = await refuseProof(deps, numberArgument(proof), { reason, operator });
        return [`${name}  ${proofNames[kind]}  refusé`];
      }),
  },
];

async function showProof({ db }: OperatorDeps, number: number): Promise<string[]> {
  const one = await query(db).maybeOne(sql<{
    id: string;
    kind: ProofKind;
    state: ProofState;
    about: string;
    sender: string;
    quotient: number | null;
    writtenOn: string | null;
    bornOn: string | null;
    expiresOn: string | null;
  }>`select p.*, about.name as about, sender.name as sender from proof p
    join person about on about.id = p.person_id join person sender on sender.id = p.sent_by
    where p.number = ${number}`);
  if (!one) throw new Problem("not_found");
  const files = await documentsOf(db, { kind: "proof", id: one.id });
  const facts: [string, string | null][] = [
    ["quotient", one.quotient === null ? null : String(one.quotient)],
    ["daté du", one.writtenOn && formatDate(one.writtenOn)],
    ["naissance le", one.bornOn && formatDate(one.bornOn)],
    ["valable jusqu'au", one.expiresOn && formatDate(one.expiresOn)],
  ];
  return [
    `${proofNames[one.kind]} de ${one.about}, envoyé par ${one.sender} (${stateNames[one.state]})`,
    ...facts.flatMap(([label, value]) => (value === null ? [] : [`  ${label} ${value}`])),
    ...files.map(({ id, name, bytes }) => `  fichier ${id}  ${name}  ${bytes} octets`),
  ];
}

interface WaitingProof extends SentProof {
  id: string;
  personId: number;
  bornOn: string | null;
}

async function lockWaitingProof(tx: Tx, number: number): Promise<WaitingProof> {
  const found = await query(tx).maybeOne(sql<WaitingProof & { state: string }>`
    select p.id, p.kind, p.state, p.person_id, p.sent_by,
      p.born_on, person.name
    from proof p join person on person.id = p.person_id
    where p.number = ${number} for no key update of p`);
  if (!found) throw new Problem("not_found");
  if (found.state !== "waiting") throw new Problem("proof_answered");
  return found;
}

/** Validates a proof that waits; `until` is its last day, null for one without an end. */
export function validateProof(
  { db, now, ...deps }: OperatorDeps,
  number: number,
  operator: string,
): Promise<{ name: string; kind: ProofKind; until: string | null }> {
  return inTx(db, async (tx) => {
    const at = now();
    const open = await lockWaitingProof(tx, number);
    // It counts from the day it was sent: nobody loses by waiting for the operator.
    const { until } = await query(tx).one(sql<{ until: string | null }>`
      update proof p set state = 'validated', answered_at = ${at}, valid_from = sent,
        valid_until = case ${proofRules[open.kind].counts} when 'school year' then school
          when 'year' then (p.written_on + interval '1 year')::date else p.expires_on end
      from (select number, sent, ${schoolRightEnd(sql.ref("sent"))} as school
          from (select number, paris_day(sent_at) as sent from proof
            where number = ${number}) s) days
      where p.number = days.number returning valid_until as until`);
    if (proofRules[open.kind].asks.includes("bornOn")) {
      await sql`update person set born_on = ${open.bornOn} where id = ${open.personId}`.execute(tx);
    }
    await auditAnswer(tx, open, { what: "validated", operator, at });
    const words = until === null ? "sans limite de durée" : `jusqu'au ${formatDate(until)}`;
    await announceProof(tx, deps, open, {
      title: "Justificatif validé",
      what: `est validé, ${words}.`,
      at,
    });
    return { name: open.name, kind: open.kind, until };
  });
}

/** Refuses a proof that waits; its sender reads why. */
export function refuseProof(
  { db, now, ...deps }: OperatorDeps,
  number: number,
  { reason, operator }: { reason: string; operator: string },
): Promise<{ name: string; kind: ProofKind }> {
  return inTx(db, async (tx) => {
    const at = now();
    const open = await lockWaitingProof(tx, number);
    await sql`update proof set state = 'refused', reason = ${reason}, answered_at = ${at}
      where number = ${number}`.execute(tx);
    await auditAnswer(tx, open, { what: "refused", operator, at });
    await announceProof(tx, deps, open, {
      title: "Justificatif refusé",
      what: `est refusé : ${asSentence(reason)} Vous pouvez en envoyer un autre.`,
      toDo: open.id,
      at,
    });
    return { name: open.name, kind: open.kind };
  });
}

async function auditAnswer(
  tx: Tx,
  { personId, kind }: WaitingProof,
  { what, operator, at }: { what: "validated" | "refused"; operator: string; at: Date },
): Promise<void> {
  await auditOperator(tx, operator, `proof.${what}`, { personId, details: { kind }, at });
}
