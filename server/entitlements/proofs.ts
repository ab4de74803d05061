// Proofs (justificatifs): sent by holders about their household or a child of theirs, with files that
// only the sender and the operator read.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import {
  type entitlements,
  type Proof,
  type ProofDeclaration,
  proofRules,
} from "#contract/entitlements/rows.ts";
import { Problem } from "#contract/errors.ts";
import { entitlements as limits } from "#contract/limits.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { attachDocuments, deleteDocuments, documentsOf } from "#server/documents/documents.ts";
import { guardiansOf, holderFor, lockTieForShare, mayActFor } from "#server/family/family.ts";
import type { Call } from "#server/http/serve.ts";
import { auditAct } from "#server/identity/identity.ts";

interface ProofRow extends Omit<Proof, "sentAt" | "documents"> {
  personId: number;
  at: Date;
}

/** The proofs of a person and of the children they answer for; files only of those they sent. */
export async function listProofs(
  { db, now }: Deps,
  me: number,
): Promise<Output<typeof entitlements.list>> {
  const { rows: people } = await sql<{
    id: number;
    cardnumber: number;
    name: string;
    bornOn: string | null;
  }>`
    select person.id, card.number as cardnumber, person.name, person.born_on
    from person cross join lateral current_card(person.id) card
    where ${mayActFor(me, sql.ref("person.id"))} and person.disabled_at is null
    order by person.id <> ${me}, person.name collate "fr-x-icu", card.number`.execute(db);
  const ids = people.map(({ id }) => id);
  const [lines, guardians] = await Promise.all([
    proofRows(db, { ids, me, at: now() }),
    guardiansOf(db, me),
  ]);
  const proofs = await toProofViews(db, lines);
  return {
    people: people.map(({ id, cardnumber, name, bornOn }) => ({
      cardnumber,
      name,
      own: id === me,
      bornOn,
      proofs: proofs.filter(({ personId }) => personId === id).map(({ proof }) => proof),
    })),
    minor: guardians.length > 0,
  };
}

/** The proofs of persons, newest first; `id` keeps one. */
async function proofRows(
  db: Db,
  { ids, me, at, id }: { ids: readonly number[]; me: number; at: Date; id?: string },
): Promise<ProofRow[]> {
  const { rows } = await sql<ProofRow>`
    with seen as (
      select p.*, paris_day(${at}::timestamptz) as today,
        exists (select from proof n where n.person_id = p.person_id and n.kind = p.kind
          and n.state = 'validated' and n.number > p.number) as replaced,
        exists (select from proof n where n.person_id = p.person_id and n.kind = p.kind
          and n.state in ('waiting', 'validated') and n.number > p.number) as followed,
        row_number() over (partition by p.person_id order by p.number desc) as place
      from proof p where p.person_id = any(${ids}::bigint[]) and p.state <> 'withdrawn')
    select id, person_id, kind, sent_at as at, sent_by = ${me} as sent_by_me,
      case when sent_by = ${me} then quotient end as quotient,
      case when state <> 'validated' then state when replaced then 'replaced'
        when valid_until < today then 'expired' else 'validated' end as state,
      valid_from, valid_until,
      case when sent_by = ${me} then reason end as reason,
      state = 'validated' and not followed
        and coalesce(valid_until <= today + ${limits.renewalDays}::int, false) as renew
    from seen where place <= 40 and (${id ?? null}::uuid is null or id = ${id ?? null}::uuid)
    order by person_id, number desc`.execute(db);
  return rows;
}

async function toProofViews(
  db: Db,
  lines: readonly ProofRow[],
): Promise<{ personId: number; proof: Proof }[]> {
  const mine = lines.filter((line) => line.sentByMe);
  const files =
    mine.length === 0
      ? []
      : await documentsOf(
          db,
          mine.map(({ id }) => ({ kind: "proof", id })),
        );
  return lines.map(({ personId, at, ...line }) => ({
    personId,
    proof: {
      ...line,
      sentAt: at.toISOString(),
      documents: files
        .filter(({ of }) => of === line.id)
        .map(({ id, name, kind, bytes }) => ({ id, name, kind, bytes })),
    },
  }));
}

/**
 * Sends a proof for the operator to validate. Refuses `family_minor`, `proof_household` for a proof of
 * the household sent about a child, `proof_incomplete`, `proof_date`, `proof_old`, `proof_waiting` while
 * one of the same kind waits, and files that are not the caller's own, loose ones.
 */
export function sendProof({
  deps,
  caller,
  origin,
  input,
}: Call<typeof entitlements.send>): Promise<Proof> {
  const me = caller.personId;
  const at = deps.now();
  const rule = proofRules[input.kind];
  return inTx(deps.db, async (tx) => {
    const { id: personId } = await holderFor(tx, me, input.cardnumber);
    await lockTieForShare(tx, { actor: me, owner: personId });
    await sql`select from person where id = ${personId} for no key update`.execute(tx);
    if ((await guardiansOf(tx, me)).length > 0) throw new Problem("family_minor");
    if (rule.household && personId !== me) throw new Problem("proof_household");
    const declared = declaredValues(input);
    await requirePossibleDates(tx, declared, at);
    const { id } = await query(tx).one(sql<{ id: string }>`
      insert into proof (person_id, sent_by, kind, quotient, born_on, written_on, expires_on, sent_at)
      values (${personId}, ${me}, ${input.kind}, ${declared.quotient}, ${declared.bornOn},
        ${declared.writtenOn}, ${declared.expiresOn}, ${at}) returning id`);
    await attachDocuments(tx, {
      personId: me,
      ids: input.documents,
      to: { kind: "proof", id },
      at,
    });
    await auditAct(tx, { caller, origin }, "proof.send", {
      personId,
      details: { kind: input.kind },
      at,
    });
    const [sent] = await toProofViews(tx, await proofRows(tx, { ids: [personId], me, at, id }));
    if (!sent) throw new Error("the proof just written is not there");
    return sent.proof;
  });
}

interface DeclaredValues {
  quotient: number | null;
  writtenOn: string | null;
  bornOn: string | null;
  expiresOn: string | null;
}

/** The values that the kind requires, and nothing else; throws `proof_incomplete`. */
function declaredValues({ kind, documents, ...input }: ProofDeclaration): DeclaredValues {
  const { asks } = proofRules[kind];
  const day = (name: "writtenOn" | "bornOn" | "expiresOn") =>
    asks.includes(name) ? (input[name] ?? null) : null;
  const declared = {
    quotient: asks.includes("quotient") ? (input.quotient ?? null) : null,
    writtenOn: day("writtenOn"),
    bornOn: day("bornOn"),
    expiresOn: day("expiresOn"),
  };
  const missing =
    asks.includes("quotient") && declared.quotient === null
      ? "le quotient"
      : asks.includes("writtenOn") && declared.writtenOn === null
        ? "la date du document"
        : asks.includes("bornOn") && declared.bornOn === null
          ? "la date de naissance"
          : documents.length === 0
            ? "le document"
            : null;
  if (missing) throw new Problem("proof_incomplete", { what: missing });
  return declared;
}

async function requirePossibleDates(tx: Tx, declared: DeclaredValues, at: Date): Promise<void> {
  const fits = await query(tx).one(sql<{ recent: boolean; born: boolean; lasting: boolean }>`
    select coalesce(${declared.writtenOn}::date between today - ${limits.recentDays}::int and today, true)
        as recent,
      coalesce(${declared.bornOn}::date between (today - interval '120 years')::date and today, true)
        as born,
      coalesce(${declared.expiresOn}::date between today and (today + interval '20 years')::date, true)
        as lasting
    from (select paris_day(${at}::timestamptz) as today) t`);
  if (!fits.recent) throw new Problem("proof_old");
  if (!fits.born) throw new Problem("proof_date", { what: "la date de naissance" });
  if (!fits.lasting) throw new Problem("proof_date", { what: "la fin de validité" });
}

/** Withdraws a proof that one sent while it waits, else `proof_answered`; its files are erased. */
export function withdrawProof({
  deps,
  caller,
  input,
}: Call<typeof entitlements.withdraw>): Promise<{ message: string }> {
  return inTx(deps.db, async (tx) => {
    const found = await query(tx).maybeOne(sql<{ state: string }>`select state from proof
      where id = ${input.id} and sent_by = ${caller.personId} for no key update`);
    if (!found) throw new Problem("not_found");
    if (found.state !== "waiting") throw new Problem("proof_answered");
    await sql`update proof set state = 'withdrawn', answered_at = ${deps.now()}
      where id = ${input.id}`.execute(tx);
    await deleteDocuments(tx, { kind: "proof", id: input.id });
    return { message: "Le justificatif est retiré." };
  });
}
