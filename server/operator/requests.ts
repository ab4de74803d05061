// Operator commands for requests that wait for a second operator: list, and withdraw.
import { formatDateTime } from "#contract/french.ts";
import { commandResult, numberArgument, type OperatorCommand } from "#server/process/room.ts";
import { waitingRequests, withdrawRequest } from "#server/process/second-operator.ts";

/** Commands `npm run operator -- requests …`. */
export const requestCommands: readonly OperatorCommand[] = [
  {
    name: "requests list",
    arguments: [],
    says: "montre les commandes qu'un autre compte du système doit lancer aussi pour qu'elles se fassent",
    run: async ({ db, now }) => {
      const lines = (await waitingRequests(db, now())).map(
        ({ number, command, arguments: args, reason, requesterAccount, requestedAt, expiresAt }) =>
          `${number}  ${[command, ...args.map(quoted)].join(" ")}  ` +
          `${reason === null ? "" : `${reason}  `}demandée par ${requesterAccount} le ` +
          `${formatDateTime(requestedAt)}, jusqu'au ${formatDateTime(expiresAt)}`,
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucune demande n'attend."] };
    },
  },
  {
    name: "requests withdraw",
    arguments: ["<demande>"],
    says: "retire une demande qui attend un deuxième compte ; rien n'est fait",
    run: ({ db, now }, [number = ""], operator) =>
      commandResult(async () => {
        await withdrawRequest({ db, now }, numberArgument(number), operator);
        return [`Demande n° ${number} retirée\u202f: rien n'est fait.`];
      }),
  },
];

/** Quotes a word for a shell. */
const quoted = (word: string): string =>
  /^[\w.,:/+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
