// Messages between the two sides of a partnership.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { PartnershipMessage, partnerships as rows } from "#contract/partners/partnerships.ts";
import { partnershipCan } from "#contract/partners/partnership-states.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import type { Call } from "#server/http/serve.ts";
import { announceTo } from "./partnership-announcements.ts";
import { lockPartnership, type PartnershipRow, requirePartnership } from "./partnership-rows.ts";

const defaultLimit = 20;

async function messagesWhere(
  db: Db,
  row: PartnershipRow,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<PartnershipMessage[]> {
  const { rows: found } = await sql<Omit<PartnershipMessage, "at"> & { at: Date }>`
    select m.id, m.from_inviter = ${row.isInviter} as is_ours,
      case when m.from_inviter = ${row.isInviter} then p.name end as by, m.text, m.at
    from partnership_message m join person p on p.id = m.by_id
    where m.partnership_id = ${row.id}
      and (${before ?? null}::bigint is null or m.id < ${before ?? null}::bigint)
    order by m.id desc limit ${limit}`.execute(db);
  return found.map((one) => ({ ...one, at: one.at.toISOString() }));
}

/** A page of the messages, the latest first. Refuses `not_found`. */
export async function readMessages({ deps, company, input }: Call<typeof rows.messages>) {
  const of = { companyId: company.companyId, at: deps.now() };
  const row = await requirePartnership(deps.db, of, input.id);
  const limit = input.limit ?? defaultLimit;
  const found = await messagesWhere(deps.db, row, { before: input.before, limit: limit + 1 });
  return pageOf(found, limit, ({ id }) => id);
}

/** Writes to the other side, which is notified. Refuses `partnership_state` where it is not active. */
export function writeMessage(call: Call<typeof rows.write>): Promise<PartnershipMessage> {
  const { deps, caller, company: own, input } = call;
  const text = input.text.trim();
  if (text === "") throw new Problem("invalid_input", { field: "text", what: "message" });
  return inCompanyTx(call, async (tx) => {
    const at = deps.now();
    const row = await lockPartnership(tx, { companyId: own.companyId, at }, input.id);
    if (!partnershipCan.write(row)) throw new Problem("partnership_state");
    await sql`
      insert into partnership_message (partnership_id, by_id, from_inviter, text, at)
      values (${row.id}, ${caller.personId}, ${row.isInviter}, ${text}, ${at})`.execute(tx);
    await announceTo(tx, deps, row.otherId, {
      id: row.id,
      title: `Message de ${own.name}`,
      body: text.length > 200 ? `${text.slice(0, 200)}…` : text,
      at,
    });
    const [written] = await messagesWhere(tx, row, { before: undefined, limit: 1 });
    if (!written) throw new Error("the message just written is not there");
    return written;
  });
}
