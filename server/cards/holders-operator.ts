// Operator commands of holders: create one, import a file of them, print a new first secret.
import { readFile } from "node:fs/promises";
import { plural } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import { auditOperator } from "#server/identity/identity.ts";
import {
  commandResult,
  numberArgument,
  type CommandResult,
  type OperatorCommand,
  type OperatorDeps,
  reasonArgument,
} from "#server/process/room.ts";
import { makeFirstSecret, openHolder, renewFirstSecret } from "./holders.ts";
import { birthDay, emailIn, holderName, isChildOn, phoneIn } from "./holders-file.ts";
import {
  guardianNamed,
  guardianProblem,
  homonym,
  importHolders,
  lockNewHolders,
  sameNamed,
} from "./holders-import.ts";

const maxLines = 20;

/** Commands `npm run operator -- holders …`. */
export const holderCommands: readonly OperatorCommand[] = [
  {
    name: "holders create",
    arguments: [
      "<prénom>",
      "<nom>",
      "<JJ/MM/AAAA>",
      "[<e-mail>]",
      "[<téléphone>]",
      "[<carte du responsable>]",
    ],
    says: "crée un porteur (- pour ce qui manque) ; donne le numéro et le secret à imprimer",
    run: createHolder,
  },
  {
    name: "holders check",
    arguments: ["<fichier.csv>"],
    says: "dit ce qu'un import ferait, et les lignes à corriger, sans rien écrire",
    run: (deps, [path = ""], operator) => importFrom(deps, path, { operator, check: true }),
  },
  {
    name: "holders import",
    arguments: ["<fichier.csv>"],
    says: "crée les porteurs d'un fichier, tous ou aucun ; ceux qui y étaient déjà restent tels quels",
    run: (deps, [path = ""], operator) => importFrom(deps, path, { operator, check: false }),
  },
  {
    name: "holders secret",
    arguments: ["<numéro>", "[<motif>]"],
    says: "donne un nouveau secret à qui n'a pas encore choisi de mot de passe ; à qui l'a oublié sans e-mail ni téléphone, avec un motif qui dit comment vous l'avez reconnu",
    run: (deps, [card = "", why], operator) =>
      commandResult(async () => {
        const reason = why === undefined ? null : reasonArgument(why);
        const act = { operator, reason };
        const { name, secret } = await renewFirstSecret(deps, numberArgument(card), act);
        return [`${name}  carte ${card}  secret ${secret}`];
      }),
  },
];

const refused = (...lines: string[]): CommandResult => ({ ok: false, lines });
const optionalText = (text: string | undefined) => (text === undefined || text === "-" ? "" : text);

async function createHolder(
  deps: OperatorDeps,
  [first = "", last = "", born = "", ...rest]: readonly string[],
  operator: string,
): Promise<CommandResult> {
  const at = deps.now();
  const [email, phone, guardianCard] = [0, 1, 2].map((place) => optionalText(rest[place]).trim());
  const wrong: string[] = [];
  const name = holderName(optionalText(first), optionalText(last), wrong);
  const bornOn = birthDay(born.trim(), at, wrong);
  const contacts = { email: emailIn(email ?? "", wrong), phonenumber: phoneIn(phone ?? "", wrong) };
  const isChild = isChildOn(bornOn, at);
  if (isChild && !guardianCard) wrong.push("un mineur a besoin de la carte de son responsable");
  if (!isChild && guardianCard) wrong.push("un majeur n'a pas de responsable");
  if (wrong.length > 0) return refused("Rien n'est créé :", ...wrong);
  const { secret, passwordHash } = await makeFirstSecret();
  return await inTx(deps.db, async (tx) => {
    await lockNewHolders(tx);
    const [twin] = await sameNamed(tx, [{ name, bornOn }]);
    if (twin) return refused("Rien n'est créé :", homonym(name, twin[1]));
    const why = guardianCard ? await guardianProblem(tx, guardianCard, at) : null;
    if (why !== null) return refused("Rien n'est créé :", why);
    const guardian = guardianCard
      ? ((await guardianNamed(tx, guardianCard))?.personId ?? null)
      : null;
    const holder = { name, bornOn, ...contacts, guardian, passwordHash, at };
    const { personId, cardnumber } = await openHolder(tx, holder);
    await auditOperator(tx, operator, "holder.create", { personId, at });
    return { ok: true, lines: [`${name}  carte ${cardnumber}  secret ${secret}`] };
  });
}

async function importFrom(
  deps: OperatorDeps,
  path: string,
  how: { operator: string; check: boolean },
): Promise<CommandResult> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return refused(`Le fichier ${path} ne s'ouvre pas.`);
  const { created, known: there, faults } = await importHolders(deps, bytes, how);
  if (faults.length > 0) {
    const more = faults.length - maxLines;
    return refused(
      ...faults.slice(0, maxLines),
      ...(more > 0 ? [`… et ${plural(more, "autre ligne", "autres lignes")} à corriger.`] : []),
      "Rien n'est importé.",
    );
  }
  const already = `${plural(there, "porteur")} déjà là`;
  if (how.check) {
    const would = `${plural(created.length, "porteur")} à créer, ${already}.`;
    return { ok: true, lines: [would, "Rien n'est écrit : c'est un essai."] };
  }
  return {
    ok: true,
    lines: [
      ...created.map(
        ({ reference, cardnumber, name }) => `${reference}  carte ${cardnumber}  ${name}`,
      ),
      `${plural(created.length, "porteur créé", "porteurs créés")}, ${already}.`,
    ],
  };
}
