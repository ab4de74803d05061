// Daily jobs of proofs: ask the sender once for a new one 30 days before the end; erase the files of
// proofs refused or over.
import { sql } from "kysely";
import { formatDate } from "#contract/french.ts";
import { entitlements as limits } from "#contract/limits.ts";
import { inTx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { deleteDocuments } from "#server/documents/documents.ts";
import { type SentProof, announceProof } from "./announcements.ts";

interface ExpiringProof extends SentProof {
  id: string;
  until: string;
}

/** Asks for a new proof where one ends soon and nothing newer was sent; each once. */
export async function askRenewals(deps: Deps): Promise<void> {
  const at = deps.now();
  const { rows } = await sql<{ number: number }>`
    select p.number from proof p,
      (select paris_day(${at}::timestamptz) as today) t
    where p.state = 'validated' and p.renewal_requested_at is null
      and p.valid_until between today and today + ${limits.renewalDays}::int
      and not exists (select from proof n where n.person_id = p.person_id and n.kind = p.kind
        and n.number > p.number and n.state in ('waiting', 'validated'))
    order by p.number limit 1000`.execute(deps.db);
  for (const { number } of rows) await ask(deps, number, at);
}

function ask(deps: Deps, number: number, at: Date): Promise<void> {
  return inTx(deps.db, async (tx) => {
    const proof = await query(tx).maybeOne(sql<ExpiringProof>`
      update proof p set renewal_requested_at = ${at} from person
      where p.number = ${number} and p.renewal_requested_at is null and person.id = p.person_id
      returning p.id, p.kind, p.person_id, p.sent_by, person.name,
        p.valid_until as until`);
    if (!proof) return;
    await announceProof(tx, deps, proof, {
      title: "Justificatif à renouveler",
      what: `compte jusqu'au ${formatDate(proof.until)}. Envoyez le suivant dès maintenant.`,
      toDo: proof.id,
      at,
    });
  });
}

/** Erases the files of proofs refused, or ended, for longer than they are kept. */
export async function eraseFiles(deps: Deps): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select p.id from proof p
    where exists (select from document d where d.attached_kind = 'proof' and d.attached_id = p.id::text)
      and (p.state = 'refused' and p.answered_at < ${deps.now()}::timestamptz - ${limits.fileRetentionDays} * interval '1 day'
        or p.state = 'validated' and p.valid_until < paris_day(${deps.now()}::timestamptz) - ${limits.fileRetentionDays}::int)
    limit 1000`.execute(deps.db);
  for (const { id } of rows)
    await inTx(deps.db, (tx) => deleteDocuments(tx, { kind: "proof", id }));
}
