// Providers of meals as holders see them, and the registrations of a family at their canteens.
import { type RawBuilder, sql } from "kysely";
import type { CanteenProvider, CanteenRegistration } from "#contract/meals/registrations.ts";
import type { Diet } from "#contract/kitchen/states.ts";
import { addDays, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { canteen as limits } from "#contract/limits.ts";
import { type Db, inTx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { holderFor, mayActFor, requireMayActFor, requireNotMinor } from "#server/family/family.ts";
import type { AuditedCall, PersonCall } from "#server/http/caller.ts";
import { schoolRightEnd } from "#server/entitlements/entitlements.ts";
import { auditAct } from "#server/identity/identity.ts";
import { openingAt, openingColumns, type OpeningRow } from "#server/partners/partners.ts";
import { announceProvider } from "./announcements.ts";
import { readTerms } from "./meal-terms.ts";
import { doesCount, purchaseSharesOf } from "#server/kitchen/kitchen.ts";
import { barsOf, laterThan, mayBePupil } from "./registration-eligibility.ts";
import { registrationsOf, requireProviderOf } from "./requests.ts";
import { endWaits } from "./seat-offers.ts";
import { lockServicesOfWaits } from "./services.ts";

type ProviderRow = Omit<CanteenProvider, "orderUntil" | "opening"> & OpeningRow & { id: number };

/** A position, in degrees. */
interface Spot {
  lat: number;
  lon: number;
}

async function providersWhere(
  db: Db,
  personId: number,
  condition: RawBuilder<unknown>,
  spot: Spot | null = null,
): Promise<ProviderRow[]> {
  const metres = spot
    ? sql`round(metres_between(s.lat, s.lon, ${spot.lat}, ${spot.lon}))::int`
    : sql`null::int`;
  const { rows } = await sql<ProviderRow>`
    select v.id, s.frozen_at is not null as frozen, v.group_id as idgroup, g.slug, s.name, s.summary, s.street, s.town, s.lat, s.lon, s.phone,
      ${metres} as metres, ${openingColumns(sql.ref("s.id"))},
      (select count(*)::int from canteen c where c.provider_id = v.id) as canteens,
      coalesce((select array_agg(distinct p.name order by p.name) from canteen_registration r
        join canteen c on c.id = r.canteen_id join person p on p.id = r.person_id
        where c.provider_id = v.id and r.state = 'accepted'
          and ${mayActFor(personId, sql.ref("r.person_id"))}), '{}') as people
    from canteen_provider v join partner s on s.id = v.partner_id
    join acceptance_group g on g.id = v.group_id
    where ${condition} and s.hidden_why is null
    order by metres, s.name`.execute(db);
  return rows;
}

/**
 * Providers that serve meals: around a position the nearest first, else those of the family, then by name; a
 * frozen one is shown only to its families.
 */
export async function readProviders({
  deps,
  caller,
  input: { lat, lon },
}: PersonCall<{ lat?: number | undefined; lon?: number | undefined }>) {
  const { db } = deps;
  const at = deps.now();
  const spot = lat === undefined || lon === undefined ? null : { lat, lon };
  const rows = await providersWhere(db, caller.personId, sql`true`, spot);
  const items = [];
  const visibleRows = rows.filter(({ frozen, people }) => !frozen || people.length > 0);
  for (const row of visibleRows) items.push(await withNextDeadline(db, caller.personId, row, at));
  const first = ({ people }: CanteenProvider) => (people.length > 0 ? 0 : 1);
  const inOrder = spot ? items : items.toSorted((a, b) => first(a) - first(b));
  return { items: inOrder, now: at.toISOString() };
}

/**
 * Adds the first deadline of a meal that is not ordered yet, in the next four weeks of the family's canteens.
 */
async function withNextDeadline(
  db: Db,
  personId: number,
  { id, hours, closures, ...provider }: ProviderRow,
  at: Date,
): Promise<CanteenProvider> {
  const row = { ...provider, opening: openingAt({ hours, closures }, at) };
  if (row.frozen || row.people.length === 0) return { ...row, orderUntil: null };
  const from = parisDay(at);
  const ids = await registrationsOf(db, personId, id);
  const book = await readTerms(db, ids, { from, to: addDays(from, 27), priced: [] });
  const days = Array.from({ length: 28 }, (_, index) => addDays(from, index));
  const deadlines = [...book.registrations.values()].flatMap((rules) =>
    days
      .filter((day) => doesCount(rules, day))
      .map((day) => {
        const terms = book.on(rules.id, day);
        return terms.closedWhy === null && terms.order === null ? terms.orderUntil : null;
      }),
  );
  const open = deadlines.filter((until): until is Date => until !== null && until > at);
  const next = open.toSorted((a, b) => a.getTime() - b.getTime())[0];
  return { ...row, orderUntil: next?.toISOString() ?? null };
}

/** A provider with its canteens and the family's registrations there; `not_found` for an unknown group. */
export async function readProvider({ deps, caller, input }: PersonCall<{ idgroup: number }>) {
  const { db } = deps;
  const at = deps.now();
  const id = await requireProviderOf(db, input.idgroup);
  const [row] = await providersWhere(db, caller.personId, sql`v.id = ${id}`);
  if (!row) throw new Problem("not_found");
  const { rows: canteens } = await sql<{
    id: string;
    name: string;
    kind: "school" | "staff";
    street: string;
    town: string;
    classes: string[];
  }>`select id, name, kind, street, town, classes from canteen where provider_id = ${id}
    order by name`.execute(db);
  const registrations = await registrationsWhere(
    db,
    sql`c.provider_id = ${id} and ${mayActFor(caller.personId, sql.ref("r.person_id"))}
      and ${isRecent(at)}`,
    at,
  );
  const bars = await barsOf(db, { providerId: id, me: caller.personId, at });
  return {
    provider: await withNextDeadline(db, caller.personId, row, at),
    canteens: canteens.map((one) => ({ ...one, barred: bars.get(one.id) ?? [] })),
    registrations,
    purchases: (await purchaseSharesOf(db, id))[0] ?? null,
  };
}

/** Registrations and requests of a card: those that count, and those that ended in the last 90 days. */
export async function readRegistrations({
  deps,
  caller,
  input,
}: PersonCall<{ cardnumber: number }>): Promise<{ items: CanteenRegistration[] }> {
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  const at = deps.now();
  const whose = sql`r.person_id = ${holder.id} and ${isRecent(at)}`;
  return { items: await registrationsWhere(deps.db, whose, at) };
}

const isRecent = (at: Date) =>
  sql`(r.state in ('requested', 'accepted')
    or coalesce(r.ended_at, r.answered_at, r.requested_at) > ${at}::timestamptz - interval '90 days')`;

async function registrationsWhere(
  db: Db,
  condition: RawBuilder<unknown>,
  at: Date,
): Promise<CanteenRegistration[]> {
  const { rows } = await sql<
    Omit<CanteenRegistration, "canteen" | "provider" | "requestedAt"> & {
      canteenId: string;
      canteenName: string;
      idgroup: number;
      slug: string;
      providerName: string;
      requestedAt: Date;
    }
  >`
    select r.id, v.group_id as idgroup, g.slug, s.name as provider_name, c.id as canteen_id, c.name as canteen_name, known.number as cardnumber, p.name,
      r.audience, r.class as class_name, r.diet, r.pai,
      r.allergens_consent_at is not null as allergens_shared,
      r.photo_consent_at is not null as photo_shared, r.state, r.reason,
      r.requested_at, to_char(r.from_on, 'YYYY-MM-DD') as from_on,
      to_char(r.until_on, 'YYYY-MM-DD') as until_on,
      r.state in ('accepted', 'ended') and coalesce(r.until_on < next.until_on, false)
        and not exists (${laterThan("r", sql.ref("r.until_on"))}) as can_renew
    from canteen_registration r join canteen c on c.id = r.canteen_id
    join canteen_provider v on v.id = c.provider_id join partner s on s.id = v.partner_id
    join acceptance_group g on g.id = v.group_id
    join person p on p.id = r.person_id cross join lateral current_card(p.id) known
    cross join (select ${schoolRightEnd(sql`${parisDay(at)}::date`)} as until_on) next
    where ${condition} order by p.name, r.requested_at desc`.execute(db);
  return rows.map(
    ({ canteenId, canteenName, idgroup, slug, providerName, requestedAt, ...row }) => ({
      ...row,
      canteen: { id: canteenId, name: canteenName },
      provider: { idgroup, slug, name: providerName },
      requestedAt: requestedAt.toISOString(),
    }),
  );
}

interface RegistrationContext {
  canteen: string;
  cardnumber: number;
  className: string;
  diet: Diet;
  pai: boolean;
  shareAllergens: boolean;
  sharePhoto: boolean;
}

/**
 * Asks a canteen to register a card of one's own or of a child, until the end of the school year; from June
 * on, of the next one, after the registration that counts if one does. Refuses `meal_registered`,
 * `meal_class_unknown`, `meal_not_pupil`, `family_minor` to the child itself.
 */
export async function register({
  deps,
  caller,
  input,
  origin,
}: AuditedCall<RegistrationContext>): Promise<CanteenRegistration> {
  const at = deps.now();
  const today = parisDay(at);
  const id = await inTx(deps.db, async (tx) => {
    // Locks the canteen first: whoever changes it waits, so that what is read afterwards stays true until the
    // end.
    await sql`select from canteen where id = ${input.canteen} for key share`.execute(tx);
    const holder = await holderFor(tx, caller.personId, input.cardnumber);
    await requireNotMinor(tx, { actor: caller.personId, owner: holder.id });
    const canteen = await query(tx).maybeOne(sql<{
      school: boolean;
      classes: string[];
      providerId: number;
      pupil: boolean;
    }>`
      select kind = 'school' as school, classes, provider_id,
        ${mayBePupil(sql`${holder.id}`, today)} as pupil from canteen
      where id = ${input.canteen}`);
    if (!canteen) throw new Problem("not_found");
    const className = input.className.trim();
    const known = canteen.classes.length === 0 || canteen.classes.includes(className);
    if (canteen.school && !known) throw new Problem("meal_class_unknown");
    if (canteen.school && !canteen.pupil) {
      throw new Problem("meal_not_pupil", { oldest: limits.oldestPupil });
    }
    const row = await query(tx).maybeOne(sql<{ id: string }>`
      insert into canteen_registration (canteen_id, person_id, audience, class, diet, pai,
        allergens_consent_at, photo_consent_at, requested_by, requested_at, from_on, until_on)
      select candidate.canteen_id, candidate.person_id, ${canteen.school ? "pupil" : "staff"}, ${className},
        ${input.diet}, ${input.pai}, ${input.shareAllergens ? at : null}::timestamptz,
        ${input.sharePhoto ? at : null}::timestamptz, ${caller.personId}::bigint, ${at}::timestamptz,
        (select max(before.until_on) + 1 from canteen_registration before
          where before.canteen_id = candidate.canteen_id and before.person_id = candidate.person_id
            and before.state in ('requested', 'accepted') and before.until_on >= ${today}::date),
        candidate.until_on
      from (select ${input.canteen}::uuid as canteen_id, ${holder.id}::bigint as person_id,
        case when ${canteen.school} then ${schoolRightEnd(sql`${today}::date`)} end as until_on) candidate
      where not exists (${laterThan("candidate", sql`candidate.until_on - 1`)})
      on conflict (canteen_id, person_id, until_on) where state in ('requested', 'accepted') do nothing
      returning id`);
    if (!row) throw new Problem("meal_registered");
    await auditAct(tx, { caller, origin }, "meal.register", {
      personId: holder.id,
      details: { canteen: input.canteen },
      at,
    });
    await announceProvider(tx, deps, canteen.providerId, {
      title: "Inscription à étudier",
      body: `Une inscription à la cantine est demandée pour ${holder.name}.`,
      at,
    });
    return row.id;
  });
  const [made] = await registrationsWhere(deps.db, sql`r.id = ${id}`, at);
  return made as CanteenRegistration;
}

/**
 * Ends a registration, or withdraws its request. Refuses `meal_registration_state`,
 * `meal_registration_orders` while meals are ordered, `family_minor` to the child itself.
 */
export async function endRegistration({
  deps,
  caller,
  input,
  origin,
}: AuditedCall<{ registration: string }>) {
  const at = deps.now();
  await inTx(deps.db, async (tx) => {
    const mine = mayActFor(caller.personId, sql.ref("r.person_id"));
    await lockServicesOfWaits(tx, input.registration, mine);
    const row = await query(tx).maybeOne(sql<{ personId: number; state: string; ordered: boolean }>`
      select r.person_id, r.state, exists (select from meal_order o
        where o.registration_id = r.id and o.state in ('reserved', 'validated')) as ordered
      from canteen_registration r where r.id = ${input.registration} and ${mine}
      for update of r`);
    if (!row) throw new Problem("not_found");
    const who = { actor: caller.personId, owner: row.personId };
    await requireMayActFor(tx, who);
    await requireNotMinor(tx, who);
    if (row.state !== "requested" && row.state !== "accepted") {
      throw new Problem("meal_registration_state");
    }
    if (row.ordered) throw new Problem("meal_registration_orders");
    await sql`update canteen_registration set state = 'ended', ended_at = ${at}
      where id = ${input.registration}`.execute(tx);
    await endWaits(tx, deps, sql`r.id = ${input.registration}`, { state: "left", at });
    await auditAct(tx, { caller, origin }, "meal.registration_end", { personId: row.personId, at });
  });
  return { message: "L’inscription est terminée." };
}
