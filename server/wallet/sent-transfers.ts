// A transfer as its sender reads it again, and its receipt. Refuses `not_found` for somebody else's.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatCardnumber, formatDateTime, formatMoney } from "#contract/french.ts";
import type { SentTransfer } from "#contract/wallet/sent.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { paper } from "#server/http/paper.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Deps } from "#server/process/deps.ts";

/** A transfer that a person sent; `not_found` for any other. */
export async function sentTransfer(db: Db, personId: number, id: string): Promise<SentTransfer> {
  const row = await query(db).maybeOne(sql<Omit<SentTransfer, "at"> & { at: Date }>`
    select id, amount_cents, to_name, to_cardnumber,
      balance_after_cents as balance_cents, at
    from wallet_transfer where id = ${id} and person_id = ${personId}`);
  if (!row) throw new Problem("not_found");
  return { ...row, at: row.at.toISOString() };
}

/** The receipt of a transfer that a person sent, as a PDF; `not_found` for any other. */
export async function transferReceipt(
  deps: Deps,
  { personId, cardnumber }: Caller,
  id: string,
): Promise<Buffer> {
  const { amountCents, toName, toCardnumber, at } = await sentTransfer(deps.db, personId, id);
  const options = { title: "Reçu de virement", cardnumber, madeAt: deps.now() };
  return await paper(options, (page) => {
    page.facts([
      ["Montant", formatMoney(amountCents)],
      ["Envoyé à", toName],
      ["Carte", formatCardnumber(toCardnumber)],
      ["Envoyé le", formatDateTime(new Date(at))],
    ]);
  });
}
