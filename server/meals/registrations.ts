// Registrations at the desk: answered, ended, listed by class on the screen, as CSV and on paper.
import { sql } from "kysely";
import type { DeskRegistration, DeskRegistrations } from "#contract/meals/desk.ts";
import { dietNames } from "#contract/kitchen/states.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, ofName, plural } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { csvOf, plain } from "#server/http/csv.ts";
import { csv, pdf } from "#server/http/document.ts";
import { paper } from "#server/http/paper.ts";
import { auditAct } from "#server/identity/identity.ts";
import { asSentence } from "#server/notifications/notifications.ts";
import { announceMeal } from "./announcements.ts";
import { byClass, type CanteenCall, isRunBy } from "#server/kitchen/kitchen.ts";
import { endWaits } from "./seat-offers.ts";
import { lockServicesOfWaits } from "./services.ts";

interface OfClass {
  className?: string | undefined;
}

type ListedRow = Omit<DeskRegistration, "requestedAt"> & { requestedAt: Date };

async function registrationsIn(
  db: Db,
  canteenId: string,
  state: "requested" | "accepted",
  className: string | null,
): Promise<DeskRegistration[]> {
  const { rows } = await sql<ListedRow>`
    select r.id, p.name, r.audience, r.class as class_name, r.diet, r.pai,
      r.allergens_consent_at is not null as shares_allergens,
      r.photo_consent_at is not null as shares_photo, asker.name as requested_by,
      r.requested_at, to_char(r.from_on, 'YYYY-MM-DD') as from_on, to_char(r.until_on, 'YYYY-MM-DD') as until_on
    from canteen_registration r join person p on p.id = r.person_id
    join person asker on asker.id = r.requested_by join canteen c on c.id = r.canteen_id
    where r.canteen_id = ${canteenId} and r.state = ${state}
      and (${className}::text is null or r.class = ${className}::text)
    order by case when ${state}::text = 'requested' then r.requested_at end, ${byClass}, r.id
    limit 2000`.execute(db);
  return rows.map((row) => ({ ...row, requestedAt: row.requestedAt.toISOString() }));
}

/** Open requests, how many are accepted in each class, and the people of the class asked for. */
export async function readDeskRegistrations({
  deps,
  canteen: { id },
  input,
}: CanteenCall<OfClass>): Promise<DeskRegistrations> {
  const { rows: classes } = await sql<{ className: string; count: number }>`
    select class as class_name, count(*)::int as count from canteen_registration
    where canteen_id = ${id} and state = 'accepted' group by class order by class`.execute(deps.db);
  const { className } = input;
  const waiting = await registrationsIn(deps.db, id, "requested", null);
  const accepted =
    className === undefined ? [] : await registrationsIn(deps.db, id, "accepted", className);
  return { waiting, classes, accepted };
}

interface Answered {
  personId: number;
  name: string;
  canteen: string;
  state: string;
  hasOrders: boolean;
  fromOn: string | null;
}

/** A registration at a canteen of the company, locked; `not_found` for any other. */
async function lockRegistration(
  tx: Tx,
  { company: { companyId }, input: { registration } }: CompanyCall<{ registration: string }>,
): Promise<Answered> {
  const found = await query(tx).maybeOne(sql<Answered>`
    select r.person_id, p.name, c.name as canteen, r.state,
      exists (select from meal_order o where o.registration_id = r.id
        and o.state in ('reserved', 'validated')) as has_orders,
      to_char(r.from_on, 'YYYY-MM-DD') as from_on
    from canteen_registration r join person p on p.id = r.person_id
    join canteen c on c.id = r.canteen_id
    where r.id = ${registration} and ${isRunBy(companyId)} for update of r`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** Accepts a registration, or refuses it with a reason; the family is told. */
export async function answerRegistration(
  call: CompanyCall<{ registration: string; accept: boolean; reason: string }>,
) {
  const { deps, input } = call;
  const at = deps.now();
  const reason = input.reason.trim();
  await inCompanyTx(call, async (tx) => {
    const one = await lockRegistration(tx, call);
    if (one.state !== "requested") throw new Problem("meal_registration_answered");
    if (!input.accept && reason === "") throw new Problem("meal_registration_reason");
    await sql`update canteen_registration set state = ${input.accept ? "accepted" : "refused"},
      reason = ${input.accept ? null : reason}, answered_at = ${at}
      where id = ${input.registration}`.execute(tx);
    const action = input.accept ? "meal.registration_accept" : "meal.registration_refuse";
    await auditAct(tx, call, action, { personId: one.personId, as: "provider", at });
    await announceMeal(tx, deps, [one.personId], {
      title: input.accept ? "Inscription acceptée" : "Inscription refusée",
      body: input.accept
        ? `L’inscription ${ofName(one.name)} à la cantine ${one.canteen} est acceptée${one.fromOn ? ` à partir du ${formatDate(one.fromOn)}` : ""}. Vous pouvez commander ses repas.`
        : `${one.canteen} n’a pas inscrit ${one.name}\u202f: ${asSentence(reason)}`,
      path: paths.canteenProviders,
      alsoOutside: true,
      at,
    });
  });
  return { message: input.accept ? "L’inscription est acceptée." : "L’inscription est refusée." };
}

/** Ends an accepted registration; refused while meals are ordered. The family is told. */
export async function dismissRegistration(call: CompanyCall<{ registration: string }>) {
  const { deps, company, input } = call;
  const at = deps.now();
  await inCompanyTx(call, async (tx) => {
    await lockServicesOfWaits(tx, input.registration, isRunBy(company.companyId));
    const one = await lockRegistration(tx, call);
    if (one.state !== "accepted") throw new Problem("meal_registration_state");
    if (one.hasOrders) throw new Problem("meal_registration_orders");
    await sql`update canteen_registration set state = 'ended', ended_at = ${at}
      where id = ${input.registration}`.execute(tx);
    await endWaits(tx, deps, sql`r.id = ${input.registration}`, { state: "expired", at });
    await auditAct(tx, call, "meal.registration_end", {
      personId: one.personId,
      as: "provider",
      at,
    });
    await announceMeal(tx, deps, [one.personId], {
      title: "Inscription terminée",
      body: `${one.canteen} a mis fin à l’inscription ${ofName(one.name)}. Pour revenir, demandez-en une autre.`,
      path: paths.canteenProviders,
      alsoOutside: true,
      at,
    });
  });
  return { message: "L’inscription est terminée." };
}

const classListOf = ({ deps, canteen, input }: CanteenCall<OfClass>) =>
  registrationsIn(deps.db, canteen.id, "accepted", input.className ?? null);

const paiWord = ({ pai }: DeskRegistration) => (pai ? "PAI" : "");

/** The people accepted in a class, or in all, as CSV. */
export async function classListCsv(call: CanteenCall<OfClass>) {
  const people = await classListOf(call);
  const head = ["Classe", "Nom", "Régime", "PAI", "À partir du", "Jusqu’au"];
  const lines = people.map((one) => [
    plain(one.className),
    plain(one.name),
    dietNames[one.diet],
    paiWord(one),
    one.fromOn ? formatDate(one.fromOn) : "",
    one.untilOn ? formatDate(one.untilOn) : "",
  ]);
  return csv(csvOf([head, ...lines]), "cantine-inscrits.csv");
}

/** The same list on paper. */
export async function classListPdf(call: CanteenCall<OfClass>) {
  const people = await classListOf(call);
  const { cardnumber } = call.caller;
  const head = { title: `Inscrits, ${call.canteen.name}`, cardnumber, madeAt: call.deps.now() };
  const file = await paper(head, async (page) => {
    page.facts([
      ["Classe", call.input.className ?? "toutes"],
      ["Inscrits", plural(people.length, "personne")],
    ]);
    await page.table(
      [
        { title: "Classe", width: 60 },
        { title: "Nom", width: 213 },
        { title: "Régime", width: 160 },
        { title: "PAI", width: 50 },
      ],
      people.map((one) => [
        one.className,
        one.fromOn ? `${one.name} (dès le ${formatDate(one.fromOn)})` : one.name,
        dietNames[one.diet],
        paiWord(one),
      ]),
    );
  });
  return pdf(file, "cantine-inscrits.pdf");
}
