// The home page of a professional: their company as far as their roles allow, each part read by its own room.
import { sql } from "kysely";
import {
  type ProfessionalHome,
  type ProfessionalToDo,
  professionalToDoKinds,
} from "#contract/portal/professional-home.ts";
import type { Db } from "#server/db/db.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { firstStepsOf } from "./first-steps.ts";
import {
  companyHome,
  companyHomeLimits,
  type CompanyHomePart,
  personalToDos,
} from "./home-hooks.ts";

/**
 * The caller's day, as far as their roles allow. A part without content is empty; a number without a company
 * gets only the answers of the customer service and the till requests for its card.
 */
export async function professionalHomeOf(call: PersonCall<unknown>): Promise<ProfessionalHome> {
  const { deps, caller } = call;
  const { company } = caller;
  const { db } = deps;
  const at = deps.now();
  const nothing = { sheets: [], canteen: null, grants: null, sessions: [], scans: [] };
  if (!company) {
    const personal = await personalToDosOf(db, caller.personId, at);
    return { company, ...nothing, runsNetwork: false, toDos: personal, firstSteps: [] };
  }
  const { companyId, name, roles } = company;
  const home = { call, db, companyId, roles, at };
  const [personal, parts] = await Promise.all([
    personalToDosOf(db, caller.personId, at),
    Promise.all(companyHome.map((partOf) => partOf(home))),
  ]);
  const { firstSteps = [], ...combined } = parts.reduce<CompanyHomePart>(
    (all, part) => ({ ...all, ...part }),
    {},
  );
  const toDos = [...parts.flatMap((part) => part.toDos ?? []), ...personal];
  const scans = parts.flatMap((part) => part.scans ?? []);
  return {
    ...nothing,
    runsNetwork: false,
    ...combined,
    company: { name, roles },
    firstSteps: await firstStepsOf(home, firstSteps),
    toDos: toDos.toSorted((one, other) => urgencyOf(one) - urgencyOf(other)),
    scans: scans
      .toSorted((one, other) => (one.at < other.at ? 1 : -1))
      .slice(0, companyHomeLimits.scans),
  };
}

const urgencyOf = ({ kind }: ProfessionalToDo): number => professionalToDoKinds.indexOf(kind);

/** To-dos of the caller as a person: sales that a till requested from their card, and answers. */
async function personalToDosOf(db: Db, me: number, at: Date): Promise<ProfessionalToDo[]> {
  const lists = personalToDos.map((toDos) => toDos({ me, at }));
  const { rows } = await sql<
    Pick<ProfessionalToDo, "kind" | "id" | "what"> & { amountCents: number | null }
  >`select * from (${sql.join(lists, sql` union all `)}) todo`.execute(db);
  return rows.map(({ amountCents, ...row }) => ({
    ...row,
    ...(amountCents !== null && { amountCents }),
    count: 1,
    day: null,
  }));
}
