// The holder's side of enrolments: invitations answered by the holder or a guardian, and enrolments left.
import { type RawBuilder, sql } from "kysely";
import type { OwnEnrolment } from "#contract/commuting/rows.ts";
import { isShared } from "#contract/commuting/law.ts";
import { enrolmentCan } from "#contract/commuting/states.ts";
import { Problem } from "#contract/errors.ts";
import type { FareKind } from "#contract/passes/states.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { sqlAtPlace } from "#server/db/link.ts";
import { mayActFor } from "#server/family/family.ts";
import type { AuditedCall, PersonCall } from "#server/http/caller.ts";
import { audit } from "#server/identity/identity.ts";
import type { HolderHome } from "#server/portal/portal.ts";
import { announceToCompany, faresPath } from "./announcements.ts";
import { bearer, type EnrolmentRow, enrolmentsWhere } from "./enrolment-rows.ts";
import { lockEnrolment } from "./enrolments.ts";

/** Employers that invite the caller or a child, or pay for them: invitations first. */
export async function readOwnEnrolments({
  deps,
  caller,
}: PersonCall<unknown>): Promise<{ items: OwnEnrolment[] }> {
  const me = caller.personId;
  const at = deps.now();
  const found = await enrolmentsWhere(
    deps.db,
    at,
    sql`${mayActFor(me, bearer)} and (e.state in ('active', 'suspended')
      or (e.state = 'invited' and e.expires_at > ${at}))`,
    sql`order by e.state <> 'invited', e.number desc limit 50`,
  );
  return { items: await Promise.all(found.map((row) => toOwnView(deps.db, row, me))) };
}

/** SQL: open invitations of employers to the caller or a child, as to-dos of the home. */
export const commutingToDos = ({ me, at }: HolderHome): RawBuilder<unknown> => sql`
  select 'employer' as kind, e.id::text as id, h.id as person_id, c.name as "from",
    t.network as what, e.expires_at as until, ${sqlAtPlace(faresPath, "enrolment", sql.ref("e.id"))} as path
  from commuting_enrolment e join card on card.number = e.cardnumber
  join person h on h.id = card.person_id and h.type = 1 and h.disabled_at is null
  join commuting_plan p on p.id = e.plan_id join company c on c.id = p.company_id
  join transport_service t on t.id = p.service_id
  where e.state = 'invited' and e.expires_at > ${at} and ${mayActFor(me, sql.ref("h.id"))}`;

/** Accepts an employer's share, or refuses it; the same answer again changes nothing. */
export function answerEnrolment({
  deps,
  caller,
  origin,
  input: { enrolment, accept },
}: AuditedCall<{ enrolment: string; accept: boolean }>): Promise<OwnEnrolment> {
  const me = caller.personId;
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockOwn(tx, me, enrolment, at);
    const answered = accept ? "active" : "declined";
    if (row.state === answered) return await toOwnView(tx, row, me);
    if (!enrolmentCan.answer(row)) throw new Problem("commuting_state");
    await sql`update commuting_enrolment set state = ${answered},
      holder_id = ${accept ? row.bearerId : null}, accepted_at = ${accept ? at : null},
      ended_at = ${accept ? null : at}, ended_by = ${accept ? null : "holder"}
      where id = ${row.id}`.execute(tx);
    const action = accept ? "commuting.accept" : "commuting.decline";
    await record(tx, { row, me, action, address: origin.address, at });
    await announceToCompany(tx, deps, row, {
      title: accept ? "Inscription acceptée" : "Inscription refusée",
      body: accept
        ? `${row.name} a accepté\u202f: votre part est déduite de ses prochains abonnements.`
        : `${row.name} a refusé votre inscription. Rien ne vous sera facturé.`,
      at,
    });
    return await ownViewOf(tx, me, row.id, at);
  });
}

/** Ends one's enrolment. Refuses `commuting_state` for one that does not run. */
export function leaveEmployer({
  deps,
  caller,
  origin,
  input: { enrolment },
}: AuditedCall<{ enrolment: string }>): Promise<OwnEnrolment> {
  const me = caller.personId;
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockOwn(tx, me, enrolment, at);
    if (!enrolmentCan.end(row)) throw new Problem("commuting_state");
    await sql`update commuting_enrolment set state = 'ended', ended_at = ${at}, ended_by = 'holder'
      where id = ${row.id}`.execute(tx);
    const action = "commuting.leave";
    await record(tx, { row, me, action, address: origin.address, at });
    await announceToCompany(tx, deps, row, {
      title: "Inscription terminée par le salarié",
      body: `${row.name} a mis fin à son inscription. Ses prochains abonnements ne vous coûtent plus rien.`,
      at,
    });
    return await ownViewOf(tx, me, row.id, at);
  });
}

/** An enrolment of the caller or of their child, locked; anybody else's is `not_found`. */
async function lockOwn(tx: Tx, me: number, id: string, at: Date): Promise<EnrolmentRow> {
  const row = await lockEnrolment(tx, sql`e.id = ${id} and ${mayActFor(me, bearer)}`, at);
  if (!row || row.bearerId === null) throw new Problem("not_found");
  return row;
}

async function ownViewOf(tx: Tx, me: number, id: string, at: Date): Promise<OwnEnrolment> {
  const [row] = await enrolmentsWhere(tx, at, sql`e.id = ${id}`);
  if (!row) throw new Problem("not_found");
  return await toOwnView(tx, row, me);
}

async function toOwnView(db: Db, row: EnrolmentRow, me: number): Promise<OwnEnrolment> {
  const { id, state, company, siren, name, employerPercent, network } = row;
  return {
    id,
    state,
    company,
    siren,
    name,
    holder: row.bearer ?? "",
    own: row.bearerId === me,
    employerPercent,
    network,
    passes: await passesOf(db, row.products),
    expiresAt: state === "invited" ? row.expiresAt.toISOString() : null,
  };
}

async function passesOf(db: Db, products: readonly string[]): Promise<OwnEnrolment["passes"]> {
  const { rows } = await sql<{ name: string; idgroup: number; kind: FareKind }>`
    select name, group_id as idgroup, kind from fare_product
    where id = any (${[...products]}::text[]) and on_sale order by place, id`.execute(db);
  return rows.flatMap(({ kind, ...one }) => (isShared(kind) ? [one] : []));
}

async function record(
  tx: Tx,
  line: { row: EnrolmentRow; me: number; action: string; address: string; at: Date },
): Promise<void> {
  const { row, me, action, address, at } = line;
  const personId = row.bearerId ?? me;
  const actor = personId === me ? "person" : `guardian:${me}`;
  await audit(tx, { personId, actor, action, address, details: { name: row.company }, at });
}
