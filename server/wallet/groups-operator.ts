// Operator commands of acceptance groups: where the money of a cagnotte is valid.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { plural } from "#contract/french.ts";
import {
  commandResult,
  type CommandResult,
  type OperatorCommand,
  type OperatorDeps,
} from "#server/process/room.ts";

/** Commands `npm run operator -- groups …`. */
export const groupCommands: readonly OperatorCommand[] = [
  {
    name: "groups list",
    arguments: [],
    says: "montre les groupes d'acceptation, leur règle, et combien de fiches et de cagnottes y sont",
    run: ({ db }) => listGroups(db),
  },
  {
    name: "groups add",
    arguments: ["<groupe>", "<nom>", "<règle>", "[<groupe>]"],
    says: "montre le groupe d'acceptation qui serait ajouté ; avec le groupe répété à la fin, l'ajoute, par exemple restauration 'Cagnotte restauration' 'Acceptée dans les cantines.' restauration",
    run: ({ db }, args) => commandResult(() => addGroup(db, args)),
  },
];

async function listGroups(db: OperatorDeps["db"]): Promise<CommandResult> {
  const { rows } = await sql<{
    slug: string;
    name: string;
    rule: string;
    partners: number;
    wallets: number;
  }>`select g.slug, g.name, g.rule,
      (select count(*)::int from partner_group p where p.group_id = g.id) as partners,
      (select count(*)::int from wallet w where w.group_id = g.id) as wallets
    from acceptance_group g order by g.id`.execute(db);
  const lines = rows.map(
    ({ slug, name, rule, partners, wallets }) =>
      `${slug.padEnd(20)}  ${name}  ${plural(partners, "fiche")}, ${plural(wallets, "cagnotte")}  ${rule}`,
  );
  return { ok: true, lines };
}

async function addGroup(
  db: OperatorDeps["db"],
  [slug = "", name = "", rule = "", confirmed]: readonly string[],
): Promise<string[]> {
  if (!/^[a-z0-9-]{1,60}$/.test(slug)) {
    throw new Problem("invalid_input", { what: "groupe (a-z, 0-9 et tirets, 60 au plus)" });
  }
  const [called, valid] = [name.trim(), rule.trim()];
  if (called === "" || called.length > 80) {
    throw new Problem("invalid_input", { what: "nom (80 caractères au plus)" });
  }
  if (valid === "" || valid.length > 300) {
    throw new Problem("invalid_input", { what: "règle (300 caractères au plus)" });
  }
  if (confirmed !== undefined && confirmed !== slug) {
    throw new Problem("invalid_input", {
      what: `${confirmed} n'est pas ${slug} : rien n'est ajouté`,
    });
  }
  const { rows: taken } = await sql`
    select from acceptance_group where slug = ${slug}`.execute(db);
  if (taken.length > 0) throw exists(slug);
  if (confirmed === undefined) {
    return [
      `${slug}  ${called}  ${valid}`,
      "Son nom et sa règle sont lus par les porteurs ; il ne se retire plus et ne change plus.",
      "Rien n'est ajouté. Pour l'ajouter, la même commande avec le groupe répété à la fin : " +
        `groups add ${slug} '…' '…' ${slug}`,
    ];
  }
  const { numAffectedRows } = await sql`
    insert into acceptance_group (name, slug, rule) values (${called}, ${slug}, ${valid})
    on conflict (slug) do nothing`.execute(db);
  if (numAffectedRows !== 1n) throw exists(slug);
  return [`${slug}  ${called}  ajouté`];
}

const exists = (slug: string): Problem =>
  new Problem("invalid_input", { what: `le groupe ${slug} existe déjà (groups list)` });
