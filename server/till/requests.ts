// The holder's side: sales that wait for approval, answered by the holder or a guardian.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import type { TillRequest } from "#contract/till/rows.ts";
import { tillSaleCan } from "#contract/till/states.ts";
import { withApproval } from "#server/checkout/checkout.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { sqlAtPlace, sqlLink } from "#server/db/link.ts";
import { mayActFor } from "#server/family/family.ts";
import type { AuditedCall, PersonCall } from "#server/http/caller.ts";
import { auditAct, proofOf } from "#server/identity/identity.ts";
import type { HolderHome } from "#server/portal/portal.ts";
import type { Deps } from "#server/process/deps.ts";
import { tellCounter } from "./announcements.ts";
import { paySale } from "./payment.ts";
import { lockAnswerableSale, priceOf, type SaleRow, salesWhere, toRequestView } from "./sales.ts";

const waiting = (at: Date) => sql`s.state = 'requested' and s.expires_at > ${at}`;

/** Sales that wait for the caller's approval, the newest first. */
export async function readRequests({
  deps,
  caller,
}: PersonCall<unknown>): Promise<{ items: TillRequest[] }> {
  const mine = mayActFor(caller.personId, sql.ref("s.holder_id"));
  const found = await salesWhere(
    deps.db,
    sql`${waiting(deps.now())} and ${mine}`,
    sql`order by s.requested_at desc limit 20`,
  );
  return { items: found.map((sale) => toRequestView(sale, caller.personId)) };
}

const requestPath = sqlAtPlace(sqlLink(paths.tillRequests, {}), "tillSale", sql.ref("s.id"));

/** SQL: to-dos on a person's home page, `what` being the cents to pay. */
export const tillToDos = ({ me, at }: Pick<HolderHome, "me" | "at">): RawBuilder<unknown> => sql`
  select 'till' as kind, s.id::text as id, s.holder_id as person_id, p.name as "from",
    (s.amount_cents - s.discount_cents)::text as what, s.expires_at as until,
    ${requestPath} as path
  from till_sale s join partner p on p.id = s.partner_id
  where ${waiting(at)} and ${mayActFor(me, sql.ref("s.holder_id"))}`;

/** SQL: the same to-dos on the home page of a professional, whose own card a till may charge. */
export const professionalTillToDos = (
  of: Pick<HolderHome, "me" | "at">,
): RawBuilder<unknown> => sql`
  select 'till' as kind, id, "from" as what, what::int as amount_cents from (${tillToDos(of)}) sale`;

interface Answer {
  sale: string;
  accept: boolean;
  challenge?: string | undefined;
  code?: string | undefined;
}

/**
 * Pays a requested sale, or refuses it; the same answer again changes nothing. Above the threshold a code is
 * required (spec.md 28). Refuses `till_state` once its five minutes are over or the counter withdrew it,
 * `till_frozen`, and as the wallet does.
 */
export async function answerRequest(call: AuditedCall<Answer>): Promise<TillRequest> {
  const { deps, caller, input } = call;
  if (input.accept) await accept(call);
  else {
    await inTx(deps.db, async (tx) => {
      const sale = await lockAnswerableSale(tx, caller.personId, input.sale);
      if (sale.state !== "declined") await decline(tx, sale, deps.now());
    });
  }
  const [sale] = await salesWhere(deps.db, sql`s.id = ${input.sale}`);
  if (!sale) throw new Problem("not_found");
  return toRequestView(sale, caller.personId);
}

async function accept({ deps, caller, input, origin }: AuditedCall<Answer>): Promise<void> {
  const approval = { caller, purpose: "payment", binding: ["till", input.sale] } as const;
  await withApproval(deps, { ...approval, ...proofOf(input) }, async (tx) => {
    const sale = await lockAnswerableSale(tx, caller.personId, input.sale);
    if (sale.state === "paid") return null;
    const at = deps.now();
    requireOpenRequest(sale, at);
    if (sale.frozen) throw new Problem("till_frozen");
    await paySale(tx, deps, sale, { payerId: caller.personId, at });
    const amountCents = priceOf(sale);
    await auditAct(tx, { caller, origin }, "till.accept", {
      personId: sale.holderId,
      details: { name: sale.partnerName, amountCents },
      at,
    });
    return { amountCents, what: `payer ${formatMoney(amountCents)} chez ${sale.partnerName}` };
  });
}

function requireOpenRequest(sale: SaleRow, at: Date): void {
  if (!tillSaleCan.answer(sale) || (sale.expiresAt !== null && sale.expiresAt <= at)) {
    throw new Problem("till_state");
  }
}

async function decline(tx: Tx, sale: SaleRow, at: Date): Promise<void> {
  requireOpenRequest(sale, at);
  await sql`update till_sale set state = 'declined', ended_at = ${at} where id = ${sale.id}`.execute(
    tx,
  );
  await tellCounter(tx, sale);
}

/** Expires the requests that nobody answered in time. */
export async function expireRequests({ db, now }: Pick<Deps, "db" | "now">): Promise<void> {
  const at = now();
  await inTx(db, async (tx) => {
    const { rows } = await sql<{ companyId: string | null }>`
      update till_sale s set state = 'expired', ended_at = ${at} from partner p
      where p.id = s.partner_id and s.state = 'requested' and s.expires_at <= ${at}
      returning p.company_id`.execute(tx);
    const companies = new Set(rows.map(({ companyId }) => companyId));
    for (const companyId of companies) await tellCounter(tx, { companyId });
  });
}
