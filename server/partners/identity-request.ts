// A new name or address of a sheet: requested by an owner, shown to holders once the operator has approved
// it, because holders and the map rely on both.
import { sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import { linkTo } from "#contract/link-to.ts";
import type { partnersIdentity as rows, SheetIdentity } from "#contract/partners/identity.ts";
import { paths } from "#contract/paths.ts";
import { inCompanyTx, peopleOf } from "#server/companies/companies.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Call } from "#server/http/serve.ts";
import { auditAct, auditOperator } from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { printable } from "#server/process/printable.ts";
import { unprintedIn } from "#server/http/printed-letters.ts";

interface Identity {
  name: string;
  street: string;
  postcode: string;
  town: string;
}

interface Sheet extends Identity {
  id: string;
}

async function sheetOf(
  db: Db,
  { id, companyId }: { id: string; companyId: string },
  lock = sql``,
): Promise<Sheet> {
  const found = await query(db).maybeOne(sql<Sheet>`
    select id, name, street, postcode, town from partner
    where id = ${id} and company_id = ${companyId} ${lock}`);
  if (!found) throw new Problem("not_found");
  return found;
}

async function viewOf(db: Db, { id, ...now }: Sheet, mayDecide: boolean): Promise<SheetIdentity> {
  const last = await query(db).maybeOne(sql<{
    identity: Identity;
    state: "waiting" | "approved" | "refused" | "withdrawn";
    requestedAt: Date;
    why: string | null;
  }>`
    select json_build_object('name', name, 'street', street, 'postcode', postcode, 'town', town)
        as identity, state, requested_at, why
    from partner_identity_request where partner_id = ${id} order by number desc limit 1`);
  return {
    ...now,
    canAsk: mayDecide,
    request:
      last && (last.state === "waiting" || last.state === "refused")
        ? { ...last, state: last.state, requestedAt: last.requestedAt.toISOString() }
        : null,
  };
}

/** Name and address of a sheet of the caller's company, and the last request. Refuses `not_found`. */
export async function readIdentity({
  deps,
  company: { companyId, roles },
  input,
}: Call<typeof rows.identity>): Promise<SheetIdentity> {
  const sheet = await sheetOf(deps.db, { id: input.id, companyId });
  return await viewOf(deps.db, sheet, companyCan.decide(roles));
}

const tidy = (text: string): string => text.trim().replaceAll(/\s+/g, " ");

/**
 * Requests another name or address; it replaces a request that waits. Refuses `not_found`,
 * `partner_identity_same` where the sheet has these values already.
 */
export async function askIdentity(call: Call<typeof rows.askIdentity>): Promise<SheetIdentity> {
  const { deps, caller, company, input } = call;
  const me = caller.personId;
  const { postcode } = input;
  const [name, street, town] = [tidy(input.name), tidy(input.street), tidy(input.town)];
  const words = [name, street, town];
  if (words.some((text) => text === "" || printable(text) + unprintedIn(text) !== text)) {
    throw new Problem("invalid_input", { what: "nom, rue et ville" });
  }
  return await inCompanyTx(call, async (tx) => {
    const { companyId } = company;
    const sheet = await sheetOf(tx, { id: input.id, companyId }, sql`for update`);
    const same =
      sheet.name === name &&
      sheet.street === street &&
      sheet.postcode === postcode &&
      sheet.town === town;
    if (same) throw new Problem("partner_identity_same");
    const at = deps.now();
    await withdrawWaiting(tx, sheet.id, at);
    await sql`insert into partner_identity_request (partner_id, requested_by, requested_at, name, street,
        postcode, town)
      values (${sheet.id}, ${me}, ${at}, ${name}, ${street}, ${postcode}, ${town})`.execute(tx);
    await auditAct(tx, call, "partner.identity_ask", { details: { name, street, town }, at });
    return await viewOf(tx, sheet, true);
  });
}

const withdrawWaiting = (tx: Tx, partnerId: string, at: Date) =>
  sql`update partner_identity_request set state = 'withdrawn', answered_at = ${at}
    where partner_id = ${partnerId} and state = 'waiting'`.execute(tx);

/** Withdraws a waiting request; does nothing where there is none. Refuses `not_found`. */
export async function withdrawIdentity(
  call: Call<typeof rows.withdrawIdentity>,
): Promise<SheetIdentity> {
  const { deps, company, input } = call;
  return await inCompanyTx(call, async (tx) => {
    const { companyId } = company;
    const sheet = await sheetOf(tx, { id: input.id, companyId }, sql`for update`);
    await withdrawWaiting(tx, sheet.id, deps.now());
    return await viewOf(tx, sheet, true);
  });
}

export interface WaitingIdentity extends Identity {
  number: number;
  reference: string;
  company: string | null;
  before: string;
  requestedAt: Date;
}

/** Requests that wait, the oldest first. */
export async function waitingIdentities(db: Db): Promise<WaitingIdentity[]> {
  const { rows: found } = await sql<WaitingIdentity>`
    select r.number, p.reference, c.name as company, r.name, r.street, r.postcode, r.town,
      p.name || ', ' || p.street || ', ' || p.postcode || ' ' || p.town as before,
      r.requested_at
    from partner_identity_request r join partner p on p.id = r.partner_id
    left join company c on c.id = p.company_id
    where r.state = 'waiting' order by r.number limit 200`.execute(db);
  return found;
}

interface Answer {
  number: number;
  /** Why it is refused; null approves it. */
  why: string | null;
  /** Position of the new address; null leaves the marker on the map where it is. */
  position: { lat: number; lon: number } | null;
  operator: string;
}

/** Approves or refuses a request; the owners are notified. Refuses `not_found` for one that does not wait. */
export function answerIdentity(
  deps: OperatorDeps,
  { number, why, position, operator }: Answer,
): Promise<string> {
  return inTx(deps.db, async (tx) => {
    const request = await query(tx).maybeOne(sql<
      Identity & { partnerId: string; requestedBy: number; companyId: string | null }
    >`
      select r.name, r.street, r.postcode, r.town, r.partner_id,
        r.requested_by, p.company_id
      from partner_identity_request r join partner p on p.id = r.partner_id
      where r.number = ${number} and r.state = 'waiting' for update of p, r`);
    if (!request) throw new Problem("not_found");
    const { name, street, postcode, town, partnerId, requestedBy, companyId } = request;
    const at = deps.now();
    await sql`update partner_identity_request set state = ${why === null ? "approved" : "refused"},
      why = ${why}, answered_at = ${at} where number = ${number}`.execute(tx);
    if (why === null) {
      await sql`update partner set name = ${name}, street = ${street}, postcode = ${postcode},
        town = ${town}, lat = coalesce(${position?.lat ?? null}::double precision, lat),
        lon = coalesce(${position?.lon ?? null}::double precision, lon)
        where id = ${partnerId}`.execute(tx);
      await sql`select partner_words(${partnerId})`.execute(tx);
    }
    const action = why === null ? "partner.identity_approve" : "partner.identity_refuse";
    await auditOperator(tx, operator, action, {
      personId: requestedBy,
      details: { name, street, town, why },
      at,
    });
    await announce(tx, deps, {
      about: "contact",
      to: companyId === null ? [requestedBy] : await peopleOf(tx, companyId, companyCan.decide),
      title: why === null ? "Votre fiche a changé de nom ou d’adresse" : "Nom ou adresse refusés",
      body:
        why === null
          ? `L’annuaire dit maintenant\u202f: ${name}, ${street}, ${postcode} ${town}.`
          : `${name}, ${street}, ${postcode} ${town}\u202f: ${why}`,
      path: linkTo(paths.categories, {}, { sheet: partnerId }),
      changed: ["partners", "partner_identity"],
      channels: "outside",
      at,
    });
    return name;
  });
}
