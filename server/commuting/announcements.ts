// Notices of employer's transport: to the holder who is invited or enrolled, and to those who answer for the
// company.
import { companyCan } from "#contract/companies/roles.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { atPlace } from "#contract/places.ts";
import { peopleOf } from "#server/companies/companies.ts";
import { sql } from "kysely";
import type { Tx } from "#server/db/db.ts";
import { sqlLink } from "#server/db/link.ts";
import { query } from "#server/db/query.ts";
import { withGuardians } from "#server/family/family.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import type { EnrolmentRow } from "./enrolment-rows.ts";

type MessageDeps = Pick<Deps, "send" | "config">;

interface News {
  title: string;
  body: string;
  at: Date;
  outside?: boolean;
}

const ofGroup = sqlLink(paths.fares, { group: sql.ref("f.group_id") });

/** SQL: where the passes of an offer (alias `t`) are bought, and an employer's enrolment is answered. */
export const faresPath = sql<string>`coalesce((select ${ofGroup} from fare_product f
  where f.id = any (t.products) and f.on_sale order by f.place, f.id limit 1), ${sql.lit(paths.lines)})`;

async function faresPathOf(tx: Tx, service: string): Promise<string> {
  const found = await query(tx).maybeOne(sql<{ path: string }>`
    select ${faresPath} as path from transport_service t where t.id = ${service}`);
  return found?.path ?? paths.lines;
}

/** Tells the holder of an enrolment, and the guardians of a child; `toAnswer` is the id of one to answer. */
export async function announceToHolder(
  tx: Tx,
  deps: MessageDeps,
  { holderId, service, toAnswer }: { holderId: number; service: string; toAnswer?: string },
  { title, body, at, outside = false }: News,
): Promise<void> {
  const path = await faresPathOf(tx, service);
  await announce(tx, deps, {
    about: "pass",
    to: await withGuardians(tx, [holderId]),
    title,
    body,
    path: toAnswer === undefined ? path : atPlace(path, "enrolment", toAnswer),
    changed: ["commuting", "passes"],
    channels: outside ? "outside" : "portal",
    at,
  });
}

/** Tells the owners of the company that an employee answered or left, by the name that the company gave. */
export async function announceToCompany(
  tx: Tx,
  deps: MessageDeps,
  row: EnrolmentRow,
  { title, body, at }: News,
): Promise<void> {
  await announce(tx, deps, {
    about: "pass",
    to: await peopleOf(tx, row.companyId, companyCan.decide),
    title,
    body,
    path:
      row.code === null
        ? paths.services
        : linkTo(paths.employeeTransport, { code: row.code, id: row.service }, { tab: "salaries" }),
    changed: ["commuting", "passes"],
    at,
  });
}

/** Tells the enrolled employees that the share has changed. */
export async function announceShare(
  tx: Tx,
  deps: MessageDeps,
  share: { companyId: string; service: string; name: string; employerPercent: number; at: Date },
): Promise<void> {
  const { companyId, service, name, employerPercent, at } = share;
  const { rows } = await sql<{ id: number }>`
    select h.id from commuting_enrolment e join commuting_plan p on p.id = e.plan_id
    join person h on h.id = e.holder_id
    where p.company_id = ${companyId} and p.service_id = ${service}
      and e.state in ('active', 'suspended') order by 1`.execute(tx);
  if (rows.length === 0) return;
  const to = await withGuardians(
    tx,
    rows.map(({ id }) => id),
  );
  await announce(tx, deps, {
    about: "pass",
    to,
    title: "La part de votre employeur change",
    body: `${name} paie désormais ${employerPercent}\u202f% de vos prochains abonnements. Ce qui est acheté ne change pas.`,
    path: await faresPathOf(tx, service),
    changed: ["commuting", "passes"],
    channels: "outside",
    at,
  });
}
