// Operator commands of accounts: disable one, enable it again, list those that are disabled.
import { formatDateTime, plural } from "#contract/french.ts";
import {
  commandResult,
  numberArgument,
  type OperatorCommand,
  reasonArgument,
} from "#server/process/room.ts";
import { disableAccount, disabledAccounts, enableAccount } from "./accounts.ts";

/** Commands `npm run operator -- accounts …`. */
export const accountCommands: readonly OperatorCommand[] = [
  {
    name: "accounts list",
    arguments: [],
    says: "montre les comptes désactivés, et pourquoi",
    run: async ({ db }) => {
      const lines = (await disabledAccounts(db)).map(
        ({ cardnumber, name, at, why }) =>
          `${cardnumber ?? "sans carte"}  ${formatDateTime(at)}  ${name} : ${why}`,
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucun compte désactivé."] };
    },
  },
  {
    name: "accounts disable",
    arguments: ["<numéro>", "<motif>"],
    says: "désactive un compte : ses connexions se ferment, plus aucune ne s'ouvre",
    run: (deps, [card = "", reason = ""], operator) =>
      commandResult(async () => {
        const why = reasonArgument(reason);
        const cardnumber = numberArgument(card);
        const { name, ended } = await disableAccount(deps, { cardnumber, why, operator });
        return [`${name}  désactivé, ${plural(ended, "connexion fermée", "connexions fermées")}`];
      }),
  },
  {
    name: "accounts enable",
    arguments: ["<numéro>", "<motif>"],
    says: "réactive un compte désactivé ; la personne se connecte comme avant",
    run: (deps, [card = "", reason = ""], operator) =>
      commandResult(async () => {
        const why = reasonArgument(reason);
        const { name } = await enableAccount(deps, {
          cardnumber: numberArgument(card),
          why,
          operator,
        });
        return [`${name}  réactivé`];
      }),
  },
];
