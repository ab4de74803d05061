// The control of a pass: the only code that decides whether it is valid now, and who may ask.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { parisDay } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatDateTime, shortName } from "#contract/french.ts";
import type { HomeScan } from "#contract/portal/professional-home.ts";
import { controlMinutes, type passControl, type PassVerdict } from "#contract/passes/control.ts";
import { passWaitsForCard } from "#contract/passes/states.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import {
  type CompanyHome,
  companyHomeLimits,
  type CompanyHomePart,
} from "#server/portal/portal.ts";
import { verifyCode } from "#server/signed-codes/signed-codes.ts";
import { type PassRow, readPass } from "./pass-rows.ts";

type Control = Output<typeof passControl.control>;

/** A pass whose QR was read, in its current state, and the verdict of the control. */
export interface CheckedPass {
  row: PassRow;
  verdict: PassVerdict;
}

/** The pass whose QR was read at `at`; null when the token is not ours or was altered. */
export async function checkPassQr(db: Db, token: string, at: Date): Promise<CheckedPass | null> {
  const code = await verifyCode(db, "pass", token);
  const row = code && (await readPass(db, code.id, at));
  if (!code || !row) return null;
  const isOld = code.revision !== row.revision;
  return { row, verdict: verdictOf(row, isOld) };
}

/**
 * A reason that the holder cannot remedy on the spot comes before one that showing the pass again remedies.
 */
function verdictOf(row: PassRow, isOld: boolean): PassVerdict {
  const { state } = row;
  if (state === "replaced" || state === "expired" || state === "suspended") return state;
  if (passWaitsForCard(row)) return "card";
  if (isOld) return "code_old";
  return state === "pending" ? "early" : "valid";
}

/**
 * Controls a pass for the company that runs its network (spec.md 25), and records the verdict. A pass that
 * this company found valid a moment ago is answered with that time. Refuses `pass_forged` and
 * `pass_elsewhere`, which are not recorded, and `pass_` with any verdict but `valid`.
 */
export async function controlPass(call: CompanyCall<{ token: string }>): Promise<Control> {
  const { deps, caller, company, input } = call;
  const { companyId } = company;
  const at = deps.now();
  const { row, verdict, controlledAt } = await inCompanyTx(call, async (tx) => {
    const checked = await checkPassQr(tx, input.token, at);
    if (!checked) throw new Problem("pass_forged");
    if (!(await runs(tx, companyId, checked.row.groupId))) throw new Problem("pass_elsewhere");
    const control = { passId: checked.row.id, companyId, by: caller.personId, at };
    return { ...checked, controlledAt: await keep(tx, control, checked.verdict) };
  });
  // After the commit: a refused control is recorded as well.
  if (verdict !== "valid") throw refusalOf(row, verdict);
  return {
    name: row.name,
    kind: row.kind,
    groupName: row.groupName,
    holder: shortName(row.holder),
    stop: row.stopName,
    validUntil: row.validUntil.toISOString(),
    lastDay: parisDay(new Date(row.validUntil.getTime() - 1)),
    controlledAt: controlledAt?.toISOString() ?? null,
  };
}

const refusals = {
  early: "pass_early",
  expired: "pass_expired",
  suspended: "pass_suspended",
  replaced: "pass_replaced",
  code_old: "pass_code_old",
  card: "pass_card",
} as const satisfies Record<Exclude<PassVerdict, "valid">, string>;

function refusalOf(row: PassRow, verdict: keyof typeof refusals): Problem {
  const { validFrom, validUntil } = row;
  const instants: Partial<Record<PassVerdict, Date>> = { early: validFrom, expired: validUntil };
  const at = instants[verdict];
  return new Problem(refusals[verdict], at && { at: formatDateTime(at) });
}

async function runs(db: Db, companyId: string, groupId: number): Promise<boolean> {
  const { rows } = await sql`select from fare_group
    where group_id = ${groupId} and company_id = ${companyId}`.execute(db);
  return rows.length > 0;
}

/** Records a control, and gives the last one of the same company that found the pass valid a moment ago. */
async function keep(
  tx: Tx,
  { passId, companyId, by, at }: { passId: string; companyId: string; by: number; at: Date },
  verdict: PassVerdict,
): Promise<Date | null> {
  // Of two readings at once the second sees the first.
  await sql`select from pass where id = ${passId} for update`.execute(tx);
  const since = new Date(at.getTime() - controlMinutes * 60_000);
  const found = await query(tx).maybeOne(sql<{ at: Date }>`
    select at from pass_control where pass_id = ${passId} and company_id = ${companyId}
      and verdict = 'valid' and at > ${since} order by at desc limit 1`);
  await sql`insert into pass_control (id, pass_id, company_id, by_id, at, verdict)
    values (${randomUUID()}, ${passId}, ${companyId}, ${by}, ${at}, ${verdict})`.execute(tx);
  return found?.at ?? null;
}

/** Whether a company runs a network, so that its people control passes. */
export async function runsNetwork(db: Db, companyId: string): Promise<boolean> {
  const { rows } =
    await sql`select from fare_group where company_id = ${companyId} limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Pass controls on a company's home page, for roles that charge: whether it runs a network, and the last
 * controls.
 */
export async function networkHome({ db, companyId, roles }: CompanyHome): Promise<CompanyHomePart> {
  if (!companyCan.charge(roles)) return {};
  const [network, scans] = await Promise.all([
    runsNetwork(db, companyId),
    controlsOfCompany(db, { companyId, max: companyHomeLimits.scans }),
  ]);
  return { runsNetwork: network, scans };
}

/** The last passes that a company controlled, the latest first. */
async function controlsOfCompany(
  db: Db,
  { companyId, max }: { companyId: string; max: number },
): Promise<HomeScan[]> {
  const { rows } = await sql<{
    id: string;
    at: Date;
    verdict: PassVerdict;
    name: string;
    where: string;
  }>`
    select k.id, k.at, k.verdict, h.name, g.name as "where"
    from pass_control k join pass p on p.id = k.pass_id join person h on h.id = p.holder_id
    join fare_product f on f.id = p.product_id join acceptance_group g on g.id = f.group_id
    where k.company_id = ${companyId} order by k.at desc, k.id limit ${max}`.execute(db);
  return rows.map(({ id, at, verdict, name, where }) => ({
    id,
    kind: "pass",
    at: at.toISOString(),
    name: shortName(name),
    where,
    verdict: verdict === "valid" ? "served" : "out_of_use",
    walkIn: false,
    undone: false,
    conflict: null,
  }));
}
