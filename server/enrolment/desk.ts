// The operator's side of first cards: what waits, and the answer.
import { Problem } from "#contract/errors.ts";
import { approveRequest, type Desk, refuseRequest, waitingRequests } from "./enrolment.ts";

interface Answer {
  ok: boolean;
  lines: string[];
}

/** A command of `npm run operator -- family …`. */
export interface EnrolmentCommand {
  name: string;
  arguments: readonly string[];
  says: string;
  run(desk: Desk, given: readonly string[], operator: string): Promise<Answer>;
}

export const enrolmentCommands: readonly EnrolmentCommand[] = [
  {
    name: "family requests",
    arguments: [],
    says: "montre les premières cartes demandées pour des enfants",
    run: async ({ db }) => {
      const waiting = await waitingRequests(db);
      const lines = waiting.map(
        ({ number, name, bornOn, guardian, askedAt }) =>
          `${number}  ${askedAt.toISOString().slice(0, 10)}  ${name}, né le ${bornOn}, demandé par ${guardian}`,
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucune demande en attente."] };
    },
  },
  {
    name: "family approve",
    arguments: ["<demande>"],
    says: "accepte une première carte ; donne le numéro et le secret à imprimer",
    run: (desk, [given = ""], operator) =>
      told(async () => {
        const { cardnumber, secret, name } = await approveRequest(desk, numberIn(given), operator);
        return `${name}  carte ${cardnumber}  secret ${secret}`;
      }),
  },
  {
    name: "family refuse",
    arguments: ["<demande>", "<motif>"],
    says: "refuse une première carte, avec le motif que lira le responsable",
    run: (desk, [given = "", reason = ""]) =>
      told(async () => `${(await refuseRequest(desk, numberIn(given), reason)).name}  refusée`),
  },
];

function numberIn(given: string): number {
  const number = Number(given);
  if (!Number.isSafeInteger(number)) throw new Problem("not_found");
  return number;
}

async function told(say: () => Promise<string>): Promise<Answer> {
  try {
    return { ok: true, lines: [await say()] };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ok: false, lines: [error.message] };
  }
}
