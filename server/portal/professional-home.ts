// The home page of a professional: canteens, events and sheets of their company, each part read by its own
// room.
import { sql } from "kysely";
import {
  type ProfessionalHome,
  type ProfessionalToDo,
  professionalToDoKinds,
} from "#contract/portal/professional-home.ts";
import { companyCan } from "#contract/companies/roles.ts";
import { parisDay } from "#contract/days.ts";
import { formatMoney } from "#contract/french.ts";
import { canteenHomeOf } from "#server/canteen/canteen.ts";
import { bankChangeToConfirm } from "#server/companies/companies.ts";
import { contactToDos } from "#server/contact/contact.ts";
import type { Db } from "#server/db/db.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { grantsLeft, transfersDue } from "#server/grants/grants.ts";
import { owedBy } from "#server/invoices/invoices.ts";
import { invitationsTo, type OwnSheet, sheetsOfCompany } from "#server/partners/partners.ts";
import { controlsOfCompany, runsNetwork } from "#server/passes/passes.ts";
import { tillToDos } from "#server/till/till.ts";
import { admissionsOfCompany, sessionsOfCompany } from "#server/tickets/tickets.ts";
import { firstStepsOf } from "./first-steps.ts";

const maxScans = 6;
const maxSessions = 4;

/**
 * The caller's day, as far as their roles allow. A part without content is empty; a number without a company
 * gets only the answers of the customer service and the till requests for its card.
 */
export async function professionalHomeOf(call: PersonCall<unknown>): Promise<ProfessionalHome> {
  const { deps, caller } = call;
  const { company } = caller;
  const { db } = deps;
  const at = deps.now();
  if (!company) {
    const personal = await personalToDos(db, caller.personId, at);
    const nothing = { sheets: [], canteen: null, grants: null, sessions: [], scans: [] };
    return { company, ...nothing, runsNetwork: false, toDos: personal, firstSteps: [] };
  }
  const { companyId, name, roles } = company;
  const charges = companyCan.charge(roles);
  const [own, meals, sessions, admissions, network, controls, invoices, owner, granted, personal] =
    await Promise.all([
      sheetsOfCompany(db, companyId, at),
      canteenHomeOf(call, { roles, scans: maxScans }),
      charges ? sessionsOfCompany(db, { companyId, at, most: maxSessions }) : [],
      charges ? admissionsOfCompany(db, { companyId, most: maxScans }) : [],
      charges && runsNetwork(db, companyId),
      charges ? controlsOfCompany(db, { companyId, most: maxScans }) : [],
      companyCan.seeMoney(roles) ? owedOf(db, companyId, parisDay(at)) : [],
      companyCan.decide(roles) ? ownerToDos(db, { companyId, personId: caller.personId, at }) : [],
      companyCan.seeMoney(roles) ? grantsLeft(db, { companyId, today: parisDay(at) }) : null,
      personalToDos(db, caller.personId, at),
    ]);
  const firstSteps = companyCan.decide(roles)
    ? await firstStepsOf(db, { companyId, sheets: own, at })
    : [];
  const toDos = [...own.flatMap(frozen), ...meals.toDos, ...invoices, ...owner, ...personal];
  const scans = [...meals.scans, ...admissions, ...controls];
  return {
    company: { name, roles },
    sheets: own.map(({ frozenWhy: _why, isWritten: _isWritten, ...sheet }) => sheet),
    canteen: meals.canteen,
    grants: granted,
    sessions,
    runsNetwork: network,
    firstSteps,
    toDos: toDos.toSorted((one, other) => urgencyOf(one) - urgencyOf(other)),
    scans: scans.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, maxScans),
  };
}

const urgencyOf = ({ kind }: ProfessionalToDo): number => professionalToDoKinds.indexOf(kind);

const frozen = ({ id, name, frozenWhy }: OwnSheet): ProfessionalToDo[] =>
  frozenWhy === null
    ? []
    : [{ kind: "sheet_frozen", id, what: `${name}\u202f: ${frozenWhy}`, count: 1, day: null }];

/** The company's debts: its invoices, and the transfers of its grants. */
async function owedOf(db: Db, companyId: string, today: string): Promise<ProfessionalToDo[]> {
  const [invoices, { count, cents, first }] = await Promise.all([
    invoicesOf(db, companyId, today),
    transfersDue(db, companyId),
  ]);
  const transfers = { kind: "grants_due", what: formatMoney(cents), count, day: null } as const;
  return first === null ? invoices : [...invoices, { ...transfers, id: first }];
}

async function invoicesOf(db: Db, companyId: string, today: string): Promise<ProfessionalToDo[]> {
  const { toPay, late } = await owedBy(db, companyId, today);
  if (toPay.count === 0) return [];
  const isLate = late.count === 0 ? "" : `, dont ${formatMoney(late.cents)} en retard`;
  const what = `${formatMoney(toPay.cents)}${isLate}`;
  return [{ kind: "invoices_due", id: companyId, what, count: toPay.count, day: null }];
}

/** Requests to the company, which its owners alone answer. */
async function ownerToDos(
  db: Db,
  { companyId, personId, at }: { companyId: string; personId: number; at: Date },
): Promise<ProfessionalToDo[]> {
  const [change, invitations] = await Promise.all([
    bankChangeToConfirm(db, { companyId, personId, at }),
    invitationsTo(db, { companyId, at }),
  ]);
  const toDo = (
    kind: "bank_change" | "partnership",
    { id, from, until }: IncomingRequest,
  ): ProfessionalToDo => ({
    kind,
    id,
    what: from,
    count: 1,
    day: parisDay(until),
  });
  return [
    ...(change ? [toDo("bank_change", change)] : []),
    ...invitations.map((one) => toDo("partnership", one)),
  ];
}

interface IncomingRequest {
  id: string;
  from: string;
  until: Date;
}

/** To-dos of the caller as a person: sales that a till requested from their card, and answers. */
async function personalToDos(db: Db, personId: number, at: Date): Promise<ProfessionalToDo[]> {
  const { rows } = await sql<
    Pick<ProfessionalToDo, "kind" | "id" | "what"> & { amountCents: number | null }
  >`
    select 'till' as kind, id, "from" as what, what::int as amount_cents
    from (${tillToDos(personId, at)}) sale
    union all (select 'answer', id, what, null from (${contactToDos(personId)}) todo
      order by id limit 6)`.execute(db);
  return rows.map(({ amountCents, ...row }) => ({
    ...row,
    ...(amountCents !== null && { amountCents }),
    count: 1,
    day: null,
  }));
}
