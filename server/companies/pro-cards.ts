// Cards that a company hands to the people who work there: who carries which, what it may spend, and
// assigning a card without a bearer. Suspension, opposition and replacement belong to the cards room.
import { sql } from "kysely";
import { cardCan, type CardState } from "#contract/cards/rows.ts";
import type { proCards as rows, ProCard } from "#contract/companies/pro-cards.ts";
import { companyCan, type CompanyRole, companyRoles } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import type { LimitsView } from "#contract/family/rows.ts";
import { paths } from "#contract/paths.ts";
import { endedSuspended, last4, fullName } from "#server/cards/cards.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { limitWords, readLimits, writeLimits } from "#server/family/family.ts";
import type { Call } from "#server/http/serve.ts";
import { audit, auditAct, mobileOf, proofOf } from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import { inCompanyTx } from "./companies.ts";
import { announceRole, quotedRoles, requireRoleProof } from "./people.ts";

/** Cards of a company, or one of them; `me` is who looks. */
async function readProCards(
  db: Db,
  { companyId, me, personId }: { companyId: string; me: number; personId?: number },
): Promise<ProCard[]> {
  const { rows: found } = await sql<
    Omit<ProCard, "replacement"> & { nextNumber: number | null; nextState: CardState | null }
  >`
    select c.number as cardnumber, case when k.assigned_at is not null then p.name end as name,
      coalesce(m.roles, '{}') as roles, p.id = ${me} as own, c.state, c.atf, c.valid_until,
      (select coalesce(json_agg(f.number order by f.activated_at desc, f.number desc), '[]')
       from card f where f.person_id = p.id and f.number <> c.number
         and f.activated_at is not null) as former,
      next.number as next_number, next.state as next_state,
      next.number is not null and ${endedSuspended(sql.ref("p.id"), sql.ref("c.number"))} as held,
      l.day_cents, l.week_cents,
      (select json_agg(g.name order by g.id) from acceptance_group g
       where g.id = any (l.groups)) as places
    from pro_card k
    join person p on p.id = k.person_id and p.disabled_at is null
    cross join lateral current_card(p.id) c
    left join card next on next.replaces = c.number
    left join company_member m on m.person_id = p.id and m.company_id = k.company_id
    left join member_limit l on l.person_id = p.id
    where k.company_id = ${companyId} and k.closed_at is null and (${personId ?? null}::bigint is null or p.id = ${personId ?? null}::bigint)
    order by k.assigned_at is not null, p.name collate "fr-x-icu", c.number`.execute(db);
  return found.map(({ nextNumber, nextState, ...card }) => ({
    ...card,
    replacement:
      nextNumber === null || nextState === null
        ? null
        : { cardnumber: nextNumber, state: nextState },
  }));
}

/** The cards of the caller's company. */
export async function listProCards({ deps, caller, company }: Call<typeof rows.proCards>) {
  const { companyId, name, roles } = company;
  const items = await readProCards(deps.db, { companyId, me: caller.personId });
  return { company: name, canManage: companyCan.managePeople(roles), items };
}

/** The person who carries a card of the company, by any of their numbers. Else `not_found`. */
async function bearerOf(db: Db, companyId: string, cardnumber: number): Promise<number> {
  const found = await query(db).maybeOne(sql<{ id: number }>`
    select k.person_id as id from card c join pro_card k on k.person_id = c.person_id
    join person p on p.id = k.person_id and p.disabled_at is null
    where c.number = ${cardnumber} and k.company_id = ${companyId} and k.closed_at is null`);
  if (!found) throw new Problem("not_found");
  return found.id;
}

/** The limits of a card of the company. */
export async function proCardLimits({
  deps,
  company: { companyId, roles },
  input,
}: Call<typeof rows.proCardLimits>): Promise<LimitsView> {
  const personId = await bearerOf(deps.db, companyId, input.cardnumber);
  const canSet = companyCan.managePeople(roles);
  return await readLimits(deps.db, { personId, canSet, at: deps.now() });
}

/** Sets what a card of the company may spend; its bearer is told. Refuses as `writeLimits` does. */
export function setProCardLimits(call: Call<typeof rows.setProCardLimits>): Promise<LimitsView> {
  const { deps, caller, origin, input } = call;
  const { companyId, name } = call.company;
  const me = caller.personId;
  const { limits } = input;
  return inCompanyTx(call, async (tx) => {
    const personId = await bearerOf(tx, companyId, input.cardnumber);
    const at = deps.now();
    await writeLimits(tx, { personId, by: me, limits, at });
    const actor = personId === me ? "person" : `company:${me}`;
    const { dayCents, weekCents } = limits;
    const line = { personId, action: "family.limits", actor, address: origin.address, at };
    await audit(tx, { ...line, details: { dayCents, weekCents } });
    if (personId !== me) {
      await announce(tx, deps, {
        about: "card",
        to: [personId],
        title: "Plafonds de votre carte changés",
        body: `${name} a changé ce que votre carte se terminant par ${last4(input.cardnumber)} peut dépenser\u00a0: ${limitWords(limits)}.`,
        path: paths.dashboard,
        at,
        changed: ["cards", "limits"],
      });
    }
    return await readLimits(tx, { personId, canSet: true, at });
  });
}

interface Bearer {
  name: string;
  email: string | null;
  /** E.164. */
  phonenumber: string | null;
  roles: CompanyRole[];
}

/**
 * Assigns a card without a bearer to a person, who is told; with roles in the company, after a step-up and
 * announced to every owner, or none. Refuses `pro_card_assigned` once it is somebody's, `pro_card_used` once
 * it was used, `phone_invalid`, `phone_not_mobile`.
 */
export async function assignProCard(call: Call<typeof rows.assignProCard>): Promise<ProCard> {
  const { deps, caller, input } = call;
  const { companyId, name } = call.company;
  const me = caller.personId;
  const { cardnumber, email } = input;
  const roles = companyRoles.filter((role) => input.roles.includes(role));
  const bearer: Bearer = {
    name: fullName(input.firstName, input.lastName),
    email,
    phonenumber: input.phonenumber === null ? null : mobileOf(input.phonenumber),
    roles,
  };
  const requireOwnWaiting = async (tx: Tx): Promise<number> => {
    const waitingId = await bearerOf(tx, companyId, cardnumber);
    await requireWaiting(tx, waitingId);
    return waitingId;
  };
  // Whatever would be refused anyway is refused before a code is sent.
  const before = await inCompanyTx(call, requireOwnWaiting);
  const used =
    roles.length === 0
      ? null
      : await requireRoleProof(deps, caller, {
          ...proofOf(input),
          binding: [companyId, before, bearer],
          what: `confier une carte à ${bearer.name} avec ${quotedRoles(roles)}`,
        });
  return await inCompanyTx(call, async (tx) => {
    const personId = await requireOwnWaiting(tx);
    await used?.(tx);
    const at = deps.now();
    await writeBearer(tx, { personId, companyId, bearer, at });
    const details = { card: last4(cardnumber) };
    await auditAct(tx, call, "pro_card.assign", { personId, as: "company", details, at });
    await auditAct(tx, call, "pro_card.assign", { details, at });
    await announce(tx, deps, {
      about: "card",
      to: [personId],
      title: "Une carte pro vous est confiée",
      body:
        `${name} vous confie la carte se terminant par ${last4(cardnumber)}. ` +
        (roles.length === 0 ? "" : `Vous y avez ${quotedRoles(roles)}. `) +
        "Votre responsable vous la remet avec son secret de première connexion.",
      path: paths.dashboard,
      at,
      changed: ["cards", "company"],
      channels: "outside",
    });
    if (roles.length > 0) {
      await announceRole(tx, deps, { companyId, by: caller.name, name: bearer.name, roles });
    }
    const [card] = await readProCards(tx, { companyId, me, personId });
    if (!card) throw new Error("the card just assigned is not there");
    return card;
  });
}

/** The row is locked: of two owners who assign the same card at once, the second is refused. */
async function requireWaiting(tx: Tx, personId: number): Promise<void> {
  const card = await query(tx).maybeOne(sql<{
    assigned: boolean;
    state: CardState;
    chosen: boolean;
  }>`
    select k.assigned_at is not null as assigned, c.state, not p.must_reset as chosen
    from pro_card k join person p on p.id = k.person_id cross join lateral current_card(p.id) c
    where k.person_id = ${personId} for no key update of k, p`);
  if (!card) throw new Problem("not_found");
  if (card.assigned) throw new Problem("pro_card_assigned");
  if (card.chosen || !cardCan.assign(card)) throw new Problem("pro_card_used");
}

/**
 * Somebody else than the bearer typed the addresses: they prove nothing before their delay is over (spec.md
 * 29).
 */
async function writeBearer(
  tx: Tx,
  {
    personId,
    companyId,
    bearer,
    at,
  }: { personId: number; companyId: string; bearer: Bearer; at: Date },
): Promise<void> {
  const { name, email, phonenumber, roles } = bearer;
  await tx
    .updateTable("person")
    .set({ name, email, phonenumber, emailSince: at, phoneSince: at })
    .where("id", "=", personId)
    .execute();
  await tx
    .updateTable("proCard")
    .set({ assignedAt: at })
    .where("personId", "=", personId)
    .execute();
  if (roles.length === 0) return;
  await tx.insertInto("companyMember").values({ personId, companyId, roles, since: at }).execute();
}
