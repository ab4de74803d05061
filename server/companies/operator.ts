// Operator commands of the companies: list them, open one or update its register data.
import { sql } from "kysely";
import { groupSiren, isSiret, vatNumberOf } from "#contract/companies/siren.ts";
import { Problem } from "#contract/errors.ts";
import { plural } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { requirePrinted } from "#server/http/printed-letters.ts";
import { auditOperator } from "#server/identity/identity.ts";
import {
  commandResult,
  numberArgument,
  type OperatorCommand,
  type OperatorDeps,
} from "#server/process/room.ts";
import { companyOf, openCompany } from "./companies.ts";

/** Commands `npm run operator -- companies …`. */
export const companyCommands: readonly OperatorCommand[] = [
  {
    name: "companies list",
    arguments: [],
    says: "montre les entreprises, leur SIREN et combien de personnes y travaillent",
    run: async ({ db }) => {
      const { rows } = await sql<{
        name: string;
        siren: string | null;
        town: string;
        people: number;
      }>`
        select c.name, c.siren, c.town,
          (select count(*)::int from company_member m where m.company_id = c.id) as people
        from company c order by c.name collate "fr-x-icu"`.execute(db);
      const lines = rows.map(
        ({ name, siren, town, people }) =>
          `${siren ? groupSiren(siren) : "SIREN inconnu"}  ${name}, ${town}  ${plural(people, "numéro")}`,
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucune entreprise."] };
    },
  },
  {
    name: "companies write",
    arguments: ["<carte>", "<siret>", "<nom>", "<rue>", "<code postal>", "<ville>"],
    says: "ouvre l'entreprise d'un numéro professionnel, ou corrige celle qu'il a",
    run: (deps, args, operator) => commandResult(() => write(deps, args, operator)),
  },
];

async function write(
  deps: OperatorDeps,
  args: readonly string[],
  operator: string,
): Promise<readonly string[]> {
  const [card = "", siret = "", name = "", street = "", postcode = "", town = ""] = args;
  const number = numberArgument(card);
  const digits = siret.replaceAll(/\s/g, "");
  if (!isSiret(digits)) throw new Problem("invalid_input", { what: "SIRET" });
  if (!/^\d{5}$/.test(postcode)) throw new Problem("invalid_input", { what: "code postal" });
  if (!name || !street || !town) throw new Problem("invalid_input", { what: "nom, rue, ville" });
  for (const text of [name, street, town]) requirePrinted(text, "le nom, la rue et la ville");
  return await inTx(deps.db, async (tx) => {
    const person = await query(tx).maybeOne(sql<{ personId: number; type: number }>`
      select p.id as person_id, p.type from card join person p on p.id = card.person_id
      where card.number = ${number}`);
    if (!person || person.type !== 2) throw new Problem("not_found");
    const at = deps.now();
    const present = await companyOf(tx, person.personId);
    if (present) {
      const siren = digits.slice(0, 9);
      await sql`update company set siren = ${siren}, siret = ${digits}, name = ${name},
        street = ${street}, postcode = ${postcode}, town = ${town},
        vat_number = case when siren is null or vat_number is not null then ${vatNumberOf(siren)} end
        where id = ${present.companyId}`.execute(tx);
    } else {
      const ownerId = person.personId;
      await openCompany(tx, { name, siret: digits, street, postcode, town, ownerId, at });
    }
    await auditOperator(tx, operator, "company.write", {
      personId: person.personId,
      details: { name, siret: digits },
      at,
    });
    return [`${name}, ${groupSiren(digits)} : ${present ? "corrigée" : "ouverte"}.`];
  });
}
