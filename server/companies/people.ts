// The people of a company: who has which role, and how an owner gives, changes or takes one. A role is
// read at every call, so that whoever loses it sees nothing more from then on.
import { sql } from "kysely";
import type { companyPeople as rows, CompanyPerson } from "#contract/companies/people.ts";
import { rolesPerDay } from "#contract/companies/limits.ts";
import { companyCan, type CompanyRole, companyRoleNames } from "#contract/companies/rows.ts";
import { Problem } from "#contract/errors.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Call } from "#server/http/serve.ts";
import { audit, type Proof, proofOf, requireCode, requireRate } from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { hasOpenChange } from "./bank-accounts.ts";
import { peopleOf, requireCompany } from "./companies.ts";

/** The owners of a company whose accounts are open. */
export async function ownersOf(db: Db, companyId: string): Promise<number[]> {
  return await peopleOf(db, companyId, companyCan.decide);
}

/** Who has a role in the caller's company or carries its card, for who sees its money. */
export async function listPeople({ deps, caller }: Call<typeof rows.people>) {
  const me = caller.personId;
  const { companyId, name, role } = await requireCompany(deps.db, me, companyCan.seeMoney);
  const { rows: items } = await sql<Omit<CompanyPerson, "since"> & { since: Date | null }>`
    select c.number as cardnumber, p.name, m.role, m.since, p.id = ${me} as own
    from person p cross join lateral current_card(p.id) c
    left join company_member m on m.person_id = p.id and m.company_id = ${companyId}
    where p.disabled_at is null and (m.person_id is not null or exists (select from pro_card k
      where k.person_id = p.id and k.company_id = ${companyId} and k.assigned_at is not null))
    order by array_position(array['owner', 'accountant', 'cashier'], m.role),
      p.name collate "fr-x-icu", c.number`.execute(deps.db);
  return {
    company: name,
    canManage: companyCan.managePeople(role),
    items: items.map((one) => ({ ...one, since: one.since?.toISOString() ?? null })),
  };
}

interface Colleague {
  personId: number;
  name: string;
  role: CompanyRole | null;
}

/** Whoever carries a card of the company, by any of their numbers. Refuses `company_person_unknown`. */
async function colleagueOf(db: Db, companyId: string, cardnumber: number): Promise<Colleague> {
  const { rows: found } = await sql<Colleague>`
    select p.id as "personId", p.name, m.role from card c join person p on p.id = c.person_id
    left join company_member m on m.person_id = p.id and m.company_id = ${companyId}
    where c.number = ${cardnumber} and p.disabled_at is null
      and (m.person_id is not null or exists (select from pro_card k
        where k.person_id = p.id and k.company_id = ${companyId} and k.assigned_at is not null))
  `.execute(db);
  if (!found[0]) throw new Problem("company_person_unknown");
  return found[0];
}

/**
 * Gives a role in the caller's company to whoever carries one of its cards, changes it, or takes it away
 * (null); with a step-up unless another's is taken who is no owner. The same role again changes nothing. Refuses
 * `company_last_owner`, `company_person_unknown`, `bank_change_open` to unmake an owner whom a change of
 * account may wait for, and `too_many_requests` after some roles in a day: a role is always taken away.
 */
export async function setRole(call: Call<typeof rows.setRole>): Promise<{ message: string }> {
  const { deps, caller, input } = call;
  const { role } = input;
  const { companyId } = await requireCompany(deps.db, caller.personId, companyCan.managePeople);
  const before = await colleagueOf(deps.db, companyId, input.cardnumber);
  if (before.role === role) return { message: wordsOf(before.name, role) };
  const ofOwner = before.role === "owner" || role === "owner";
  if (ofOwner) await requireOwnerLeft(deps.db, { companyId, one: before, role, at: deps.now() });
  const used =
    ofOwner || role !== null
      ? await requireRoleProof(deps, caller, {
          ...proofOf(input),
          binding: [companyId, before.personId, role],
          what:
            role === null
              ? `retirer à ${before.name} son rôle de responsable`
              : `donner à ${before.name} le rôle ${quotedRole(role)}`,
        })
      : null;
  return await inTx(deps.db, async (tx) => {
    await used?.(tx);
    // Locked: of two owners who unmake each other at once, the second is refused.
    await sql`select from company where id = ${companyId} for no key update`.execute(tx);
    await requireCompany(tx, caller.personId, companyCan.managePeople);
    const one = await colleagueOf(tx, companyId, input.cardnumber);
    if (one.role !== before.role) throw new Problem("company_person_unknown");
    if (ofOwner) await requireOwnerLeft(tx, { companyId, one, role, at: deps.now() });
    if (role !== null) {
      await requireRate(
        { db: tx, now: deps.now },
        { act: `companies.role:${companyId}`, personId: one.personId, ...roleRate },
      );
    }
    await writeRole(tx, call, { companyId, one, role });
    return { message: wordsOf(one.name, role) };
  });
}

/** How often one person is given a role: each time the owners and they are written to. */
const roleRate = { most: rolesPerDay, seconds: 86_400 };

const wordsOf = (name: string, role: CompanyRole | null): string =>
  role === null
    ? `${name} n'a plus de rôle dans l'entreprise.`
    : `${name} a maintenant le rôle ${quotedRole(role)}.`;

/** « Comptable », as a sentence quotes it. */
export const quotedRole = (role: CompanyRole): string => `«\u00a0${companyRoleNames[role]}\u00a0»`;

/**
 * The step-up of whoever gives a role: what a stolen session gives would outlast it. It gives the function that uses
 * the proof up.
 */
export const requireRoleProof = (
  deps: Deps,
  caller: Caller,
  asked: Proof & { binding: unknown; what: string },
): Promise<(tx: Tx) => Promise<void>> =>
  requireCode(deps, caller, { ...asked, purpose: "company_role", withPassword: true });

/** Tells every owner, and those of `also`, by a message too, that `by` gave, changed or took a role. */
export async function announceRole(
  tx: Tx,
  deps: Pick<Deps, "send" | "config" | "now">,
  {
    companyId,
    also = [],
    ...news
  }: { companyId: string; by: string; name: string; role: CompanyRole | null; also?: number[] },
): Promise<void> {
  const { by, name, role } = news;
  await announce(tx, deps, {
    about: "security",
    to: [...new Set([...(await ownersOf(tx, companyId)), ...also])],
    title: role === null ? "Rôle retiré dans l’entreprise" : "Rôle changé dans l’entreprise",
    body: `${by} a changé un rôle\u00a0: ${wordsOf(name, role)} Si ce n’était pas prévu, écrivez-nous depuis Contact.`,
    path: "/professional/entreprise",
    at: deps.now(),
    changed: "person",
    channels: "outside",
  });
}

/** What is given to whom, in which company. */
interface Given {
  companyId: string;
  one: Colleague;
  role: CompanyRole | null;
}

/** Refuses to unmake the last owner, and any of them while a change of account is under way. */
async function requireOwnerLeft(
  db: Db,
  { companyId, one, role, at }: Given & { at: Date },
): Promise<void> {
  if (one.role !== "owner" || role === "owner") return;
  const owners = await ownersOf(db, companyId);
  if (!owners.some((id) => id !== one.personId)) throw new Problem("company_last_owner");
  if (await hasOpenChange(db, companyId, at)) throw new Problem("bank_change_open");
}

async function writeRole(
  tx: Tx,
  { deps, caller, origin }: Call<typeof rows.setRole>,
  { companyId, one, role }: Given,
): Promise<void> {
  const at = deps.now();
  if (role === null) {
    await sql`delete from company_member where person_id = ${one.personId}`.execute(tx);
  } else {
    const { rows: written } = await sql`
      insert into company_member (person_id, company_id, role, since)
      values (${one.personId}, ${companyId}, ${role}, ${at})
      on conflict (person_id) do update set role = excluded.role, since = excluded.since
        where company_member.company_id = excluded.company_id returning person_id`.execute(tx);
    if (written.length === 0) throw new Problem("company_member_once");
  }
  // Another's act: for a while the one who did it does not change the bank account alone.
  if (one.role === "owner" && one.personId !== caller.personId) {
    await sql`update company set owner_left_at = ${at} where id = ${companyId}`.execute(tx);
  }
  const details = { name: one.name, from: one.role, to: role };
  const line = { action: "company.role", address: origin.address, at };
  await audit(tx, { ...line, personId: caller.personId, actor: "person", details });
  if (one.personId !== caller.personId) {
    const actor = `company:${caller.personId}`;
    await audit(tx, {
      ...line,
      personId: one.personId,
      actor,
      details: { from: one.role, to: role },
    });
  }
  await announceRole(tx, deps, {
    companyId,
    by: caller.name,
    name: one.name,
    role,
    also: [one.personId],
  });
}
