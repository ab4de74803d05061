// Rows of partnerships: found for one side, locked, and as that side sees them.
import { type RawBuilder, sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { groupSiren } from "#contract/companies/siren.ts";
import { Problem } from "#contract/errors.ts";
import { formatCardnumber } from "#contract/french.ts";
import { partnerships as limits } from "#contract/partners/partnership-limits.ts";
import type {
  Partnership,
  PartnershipLine,
  PartnershipTerms,
} from "#contract/partners/partnerships.ts";
import type { PartnershipState } from "#contract/partners/partnership-states.ts";
import type { Membership } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { offersOfCompany } from "./company-sheets.ts";

export interface PartnershipRow {
  id: string;
  number: number;
  state: PartnershipState;
  isInviter: boolean;
  /** The other company, null where an invitation reached no company. */
  otherId: string | null;
  otherName: string | null;
  otherSiren: string | null;
  otherStreet: string | null;
  otherPostcode: string | null;
  otherTown: string | null;
  siret: string | null;
  cardnumber: number | null;
  note: string | null;
  invitedAt: Date;
  expiresAt: Date;
  answeredAt: Date | null;
  endedAt: Date | null;
  endedWhy: string | null;
  endedByInviter: boolean | null;
}

interface TermsRow {
  version: number;
  inviterPercent: number;
  invitedPercent: number;
  note: string | null;
  byInviter: boolean;
  proposedAt: Date;
  fromAt: Date | null;
  closed: "refused" | "withdrawn" | null;
}

/** SQL: partnerships of a company; the invited side sees those that reached it. */
export const ofCompany = (companyId: string): RawBuilder<boolean> =>
  sql`(p.inviter_id = ${companyId} or p.invited_id = ${companyId})`;

/** SQL: the state at an instant: an invitation past its time is expired before a row says so. */
export const stateAt = (at: Date): RawBuilder<PartnershipState> => sql`
  case when p.state = 'invited' and p.expires_at <= ${at} then 'expired' else p.state end`;

/** Partnerships of a company that match `condition`; `rest` orders and limits them. */
export async function partnershipsWhere(
  db: Db,
  { companyId, at }: { companyId: string; at: Date },
  condition: RawBuilder<unknown>,
  rest: RawBuilder<unknown> = sql``,
): Promise<PartnershipRow[]> {
  const { rows } = await sql<PartnershipRow>`
    select p.id, p.number, ${stateAt(at)} as state, p.inviter_id = ${companyId} as is_inviter,
      o.id as other_id, o.name as other_name, o.siren as other_siren, o.street as other_street,
      o.postcode as other_postcode, o.town as other_town, p.siret, p.cardnumber, p.note,
      p.invited_at, p.expires_at, p.answered_at,
      p.ended_at, p.ended_why, p.ended_by_inviter
    from partnership p
    left join company o on o.id = case when p.inviter_id = ${companyId} then p.invited_id else p.inviter_id end
    where ${ofCompany(companyId)} and ${condition} ${rest}`.execute(db);
  return rows;
}

/** One partnership of the company. Refuses `not_found`. */
export async function requirePartnership(
  db: Db,
  of: { companyId: string; at: Date },
  id: string,
): Promise<PartnershipRow> {
  const [row] = await partnershipsWhere(db, of, sql`p.id = ${id}`);
  if (!row) throw new Problem("not_found");
  return row;
}

/** The same, its row locked. */
export async function lockPartnership(
  tx: Tx,
  of: { companyId: string; at: Date },
  id: string,
): Promise<PartnershipRow> {
  await sql`select from partnership p where p.id = ${id} and ${ofCompany(of.companyId)}
    for update`.execute(tx);
  return await requirePartnership(tx, of, id);
}

/** Of each partnership the `max` latest versions of its terms and the one in force, the latest first. */
export async function termsOfEach(
  db: Db,
  ids: readonly string[],
  max: number,
): Promise<Map<string, TermsRow[]>> {
  const { rows } = await sql<TermsRow & { partnershipId: string }>`
    select t.partnership_id, t.version, t.inviter_percent::int, t.invited_percent::int,
      t.note, t.by_inviter, t.proposed_at, t.from_at, t.closed
    from (select partnership_id, max(version) as latest,
        max(version) filter (where from_at is not null) as in_force
      from partnership_terms where partnership_id = any (${ids}::uuid[]) group by partnership_id) known
    join partnership_terms t on t.partnership_id = known.partnership_id
      and (t.version > known.latest - ${max}::int or t.version = known.in_force)
    order by t.version desc`.execute(db);
  return Map.groupBy(rows, ({ partnershipId }) => partnershipId);
}

/** The latest versions of the terms of a partnership and the one in force, the latest first. */
export async function termsOf(db: Db, id: string): Promise<TermsRow[]> {
  return (await termsOfEach(db, [id], limits.versionsShown)).get(id) ?? [];
}

/** The inviting side learns the name of the other company once that has accepted. */
const isKnown = (row: PartnershipRow): boolean =>
  !row.isInviter || row.state === "active" || row.state === "ended";

const typedOf = ({ isInviter, siret, cardnumber }: PartnershipRow): string | null => {
  if (!isInviter) return null;
  return siret ? groupSiren(siret) : formatCardnumber(cardnumber ?? 0);
};

const toTerms = (isInviter: boolean, terms: TermsRow): PartnershipTerms => ({
  version: terms.version,
  givesPercent: isInviter ? terms.inviterPercent : terms.invitedPercent,
  getsPercent: isInviter ? terms.invitedPercent : terms.inviterPercent,
  note: terms.note,
  isOurs: terms.byInviter === isInviter,
  proposedAt: terms.proposedAt.toISOString(),
  fromAt: terms.fromAt?.toISOString() ?? null,
  closed: terms.closed,
});

const lineOf = (row: PartnershipRow) => ({
  id: row.id,
  state: row.state,
  isInviter: row.isInviter,
  name: isKnown(row) ? row.otherName : null,
  town: isKnown(row) ? row.otherTown : null,
  invited: typedOf(row),
  at: (row.endedAt ?? row.answeredAt ?? row.invitedAt).toISOString(),
});

/** The view of a line of the list, with the terms in force, else those that were offered. */
export function toLine(row: PartnershipRow, versions: readonly TermsRow[]): PartnershipLine {
  const current = versions.find(({ fromAt }) => fromAt) ?? versions.at(-1);
  const terms = current && toTerms(row.isInviter, current);
  const isProposed = versions.some(
    (one) => !one.fromAt && !one.closed && one.byInviter !== row.isInviter,
  );
  return {
    ...lineOf(row),
    givesPercent: terms?.givesPercent ?? 0,
    getsPercent: terms?.getsPercent ?? 0,
    isWaiting: isProposed && (row.state === "active" || row.state === "invited"),
  };
}

/** The view of a partnership for one side. */
export async function toPartnership(
  db: Db,
  own: Membership,
  row: PartnershipRow,
  at: Date,
): Promise<Partnership> {
  const versions = (await termsOf(db, row.id)).map((one) => toTerms(row.isInviter, one));
  const isActive = row.state === "active";
  const known = isKnown(row);
  return {
    ...lineOf(row),
    siren: known ? row.otherSiren : null,
    address:
      known && row.otherStreet !== null
        ? `${row.otherStreet}, ${row.otherPostcode} ${row.otherTown}`
        : null,
    note: row.note,
    expiresAt: row.expiresAt.toISOString(),
    activeAt: isActive || row.state === "ended" ? (row.answeredAt?.toISOString() ?? null) : null,
    endedAt: row.endedAt?.toISOString() ?? null,
    endedWhy: row.endedWhy,
    endedByUs: row.endedByInviter !== null && row.endedByInviter === row.isInviter,
    terms: isActive ? (versions.find(({ fromAt }) => fromAt) ?? null) : null,
    proposal: isActive ? (versions.find(({ fromAt, closed }) => !fromAt && !closed) ?? null) : null,
    versions,
    sheets: known && row.otherId ? await offersOfCompany(db, row.otherId, at) : [],
    canDecide: companyCan.decide(own.roles),
    seesMoney: companyCan.seeMoney(own.roles),
  };
}
