// The operator's file of partners and transport offers: written as a whole or not at all. Its changes are
// listed sheet by sheet, also by a check that writes nothing.
import { sql } from "kysely";
import * as z from "zod/mini";
import { plural } from "#contract/french.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { FileRefused, fileResult, itemsIn, readJsonFile } from "#server/process/operator-file.ts";
import type { CommandResult } from "#server/process/room.ts";
import {
  type PartnerInput,
  partnerInput,
  transportInput,
  writePartner,
  writeTransport,
} from "./write.ts";

/** Content of a file; each part may be absent. */
const file = z.object({
  partners: z.prefault(z.array(z.unknown()).check(z.maxLength(20_000)), []),
  transports: z.prefault(z.array(z.unknown()).check(z.maxLength(1000)), []),
});

/** Number of sheets whose changes are listed one by one. */
const maxChanges = 100;

/** Thrown to roll back the transaction of a check. */
class DryRunRollback extends Error {}

/** Imports the file, or with `check` only says what it would change. */
export function importPartners(
  db: Db,
  path: string,
  { check }: { check: boolean },
): Promise<CommandResult> {
  return fileResult(async () => {
    const { partners, transports } = contentOf(await readJsonFile(path));
    let changes: string[] = [];
    await inTx(db, async (tx) => {
      const references = partners.map(({ reference }) => reference);
      // In one order whatever the file's: two imports at once wait for each other.
      await sql`select from partner where reference = any(${references}::text[])
        order by reference for update`.execute(tx);
      const before = await readSheets(tx, references);
      await writeAll(tx, partners);
      for (const one of transports) await writeTransport(tx, one);
      const after = await readSheets(tx, references);
      changes = [...after].flatMap(([reference, sheet]) => {
        const change = changeOf(before.get(reference), sheet);
        return change === null ? [] : [`${reference}  ${change}`];
      });
      if (check) throw new DryRunRollback();
    }).catch((error: unknown) => {
      if (!(error instanceof DryRunRollback)) throw error;
    });
    const more = changes.length - maxChanges;
    const counted = `${plural(partners.length, "partenaire")} et ${plural(transports.length, "offre de transport", "offres de transport")}`;
    return [
      ...changes.slice(0, maxChanges),
      ...(more > 0 ? [`… et ${plural(more, "autre fiche", "autres fiches")}.`] : []),
      ...(check
        ? [`${counted} à écrire.`, "Rien n'est écrit : c'est un essai."]
        : [`${counted} écrits.`]),
    ];
  });
}

async function writeAll(tx: Tx, partners: readonly PartnerInput[]): Promise<void> {
  const wrong: string[] = [];
  const sorted = partners.toSorted((a, b) => (a.reference < b.reference ? -1 : 1));
  for (const one of sorted) {
    const why = await writePartner(tx, one);
    if (why) wrong.push(`${one.reference} : ${why}`);
  }
  if (wrong.length > 0) throw new FileRefused(wrong);
}

/** A sheet by the French names of its parts. */
type Sheet = Readonly<Record<string, unknown> & { entreprise: string | null }>;

async function readSheets(tx: Tx, references: readonly string[]): Promise<Map<string, Sheet>> {
  const { rows } = await sql<{ reference: string; sheet: Sheet }>`
    select p.reference, jsonb_build_object(
      'nom', p.name, 'catégorie', p.category_id, 'résumé', p.summary,
      'description', p.description, 'mots-clés', p.keywords,
      'adresse', jsonb_build_array(p.street, p.postcode, p.town, p.lat, p.lon),
      'contact', jsonb_build_array(p.phone, p.email, p.website),
      'horaires', (select jsonb_agg(jsonb_build_array(h.weekday, h.opens, h.closes)
        order by h.weekday, h.opens) from partner_hours h where h.partner_id = p.id),
      'fermetures', (select jsonb_agg(jsonb_build_array(f.from_on, f.to_on, f.reason)
        order by f.from_on) from partner_closure f where f.partner_id = p.id),
      'offres', (select jsonb_agg(to_jsonb(o) order by o.place)
        from partner_offer o where o.partner_id = p.id),
      'groupes', (select jsonb_agg(g.group_id order by g.group_id)
        from partner_group g where g.partner_id = p.id),
      'entreprise', (select c.name from company c where c.id = p.company_id)) as sheet
    from partner p where p.reference = any(${[...references]}::text[])
    order by p.reference`.execute(tx);
  return new Map(rows.map(({ reference, sheet }) => [reference, sheet]));
}

/** Describes the changes of a sheet by an import; null where nothing changed. */
function changeOf(before: Sheet | undefined, after: Sheet): string | null {
  const company = (sheet: Sheet) => sheet.entreprise ?? "aucune";
  if (!before) {
    return after.entreprise === null ? "nouvelle fiche" : `nouvelle fiche, de ${company(after)}`;
  }
  const changed = Object.keys(after).filter(
    (part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]),
  );
  if (changed.length === 0) return null;
  const words = changed.map((part) =>
    part === "entreprise" ? `entreprise (${company(before)} → ${company(after)})` : part,
  );
  return `change : ${words.join(", ")}`;
}

function contentOf(json: unknown) {
  const whole = z.safeParse(file, json);
  if (!whole.success)
    throw new FileRefused(["Le fichier tient en {partners: […], transports: […]}."]);
  const wrong: string[] = [];
  const { partners: sheets, transports: services } = whole.data;
  const partners = itemsIn({ name: "partenaire", type: partnerInput }, sheets, wrong);
  const transports = itemsIn({ name: "transport", type: transportInput }, services, wrong);
  if (wrong.length > 0) throw new FileRefused(wrong);
  return { partners, transports };
}
