// Closes the card of a person who leaves the company, for good and without a replacement. Money that the
// company granted and is neither spent nor booked is returned to it; the person's own money stays theirs.
import { sql } from "kysely";
import type { proCards as rows } from "#contract/companies/pro-cards.ts";
import { companyCan, type CompanyRole } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney, ofName } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { last4, endCards } from "#server/cards/cards.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Call } from "#server/http/serve.ts";
import { auditAct, endSessions, proofOf } from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import { returnableAidCents, returnAids, schemeAccount } from "#server/wallet/wallet.ts";
import { inCompanyTx } from "./companies.ts";
import { ownersOf, requireOwnerLeft, requireRoleProof } from "./people.ts";

interface LeavingColleague {
  personId: number;
  name: string;
  roles: CompanyRole[];
}

/**
 * The person who carries an open card of the company, by any of their numbers. Refuses `not_found`,
 * `pro_card_close_own`.
 */
async function leaverOf(
  db: Db,
  { companyId, me, cardnumber }: { companyId: string; me: number; cardnumber: number },
): Promise<LeavingColleague> {
  const found = await query(db).maybeOne(sql<LeavingColleague>`
    select p.id as person_id, p.name, coalesce(m.roles, '{}') as roles
    from card c join pro_card k on k.person_id = c.person_id and k.closed_at is null
    join person p on p.id = k.person_id and p.disabled_at is null
    left join company_member m on m.person_id = p.id and m.company_id = k.company_id
    where c.number = ${cardnumber} and k.company_id = ${companyId}
      and k.assigned_at is not null`);
  if (!found) throw new Problem("not_found");
  if (found.personId === me) throw new Problem("pro_card_close_own");
  return found;
}

/** Preview of what closing a colleague's card would return to the company, in cents. */
export async function previewCardClosing({
  deps: { db },
  caller: { personId: me },
  company: { companyId },
  input: { cardnumber },
}: Call<typeof rows.proCardClosing>): Promise<{ returnedCents: number }> {
  const { personId } = await leaverOf(db, { companyId, me, cardnumber });
  const giver = await schemeAccount(db, "company_grants");
  return { returnedCents: await returnableAidCents(db, { personId, giver }) };
}

/**
 * Closes the card of a colleague who leaves: card and roles end at once and for good, no replacement is
 * requested, the person and the other owners are told. Refuses `pro_card_close_own`, `company_last_owner`,
 * `bank_change_open`.
 */
export async function closeProCard(
  call: Call<typeof rows.closeProCard>,
): Promise<{ message: string }> {
  const { deps, caller, input } = call;
  const { companyId, name } = call.company;
  const me = caller.personId;
  const { cardnumber } = input;
  const target = { companyId, me, cardnumber };
  const before = await leaverOf(deps.db, target);
  await requireOwnerLeft(deps.db, { companyId, one: before, roles: [], at: deps.now() });
  const used = await requireRoleProof(deps, caller, {
    ...proofOf(input),
    binding: [companyId, before.personId, "close"],
    what: `fermer la carte ${ofName(before.name)}`,
  });
  const write = async (tx: Tx): Promise<{ message: string }> => {
    await used(tx);
    await sql`select from company where id = ${companyId} for no key update`.execute(tx);
    const leaver = await leaverOf(tx, target);
    const { personId } = leaver;
    const at = deps.now();
    await requireOwnerLeft(tx, { companyId, one: leaver, roles: [], at });
    // Bookings end first: their money is released, and returned too.
    await endCards(tx, deps, personId, at);
    const giver = await schemeAccount(tx, "company_grants");
    const key = `pro-card-closed:${personId}`;
    const returnedCents = await returnAids(tx, { personId, giver, key, at });
    await sql`delete from company_member where person_id = ${personId}`.execute(tx);
    await sql`update pro_card set closed_at = ${at} where person_id = ${personId}`.execute(tx);
    if (companyCan.decide(leaver.roles))
      await sql`update company set owner_left_at = ${at} where id = ${companyId}`.execute(tx);
    await endSessions(tx, personId, { why: "closed", at });
    const details = { card: last4(cardnumber), name: leaver.name, returnedCents };
    await auditAct(tx, call, "pro_card.close", { personId, as: "company", details, at });
    await auditAct(tx, call, "pro_card.close", { details, at });
    const back =
      returnedCents > 0
        ? ` ${formatMoney(returnedCents)} de dotations reviennent à l’entreprise.`
        : "";
    await announce(tx, deps, {
      about: "card",
      to: [personId],
      title: "Votre carte pro est fermée",
      body:
        `${name} a fermé votre carte se terminant par ${last4(cardnumber)}\u202f: elle ne paie plus rien et n’est pas remplacée.${back} ` +
        "L’argent que vous y avez mis vous-même reste à vous\u202f: vous vous connectez encore avec ce numéro pour le voir, et Contact vous le rend.",
      path: paths.contact,
      at,
      changed: ["cards", "wallets"],
      channels: "outside",
    });
    await announce(tx, deps, {
      about: "security",
      to: (await ownersOf(tx, companyId)).filter((id) => id !== me),
      title: "Carte pro fermée",
      body: `${caller.name} a fermé la carte ${ofName(leaver.name)}, qui n’a plus de rôle dans l’entreprise.${back}`,
      path: paths.proCards,
      at,
      changed: ["company", "pro_cards", "grants"],
      channels: "outside",
    });
    return { message: `La carte ${ofName(leaver.name)} est fermée.${back}` };
  };
  return await inCompanyTx(call, write, { alsoOf: [before.personId] });
}
