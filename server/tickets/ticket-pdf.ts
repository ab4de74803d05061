// Tickets as a PDF, one a page: its code, and its details in text for when the code cannot be read.
import { Problem } from "#contract/errors.ts";
import { formatDateTime, formatMoney } from "#contract/french.ts";
import type { Ticket } from "#contract/tickets/rows.ts";
import { sql } from "kysely";
import type { Deps } from "#server/process/deps.ts";
import { mayActFor } from "#server/family/family.ts";
import type { Caller } from "#server/http/caller.ts";
import { paper, type Paper } from "../http/paper.ts";
import { ticketsOfOrder, ticketsWhere } from "./ticket-views.ts";

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
  if (!isGood(ticket)) throw new Problem("ticket_state");
  const file = await draw([ticket], at);
  return { file, name: `billet-${ticket.reference.toLowerCase()}.pdf` };
}

/** The PDF of the valid tickets of an order, in the order of the sessions; null when there is none. */
export async function orderTicketsPdf(deps: Deps, orderId: string): Promise<Buffer | null> {
  const at = deps.now();
  const tickets = await ticketsOfOrder(deps.db, orderId, at);
  const good = tickets.filter(isGood);
  return good.length > 0 ? await draw(good, at) : null;
}

type GoodTicket = Ticket & { token: string };
const isGood = (ticket: Ticket): ticket is GoodTicket => ticket.token !== null;

async function draw(tickets: readonly GoodTicket[], madeAt: Date): Promise<Buffer> {
  const [first] = tickets as [GoodTicket];
  const { title, cardnumber } = first;
  return await paper({ title, cardnumber, bare: true, madeAt }, async (page) => {
    for (const [index, ticket] of tickets.entries()) {
      if (index > 0) await page.next({ ...ticket, bare: true });
      drawTicket(page, ticket);
    }
  });
}

function drawTicket(page: Paper, ticket: GoodTicket): void {
  const { token, title, reference, cardnumber } = ticket;
  page.ticket({
    cardnumber,
    kind: "Billet",
    title,
    when: formatDateTime(ticket.startsAt),
    code: token,
    label: `Code du billet ${reference}, à présenter à l’entrée`,
    facts: [
      ["Titulaire", ticket.holder],
      ["Lieu", ticket.venue],
      ["Adresse", ticket.address],
      ["Tarif", `${ticket.category}, ${formatMoney(ticket.priceCents)}`],
      ["Organisateur", ticket.organiser],
      ["Référence", reference],
    ],
  });
  page.paragraph(
    "Présentez ce code à l’entrée, sur papier ou sur un téléphone. Il laisse entrer une seule " +
      "fois. Un transfert ou une annulation le rend sans valeur.",
  );
}
