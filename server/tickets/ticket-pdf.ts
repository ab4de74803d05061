// A ticket as a PDF: its code, and its details in text for when the code cannot be read.
import { Problem } from "#contract/errors.ts";
import { formatDateTime, formatMoney } from "#contract/french.ts";
import { sql } from "kysely";
import type { Deps } from "#server/process/deps.ts";
import { mayActFor } from "#server/family/family.ts";
import type { Caller } from "#server/http/caller.ts";
import { paper } from "../http/paper.ts";
import { ticketsWhere } from "./ticket-views.ts";

/** The PDF of a valid ticket of the caller or of their child. Refuses `ticket_state`. */
export async function ticketPdf(
  deps: Deps,
  caller: Caller,
  id: string,
): Promise<{ file: Buffer; name: string }> {
  const at = deps.now();
  const mine = sql`t.id = ${id} and ${mayActFor(caller.personId, sql.ref("t.owner_id"))}`;
  const [ticket] = await ticketsWhere(deps.db, mine, at);
  if (!ticket) throw new Problem("not_found");
  const { token, reference, title } = ticket;
  if (token === null) throw new Problem("ticket_state");
  const options = { title, cardnumber: ticket.cardnumber, madeAt: at };
  const file = await paper(options, (page) => {
    page.code(token, `Code du billet ${reference}, à présenter à l'entrée`);
    page.facts([
      ["Le", formatDateTime(ticket.startsAt)],
      ["Lieu", ticket.venue],
      ["Adresse", ticket.address],
      ["Titulaire", ticket.holder],
      ["Tarif", `${ticket.category}, ${formatMoney(ticket.priceCents)}`],
      ["Organisateur", ticket.organiser],
      ["Référence", reference],
    ]);
    page.paragraph(
      "Présentez ce code à l'entrée, sur papier ou sur un téléphone. Il laisse entrer une seule " +
        "fois. Un transfert ou une annulation le rend sans valeur.",
    );
  });
  return { file, name: `billet-${reference.toLowerCase()}.pdf` };
}
