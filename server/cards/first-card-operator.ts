// Operator commands of first cards: list the requests that wait, approve or refuse one.
import { formatDate, ofName } from "#contract/french.ts";
import { approveRequest, refuseRequest, waitingRequests } from "./first-card-requests.ts";
import { commandResult, numberArgument, type OperatorCommand } from "#server/process/room.ts";

/** Commands `npm run operator -- family …`. */
export const firstCardCommands: readonly OperatorCommand[] = [
  {
    name: "family requests",
    arguments: [],
    says: "montre les premières cartes demandées pour des enfants",
    run: async ({ db }) => {
      const waiting = await waitingRequests(db);
      const lines = waiting.map(
        ({ number, name, bornOn, guardian, requestedAt }) =>
          `${number}  ${formatDate(requestedAt)}  ${name}, naissance le ${formatDate(bornOn)}, à la demande ${ofName(guardian)}`,
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucune demande en attente."] };
    },
  },
  {
    name: "family approve",
    arguments: ["<demande>"],
    says: "accepte une première carte ; donne le numéro et le secret à imprimer",
    run: (deps, [request = ""], operator) =>
      commandResult(async () => {
        const { cardnumber, secret, name } = await approveRequest(
          deps,
          numberArgument(request),
          operator,
        );
        return [`${name}  carte ${cardnumber}  secret ${secret}`];
      }),
  },
  {
    name: "family refuse",
    arguments: ["<demande>", "<motif>"],
    says: "refuse une première carte, avec le motif que lira le responsable",
    run: (deps, [request = "", reason = ""]) =>
      commandResult(async () => {
        const { name } = await refuseRequest(deps, numberArgument(request), reason);
        return [`${name}  refusée`];
      }),
  },
];
