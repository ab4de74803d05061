// The demo's membership request: a café that wants to join, asked for a clearer register extract.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { query } from "#server/db/query.ts";
import { dayMs } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Tx } from "../db/db.ts";
import { paper } from "../http/paper.ts";
import { notify } from "../notifications/notifications.ts";

const service = "devenir-partenaire";
const question =
  "Bonjour,\n\nVotre extrait Kbis date de plus de trois mois. Pouvez-vous en joindre un récent, et nous dire si la terrasse ouvre toute l’année\u202f?";

/** Writes the request of a person, sent a week ago and asked about since. */
export async function askToJoin(
  tx: Tx,
  asker: { personId: number; cardnumber: number; name: string; email: string; phone: string },
  now: Date,
): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const { personId, phone } = asker;
  const { id, number } = await query(tx).one(sql<{ id: string; number: number }>`
    insert into membership (service, person_id, state, version, siret, company_name, legal_form,
      street, postcode, town, owes_vat, category_id, representative, representative_function, email,
      phonenumber, proved_address, requested_parts, created_at, changed_at, submitted_at)
    values (${service}, ${personId}, 'clarification', 8, '90045678100013', 'Café des Voiles', 'sasu',
      '12 quai des Voiliers', '35400', 'Port-Lagune', true, 'restaurant', ${asker.name},
      'président', ${asker.email}, ${phone}, ${phone}, array['documents'], ${ago(8)}, ${ago(2)},
      ${ago(7)}) returning id, number`);
  for (const [kind, name, title] of [
    ["registration", "Extrait Kbis.pdf", "Extrait Kbis du Café des Voiles"],
    ["identity", "Pièce d’identité.pdf", `Pièce d’identité de ${asker.name}`],
  ] as const) {
    const options = { title, cardnumber: asker.cardnumber, madeAt: ago(150) };
    const content = await paper(options, (page) => {
      page.paragraph(`Document de démonstration, daté du ${formatDate(ago(150))}.`);
    });
    await sql`insert into document (person_id, name, type, bytes, content, sha256, at, attached_kind,
        attached_id, attached_at)
      values (${personId}, ${name}, 'application/pdf', ${content.length}, ${content},
        ${createHash("sha256").update(content).digest()}, ${ago(8)}, ${`membership_${kind}`}, ${id},
        ${ago(8)})`.execute(tx);
  }
  await sql`insert into membership_exchange (membership_id, at, from_operator, text, parts)
    values (${id}, ${ago(2)}, true, ${question}, array['documents'])`.execute(tx);
  await notify(tx, {
    personId,
    kind: "membership",
    title: "Votre adhésion attend une précision",
    body: `Répondez à notre question depuis votre demande n° ${number}.`,
    path: linkTo(paths.membership, { code_services: service }),
    at: ago(2),
  });
}
