// Companies of professionals: for which one a person acts, and what their roles permit there. A
// professional's sheets, canteens, cards, tills and invoices belong to the company.
import { type RawBuilder, sql } from "kysely";
import type { CompanyRole, RolePredicate } from "#contract/companies/roles.ts";
import type { Company } from "#contract/companies/rows.ts";
import { vatNumberOf } from "#contract/companies/siren.ts";
import type { RowRight } from "#contract/endpoint.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Caller, CompanyCall, Membership } from "#server/http/caller.ts";
import { requireRight } from "#server/http/rights.ts";

export { ibanOf, requireBankName } from "./account-parts.ts";
export { type BankAccount, bankAccountFor, writeBankAccount } from "./bank-accounts.ts";
export { companyOutgoingCents } from "./outgoing.ts";
export {
  issueProCards,
  proCardsLeft,
  requireCardsLeft,
  withdrawProCards,
} from "./pro-card-issue.ts";

export type { Membership } from "#server/http/caller.ts";

/** The company of a professional number and the roles in it; null when it belongs to none (spec.md 25). */
export async function companyOf(db: Db, personId: number): Promise<Membership | null> {
  return await query(db).maybeOne(sql<Membership>`
    select c.id as company_id, c.name, m.roles from company_member m
    join company c on c.id = m.company_id where m.person_id = ${personId}`);
}

/** How an action locks roles, and what it locks next. */
interface RolesHeld {
  /** Persons whose roles the action changes. */
  alsoOf?: readonly number[];
  /** Whether such actions of one caller wait for one another. */
  oneAtATime?: boolean;
  /** SQL that selects and locks rows, in the same statement, once the caller's roles are locked. */
  andLock?: RawBuilder<unknown>;
}

/** Who acts in a company, and what their roles must permit. */
interface CompanyAct extends RolesHeld {
  caller: Pick<Caller, "personId" | "company">;
  right: RowRight;
}

/**
 * Locks the caller's roles until the end of the transaction: a caller who lost them since the call came in is
 * refused `company_missing` or `company_role`, and taking them away waits. The first lock of an action.
 */
export async function holdRoles(tx: Tx, act: CompanyAct): Promise<Membership> {
  const { rows } = await sql<HeldRoles>`
    with held as (${lockedRoles(act)})
    select held.*, (select count(*) from (${act.andLock ?? sql`select`}) next) from held`.execute(
    tx,
  );
  return requireHeld(rows, act);
}

/**
 * The same in one round trip with the first write of the action, where it is called often: an `insert` that
 * selects from `held`, a row while the caller belongs to the company. Returns what the insert returns.
 */
export async function holdRolesAndInsert<Row>(
  tx: Tx,
  act: Pick<CompanyAct, "caller" | "right">,
  insert: RawBuilder<Row>,
): Promise<Row[]> {
  const { rows } = await sql<HeldRoles & { inserted: Row[] }>`
    with held as (${lockedRoles(act)}), inserted as (${insert})
    select held.*, array(select to_json(inserted) from inserted) as inserted from held`.execute(tx);
  requireHeld(rows, act);
  return rows[0]?.inserted ?? [];
}

interface HeldRoles {
  personId: number;
  roles: CompanyRole[];
}

/** SQL of the members whose roles an action needs or changes, locked in one order. */
function lockedRoles(act: CompanyAct): RawBuilder<HeldRoles> {
  const { caller, right, alsoOf = [], oneAtATime = false } = act;
  const { companyId } = requireRight(caller.company, right);
  const lock = alsoOf.length === 0 && !oneAtATime ? sql`for share` : sql`for no key update`;
  return sql<HeldRoles>`
    select person_id, roles from company_member
    where company_id = ${companyId} and person_id = any (${[caller.personId, ...alsoOf]}::bigint[])
    order by person_id ${lock}`;
}

function requireHeld(held: readonly HeldRoles[], { caller, right }: CompanyAct): Membership {
  const membership = requireRight(caller.company, right);
  const own = held.find(({ personId }) => personId === caller.personId);
  return requireRight(own ? { ...membership, roles: own.roles } : null, right);
}

/**
 * A transaction of a row that requires a right in the company, in which the caller keeps it (`holdRoles`).
 */
export async function inCompanyTx<T>(
  { deps, caller, company: { right } }: Pick<CompanyCall<unknown>, "deps" | "caller" | "company">,
  work: (tx: Tx) => Promise<T>,
  held: RolesHeld = {},
): Promise<T> {
  return await inTx(deps.db, async (tx) => {
    await holdRoles(tx, { caller, right, ...held });
    return await work(tx);
  });
}

/**
 * The people of a company whose roles permit `may` and whose accounts are open, the earliest role first: for
 * rooms that notify them.
 */
export async function peopleOf(
  db: Db,
  companyId: string,
  may: RolePredicate = () => true,
): Promise<number[]> {
  const { rows } = await sql<{ id: number; roles: CompanyRole[] }>`
    select m.person_id as id, m.roles from company_member m join person p on p.id = m.person_id
    where m.company_id = ${companyId} and p.disabled_at is null
    order by m.since, m.person_id`.execute(db);
  return rows.filter(({ roles }) => may(roles)).map(({ id }) => id);
}

/** The company as its own people see it, null for a number that belongs to none. */
export async function readCompany(db: Db, personId: number): Promise<Company | null> {
  return await query(db).maybeOne(sql<Company>`
    select c.id, c.name, c.siren, c.siret, c.vat_number, c.street, c.postcode, c.town,
      m.roles
    from company_member m join company c on c.id = m.company_id
    where m.person_id = ${personId}`);
}

export interface NewCompany {
  /** Legal name. */
  name: string;
  /** Of its seat; checked by the caller (`isSiret`). */
  siret: string;
  street: string;
  postcode: string;
  town: string;
  /** Who is responsible for it: a professional number without a company. */
  ownerId: number;
  /** False where it owes no VAT (article 293 B of the tax code); true by default. */
  owesVat?: boolean;
  at: Date;
}

/**
 * Opens a company with its first person; returns its id. Refuses `company_known` when the SIREN has one
 * already, and `company_member_once` when the person belongs to one.
 */
export async function openCompany(tx: Tx, company: NewCompany): Promise<string> {
  const siren = company.siret.slice(0, 9);
  const vatNumber = company.owesVat === false ? null : vatNumberOf(siren);
  const { id } = await query(tx).one(sql<{ id: string }>`
    with opened as (
      insert into company (siren, siret, name, vat_number, street, postcode, town, created_at)
      values (${siren}, ${company.siret}, ${company.name}, ${vatNumber}, ${company.street},
        ${company.postcode}, ${company.town}, ${company.at}) returning id),
    carried as (
      insert into pro_card (person_id, company_id, issued_at, assigned_at)
      select ${company.ownerId}::bigint, id, ${company.at}, ${company.at} from opened)
    insert into company_member (person_id, company_id, roles, since)
    select ${company.ownerId}::bigint, id, array['owner'], ${company.at} from opened
    returning company_id as id`);
  return id;
}
