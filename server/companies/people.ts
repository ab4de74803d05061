// The people of a company: who has which roles, and how an owner gives, changes or takes them. Roles are read
// at every call, so that a role that was taken grants nothing from then on.
import { sql } from "kysely";
import type { companyPeople as rows, CompanyPerson } from "#contract/companies/people.ts";
import { rolesPerDay } from "#contract/companies/limits.ts";
import {
  companyCan,
  type CompanyRole,
  companyRoleNames,
  companyRoles,
} from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import { listInWords } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Call } from "#server/http/serve.ts";
import {
  auditAct,
  type Proof,
  proofOf,
  requireCode,
  requirePersonRateLimit,
} from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { hasOpenChange } from "./bank-accounts.ts";
import { inCompanyTx, peopleOf } from "./companies.ts";

/** The owners of a company whose accounts are open. */
export async function ownersOf(db: Db, companyId: string): Promise<number[]> {
  return await peopleOf(db, companyId, companyCan.decide);
}

/** Who has a role in the caller's company or carries its card. */
export async function listPeople({ deps, caller, company }: Call<typeof rows.people>) {
  const { companyId, name, roles } = company;
  const { rows: items } = await sql<Omit<CompanyPerson, "since"> & { since: Date | null }>`
    select c.number as cardnumber, p.name, coalesce(m.roles, '{}') as roles, m.since, p.id = ${caller.personId} as own
    from person p cross join lateral current_card(p.id) c
    left join company_member m on m.person_id = p.id and m.company_id = ${companyId}
    where p.disabled_at is null and (m.person_id is not null or exists (select from pro_card k
      where k.person_id = p.id and k.company_id = ${companyId} and k.assigned_at is not null
          and k.closed_at is null))
    order by array_position(${companyRoles}::text[], m.roles[1]),
      p.name collate "fr-x-icu", c.number`.execute(deps.db);
  return {
    company: name,
    canManage: companyCan.managePeople(roles),
    items: items.map((one) => ({ ...one, since: one.since?.toISOString() ?? null })),
  };
}

interface Colleague {
  personId: number;
  name: string;
  roles: CompanyRole[];
}

/**
 * The person who carries a card of the company, by any of their numbers. Refuses `company_person_unknown`.
 */
async function colleagueOf(db: Db, companyId: string, cardnumber: number): Promise<Colleague> {
  const found = await query(db).maybeOne(sql<Colleague>`
    select p.id as person_id, p.name, coalesce(m.roles, '{}') as roles
    from card c join person p on p.id = c.person_id
    left join company_member m on m.person_id = p.id and m.company_id = ${companyId}
    where c.number = ${cardnumber} and p.disabled_at is null
      and (m.person_id is not null or exists (select from pro_card k
        where k.person_id = p.id and k.company_id = ${companyId} and k.assigned_at is not null
          and k.closed_at is null))
  `);
  if (!found) throw new Problem("company_person_unknown");
  return found;
}

/**
 * Gives roles in the caller's company to a person who carries one of its cards, changes them, or takes them
 * away; with a step-up unless roles are only taken from somebody who is no owner. The same roles again change
 * nothing. Refuses `company_last_owner`, `company_person_unknown`, `bank_change_open` to demote an owner whom
 * a change of account may wait for, and `too_many_requests` after some roles in a day: a role can always be
 * taken away.
 */
export async function setRoles(call: Call<typeof rows.setRoles>): Promise<{ message: string }> {
  const { deps, caller, input } = call;
  const { companyId } = call.company;
  const roles = companyRoles.filter((role) => input.roles.includes(role));
  const before = await colleagueOf(deps.db, companyId, input.cardnumber);
  if (isSame(before.roles, roles)) return { message: wordsOf(before.name, roles) };
  const ofOwner = companyCan.decide(before.roles) || companyCan.decide(roles);
  const addsRole = roles.some((role) => !before.roles.includes(role));
  if (ofOwner) await requireOwnerLeft(deps.db, { companyId, one: before, roles, at: deps.now() });
  const used =
    ofOwner || addsRole
      ? await requireRoleProof(deps, caller, {
          ...proofOf(input),
          binding: [companyId, before.personId, roles],
          what:
            roles.length === 0
              ? `retirer à ${before.name} son rôle de responsable`
              : `donner à ${before.name} ${quotedRoles(roles)}`,
        })
      : null;
  const write = async (tx: Tx): Promise<{ message: string }> => {
    await used?.(tx);
    // Owners who change different people wait for one another, so that one owner remains.
    await sql`select from company where id = ${companyId} for no key update`.execute(tx);
    const one = await colleagueOf(tx, companyId, input.cardnumber);
    if (!isSame(one.roles, before.roles)) throw new Problem("company_person_unknown");
    if (ofOwner) await requireOwnerLeft(tx, { companyId, one, roles, at: deps.now() });
    if (addsRole) {
      await requirePersonRateLimit(
        { db: tx, now: deps.now },
        { act: `companies.role:${companyId}`, personId: one.personId, ...roleRate },
      );
    }
    await writeRoles(tx, call, { companyId, one, roles });
    return { message: wordsOf(one.name, roles) };
  };
  // Of two owners who demote each other at once, the second is refused.
  return await inCompanyTx(call, write, { alsoOf: [before.personId] });
}

/** Both are in the order of the contract. */
const isSame = (some: readonly CompanyRole[], others: readonly CompanyRole[]): boolean =>
  some.join() === others.join();

/** How often one person is given a role: each time, they and the owners get a message. */
const roleRate = { max: rolesPerDay, seconds: 86_400 };

const wordsOf = (name: string, roles: readonly CompanyRole[]): string =>
  roles.length === 0
    ? `${name} n'a plus de rôle dans l'entreprise.`
    : `${name} a maintenant ${quotedRoles(roles)}.`;

/** « les rôles « Guichet » et « Cuisine » », as a sentence quotes them. */
export const quotedRoles = (roles: readonly CompanyRole[]): string =>
  (roles.length > 1 ? "les rôles " : "le rôle ") +
  listInWords(roles.map((role) => `«\u00a0${companyRoleNames[role]}\u00a0»`));

/**
 * The step-up of whoever gives a role: a role given with a stolen session would outlast it. Returns the
 * function that uses the proof up.
 */
export const requireRoleProof = (
  deps: Deps,
  caller: Caller,
  proof: Proof & { binding: unknown; what: string },
): Promise<(tx: Tx) => Promise<void>> =>
  requireCode(deps, caller, { ...proof, purpose: "company_role", withPassword: true });

/** Tells every owner, and those of `also`, by a message too, that `by` gave, changed or took a role. */
export async function announceRole(
  tx: Tx,
  deps: Pick<Deps, "send" | "config" | "now">,
  {
    companyId,
    also = [],
    ...news
  }: {
    companyId: string;
    by: string;
    name: string;
    roles: readonly CompanyRole[];
    also?: number[];
  },
): Promise<void> {
  const { by, name, roles } = news;
  await announce(tx, deps, {
    about: "security",
    to: [...new Set([...(await ownersOf(tx, companyId)), ...also])],
    title: roles.length === 0 ? "Rôle retiré dans l’entreprise" : "Rôle changé dans l’entreprise",
    body: `${by} a changé un rôle\u00a0: ${wordsOf(name, roles)} Si ce n’était pas prévu, écrivez-nous depuis Contact.`,
    path: paths.company,
    at: deps.now(),
    changed: ["company", "pro_cards"],
    channels: "outside",
  });
}

/** A change of a person's roles in a company. */
interface RoleChange {
  companyId: string;
  one: Pick<Colleague, "personId" | "name" | "roles">;
  roles: readonly CompanyRole[];
}

/** Refuses to demote the last owner, and any owner while a change of account is under way. */
export async function requireOwnerLeft(
  db: Db,
  { companyId, one, roles, at }: RoleChange & { at: Date },
): Promise<void> {
  if (!companyCan.decide(one.roles) || companyCan.decide(roles)) return;
  const owners = await ownersOf(db, companyId);
  if (!owners.some((id) => id !== one.personId)) throw new Problem("company_last_owner");
  if (await hasOpenChange(db, companyId, at)) throw new Problem("bank_change_open");
}

async function writeRoles(
  tx: Tx,
  { deps, caller, origin }: Call<typeof rows.setRoles>,
  { companyId, one, roles }: RoleChange,
): Promise<void> {
  const at = deps.now();
  if (roles.length === 0) {
    await sql`delete from company_member where person_id = ${one.personId}`.execute(tx);
  } else {
    const { rows: written } = await sql`
      insert into company_member (person_id, company_id, roles, since)
      values (${one.personId}, ${companyId}, ${roles}, ${at})
      on conflict (person_id) do update set roles = excluded.roles, since = excluded.since
        where company_member.company_id = excluded.company_id returning person_id`.execute(tx);
    if (written.length === 0) throw new Problem("company_member_once");
  }
  // Another owner's action: for a while the one who did it cannot change the bank account alone.
  if (companyCan.decide(one.roles) && one.personId !== caller.personId) {
    await sql`update company set owner_left_at = ${at} where id = ${companyId}`.execute(tx);
  }
  const change = { from: one.roles.join(" ") || null, to: roles.join(" ") || null };
  const details = { name: one.name, ...change };
  await auditAct(tx, { caller, origin }, "company.role", { details, at });
  if (one.personId !== caller.personId) {
    const other = { personId: one.personId, as: "company", details: change, at } as const;
    await auditAct(tx, { caller, origin }, "company.role", other);
  }
  await announceRole(tx, deps, {
    companyId,
    by: caller.name,
    name: one.name,
    roles,
    also: [one.personId],
  });
}
