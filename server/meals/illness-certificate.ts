// The certificate of an illness: sent by the family, accepted or refused by the canteen, and settled by
// itself when it never comes or is never answered.
import { companyCan, companyRoles } from "#contract/companies/roles.ts";
import { type RawBuilder, sql } from "kysely";
import { addDays, dayMs, instantOfParis, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney, ofName } from "#contract/french.ts";
import { illness as limits } from "#contract/meals/limits.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { eachRow } from "#server/db/each-row.ts";
import { attachDocuments, deleteDocuments } from "#server/documents/documents.ts";
import { mayActFor } from "#server/family/family.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { auditAct } from "#server/identity/identity.ts";
import { asSentence } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { announceMeal, announceProvider } from "./announcements.ts";
import type { CanteenCall } from "#server/kitchen/kitchen.ts";
import {
  illnessDaysInWords,
  lockIllness,
  lockOwnIllness,
  type IllnessRow,
  requireIllnessCan,
} from "./illness.ts";
import { certificateOf } from "./illness-views.ts";
import { lockMeals, pushMealChanges } from "./ordered-meals.ts";
import { settleHolds } from "./orders.ts";

/** Roles that answer families, of a company that runs canteens. */
const answering = companyRoles.filter((role) => companyCan.answerFamilies([role]));

/**
 * Whether a person may read the certificate of an illness: the guardians, and whoever answers it at the
 * canteen.
 */
export async function mayReadCertificate(db: Db, personId: number, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from meal_illness i join canteen_registration r on r.id = i.registration_id
    join canteen c on c.id = r.canteen_id join canteen_provider v on v.id = c.provider_id
    join partner s on s.id = v.partner_id
    where i.id::text = ${id} and (exists (select from company_member m
        where m.company_id = s.company_id and m.person_id = ${personId}
          and m.roles && ${answering}::text[])
      or ${mayActFor(personId, sql.ref("r.person_id"))})`.execute(db);
  return rows.length > 0;
}

/** Sends the certificate; a refused one before it is deleted. Refuses `illness_state`. */
export function proveIllness({
  deps,
  caller,
  input,
}: PersonCall<{ illness: string; documents: string[] }>): Promise<{ message: string }> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const illness = await lockOwnIllness(tx, caller.personId, input.illness);
    requireIllnessCan(illness, "prove");
    if (illness.certificateUntil && illness.certificateUntil < at)
      throw new Problem("illness_state");
    const to = certificateOf(illness.id);
    await deleteDocuments(tx, to);
    await attachDocuments(tx, { personId: caller.personId, ids: input.documents, to, at });
    await sql`update meal_illness set state = 'sent', sent_at = ${at}, reason = null,
      answered_at = null where id = ${illness.id}`.execute(tx);
    await announceProvider(tx, deps, illness.providerId, {
      title: "Certificat à vérifier",
      body: `${illness.name}, ${illnessDaysInWords(illness)} (${illness.canteen}).`,
      path: linkTo(paths.canteenDesk, {}, { tab: "absences" }),
      at,
    });
    return { message: "Le certificat est envoyé. La cantine vous répondra." };
  });
}

/** Accepts a certificate, or refuses it with a reason. Refuses `illness_state`, `illness_reason`. */
export function answerCertificate(
  call: CanteenCall<{ illness: string; accept: boolean; reason: string }>,
): Promise<{ message: string }> {
  const { deps, canteen, input } = call;
  return inCompanyTx(call, async (tx) => {
    const at = deps.now();
    const atCanteen = sql<boolean>`r.canteen_id = ${canteen.id}`;
    const illness = await lockIllness(tx, input.illness, atCanteen);
    if (!illness) throw new Problem("not_found");
    requireIllnessCan(illness, "answer");
    const reason = input.reason.trim();
    if (!input.accept && reason === "") throw new Problem("illness_reason");
    if (input.accept) await acceptCertificate(tx, deps, illness, at);
    else await refuseCertificate(tx, deps, illness, { reason, at });
    const action = input.accept ? "meal.certificate_accept" : "meal.certificate_refuse";
    await auditAct(tx, call, action, { personId: illness.personId, as: "provider", at });
    return {
      message: input.accept ? "Le certificat est accepté." : "Le certificat est refusé.",
    };
  });
}

async function acceptCertificate(tx: Tx, deps: Deps, illness: IllnessRow, at: Date) {
  const { releasedCents } = await settleProof(tx, illness, { accepted: true, at });
  await sql`update meal_illness set state = 'accepted', answered_at = ${at}
    where id = ${illness.id}`.execute(tx);
  await announceMeal(tx, deps, [illness.personId], {
    title: "Certificat accepté",
    body: `${illness.canteen} accepte le certificat ${ofName(illness.name)} ${illnessDaysInWords(illness)}\u202f: ${formatMoney(releasedCents)} rendus.`,
    alsoOutside: true,
    at,
  });
}

async function refuseCertificate(
  tx: Tx,
  deps: Deps,
  illness: IllnessRow,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  const least = instantOfParis(addDays(parisDay(at), limits.toProveAgain + 1), "00:00");
  const until =
    illness.certificateUntil && illness.certificateUntil > least ? illness.certificateUntil : least;
  await sql`update meal_illness set state = 'refused', answered_at = ${at}, reason = ${reason},
    certificate_until = ${until} where id = ${illness.id}`.execute(tx);
  await announceMeal(tx, deps, [illness.personId], {
    title: "Certificat refusé",
    body: `${illness.canteen} refuse le certificat ${ofName(illness.name)} ${illnessDaysInWords(illness)}\u202f: ${asSentence(reason)} Envoyez-en un autre avant le ${formatDate(until)}, sinon ces repas restent dus.`,
    alsoOutside: true,
    at,
  });
}

/** Settles the meals that wait for the certificate: refunded, or spent. */
async function settleProof(
  tx: Tx,
  illness: IllnessRow,
  { accepted, at }: { accepted: boolean; at: Date },
): Promise<{ releasedCents: number; spentCents: number }> {
  const { rows } = await sql<{ id: string; costCents: number }>`
    select m.order_id as id, m.cost_cents from meal_illness_meal m
    join meal_order o on o.id = m.order_id
    where m.illness_id = ${illness.id} and m.terms = 'proof' and o.charged_cents is null`.execute(
    tx,
  );
  const costs = new Map(rows.map(({ id, costCents }) => [id, accepted ? 0 : costCents]));
  const spentCents = await settleMeals(tx, costs, at);
  const total = rows.reduce((sum, { costCents }) => sum + costCents, 0);
  return { releasedCents: total - spentCents, spentCents };
}

/** Ends the holds of cancelled meals, with a cost for each; returns what is spent, in cents. */
async function settleMeals(tx: Tx, costs: ReadonlyMap<string, number>, at: Date): Promise<number> {
  const orders = (await lockMeals(tx, [...costs.keys()])).filter(
    ({ state, chargedCents }) => state === "cancelled" && chargedCents === null,
  );
  const meals = orders.map((order) => ({ order, costCents: costs.get(order.id) ?? 0 }));
  await settleHolds(tx, meals, { act: "cancelled", at });
  await sql`update meal_order o set charged_cents = settled.cost
    from unnest(${orders.map(({ id }) => id)}::uuid[],
      ${meals.map(({ costCents }) => costCents)}::int[]) as settled (id, cost)
    where o.id = settled.id`.execute(tx);
  await pushMealChanges(tx, orders);
  return meals.reduce((sum, { costCents }) => sum + costCents, 0);
}

/**
 * Settles meals of illnesses: the days that stay due once they are past, certificates that never came, and
 * those that nobody answered in time, which count as accepted. Deletes files that are no longer needed. Of
 * each, `atOnce` are read together.
 */
export async function settleIllnesses(deps: Deps, atOnce?: { atOnce: number }): Promise<void> {
  await settleDueMeals(deps, atOnce);
  await settleCertificates(deps, atOnce);
  await forgetCertificates(deps, atOnce);
}

async function settleCertificates(deps: Deps, atOnce?: { atOnce: number }): Promise<void> {
  const at = deps.now();
  const answerBefore = new Date(at.getTime() - limits.toAnswer * dayMs);
  const due = async (after: string | null, limit: number) => {
    const { rows } = await sql<{ id: string }>`
      select id from meal_illness
      where (state in ('awaited', 'refused') and certificate_until <= ${at}
          or state = 'sent' and sent_at <= ${answerBefore})
        and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit ${limit}`.execute(deps.db);
    return rows;
  };
  const settle = ({ id }: { id: string }) =>
    inTx(deps.db, async (tx) => {
      const illness = await lockIllness(tx, id);
      if (illness?.state === "sent") return await acceptCertificate(tx, deps, illness, at);
      if (illness?.state !== "awaited" && illness?.state !== "refused") return;
      const { spentCents } = await settleProof(tx, illness, { accepted: false, at });
      await sql`update meal_illness set state = 'unproven', answered_at = ${at}
        where id = ${id}`.execute(tx);
      await announceMeal(tx, deps, [illness.personId], {
        title: "Certificat non reçu",
        body: `Aucun certificat valable n’est arrivé pour ${illness.name} ${illnessDaysInWords(illness)} (${illness.canteen})\u202f: ${formatMoney(spentCents)} sont retenus.`,
        alsoOutside: true,
        at,
      });
    });
  await eachRow(due, settle, atOnce);
}

/** A person with meals of illnesses that stay due, and what each costs. */
interface DueMeals {
  id: number;
  meals: { order: string; costCents: number }[];
}

async function settleDueMeals(deps: Deps, atOnce?: { atOnce: number }): Promise<void> {
  const at = deps.now();
  const due = async (after: number | null, limit: number) => {
    const { rows } = await sql<DueMeals>`
      select o.person_id as id,
        json_agg(json_build_object('order', m.order_id, 'costCents', m.cost_cents)) as meals
      from meal_illness_meal m join meal_order o on o.id = m.order_id
      where m.terms = 'due' and o.state = 'cancelled' and o.charged_cents is null
        and o.on_day < ${parisDay(at)}::date and o.person_id > ${after ?? 0}
      group by o.person_id order by o.person_id limit ${limit}`.execute(deps.db);
    return rows;
  };
  const settle = async ({ meals }: DueMeals) => {
    const costs = new Map(meals.map(({ order, costCents }) => [order, costCents]));
    await inTx(deps.db, (tx) => settleMeals(tx, costs, at));
  };
  await eachRow(due, settle, atOnce);
}

/** Releases free of charge the holds of meals of illnesses under a condition. */
export async function releaseIllnessMeals(
  tx: Tx,
  condition: RawBuilder<unknown>,
  at: Date,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from meal_order
    where ${condition} and state = 'cancelled' and charged_cents is null`.execute(tx);
  await settleMeals(tx, new Map(rows.map(({ id }) => [id, 0])), at);
}

async function forgetCertificates({ db, now }: Deps, atOnce?: { atOnce: number }): Promise<void> {
  const before = new Date(now().getTime() - limits.retention * dayMs);
  const due = async (after: string | null, limit: number) => {
    const { rows } = await sql<{ id: string }>`
      select i.id from meal_illness i where i.state in ('accepted', 'unproven')
        and i.answered_at <= ${before} and exists (select from document d
          where d.attached_kind = 'illness' and d.attached_id = i.id::text)
        and (${after}::uuid is null or i.id > ${after}::uuid)
      order by i.id limit ${limit}`.execute(db);
    return rows;
  };
  const forget = ({ id }: { id: string }) =>
    inTx(db, (tx) => deleteDocuments(tx, certificateOf(id)));
  await eachRow(due, forget, atOnce);
}
