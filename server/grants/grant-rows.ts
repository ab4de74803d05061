// Grants as rows: read and locked.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { GrantView } from "#contract/grants/rows.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";

export interface GrantRow {
  id: string;
  number: number;
  companyId: string;
  company: string;
  personId: number;
  state: GrantView["state"];
  groupId: number;
  groupName: string;
  rule: string;
  label: string;
  expiresOn: string;
  totalCents: number;
  /** Amount still expected from its transfer; returns before it lower the amount. */
  owedCents: number;
  walletId: number | null;
  createdAt: Date;
  grantedAt: Date | null;
  /** Reference that its transfer quotes; null where none pays it. */
  reference: string | null;
  transferReceivedAt: Date | null;
}

/**
 * SQL: amount still expected from the transfer of `company_grant t`, in cents. Returns of money not paid for
 * yet went to no wallet: they lowered the debt.
 */
export const owedCents = sql`case when t.reference is null or t.transfer_received_at is not null then 0
  else t.total_cents - coalesce((select sum(b.amount_cents) from company_grant_return b
    where b.grant_id = t.id and b.paid_at is not null and b.wallet_id is null), 0) end::bigint`;

/** Whether the grant has not been paid yet: what is returned of it belongs to nobody. */
export const isOwed = ({ reference, transferReceivedAt }: GrantRow): boolean =>
  reference !== null && transferReceivedAt === null;

/** SQL: the columns of a `GrantRow`, of `company_grant t` with its `company c` and group `g`. */
export const grantColumns = sql`t.id, t.number, t.company_id, c.name as company,
  t.person_id, t.state, t.group_id, g.name as group_name, g.rule, t.label,
  t.expires_on, t.total_cents, ${owedCents} as owed_cents, t.wallet_id,
  t.created_at, t.granted_at, t.reference, t.transfer_received_at`;

/** A grant, locked, whoever asks. Refuses `not_found`. */
export const lockGrant = (tx: Tx, id: string): Promise<GrantRow> =>
  lockWhere(tx, sql`t.id = ${id}`);

/** A grant of a company, locked. Refuses `not_found`. */
export const lockGrantOf = (tx: Tx, companyId: string, id: string): Promise<GrantRow> =>
  lockWhere(tx, sql`t.id = ${id} and t.company_id = ${companyId}`);

async function lockWhere(tx: Tx, condition: RawBuilder<unknown>): Promise<GrantRow> {
  const found = await query(tx).maybeOne(sql<GrantRow>`
    select ${grantColumns} from company_grant t join company c on c.id = t.company_id
    join acceptance_group g on g.id = t.group_id where ${condition} for update of t`);
  if (!found) throw new Problem("not_found");
  return found;
}
