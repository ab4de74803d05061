// Joining a member without a phone: whoever has the code printed for the card becomes a guardian of its
// holder (spec.md 23). Codes are stored as an HMAC, used once, and one person may try a few times a day.
import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Member } from "#contract/family/rows.ts";
import { family as limits } from "#contract/limits.ts";
import { inTx, type Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { audit, auditAct, loadKeys } from "#server/identity/identity.ts";
import { guardiansOf } from "./family.ts";
import { requireAdult, tie } from "./invitations.ts";
import { type FamilyCall, membersOf, announceToFamily } from "./members.ts";

const hmacOf = async (db: Db, cardnumber: number, code: string): Promise<Buffer> =>
  createHmac("sha256", (await loadKeys(db)).root)
    .update(`card join code:${cardnumber}:${code}`)
    .digest();

/**
 * Ties the caller, as a guardian, to the person of this card and printed code; returns the member. Refuses
 * `join_refused` alike for a wrong code, a used one and an unknown card; `join_locked` after too many tries
 * in a day.
 */
export async function joinByCode({
  deps,
  caller,
  origin,
  input,
}: FamilyCall<{ cardnumber: number; code: string }>): Promise<Member> {
  const me = caller.personId;
  const at = deps.now();
  await requireAdult(deps.db, me);
  // A statement of its own: the try counts even if the rest fails.
  await countTry(deps.db, me, at);
  const codeHmac = await hmacOf(deps.db, input.cardnumber, input.code);
  return await inTx(deps.db, async (tx) => {
    const found = await query(tx).maybeOne(sql<{
      hmac: Buffer;
      personId: number;
      reachable: boolean;
      adult: boolean;
    }>`
      select j.hmac, p.id as person_id, of_age(p.born_on) is true as adult,
        p.email is not null or p.phonenumber is not null as reachable
      from card_join_code j join card c on c.number = j.cardnumber
      join person p on p.id = c.person_id
      where j.cardnumber = ${input.cardnumber} and j.used_at is null and c.state <> 'replaced'
        and p.type = 1 and p.disabled_at is null and p.id <> ${me}
      for update of j`);
    if (!found || !timingSafeEqual(found.hmac, codeHmac)) throw new Problem("join_refused");
    if (found.adult) throw new Problem("join_adult");
    if (found.reachable) throw new Problem("join_reachable");
    const child = found.personId;
    if ((await guardiansOf(tx, child)).length > 0) throw new Problem("join_guarded");
    await sql`update card_join_code set used_at = ${at}
      where cardnumber = ${input.cardnumber}`.execute(tx);
    await tie(tx, me, child, "child");
    const [member] = await membersOf(tx, me, input.cardnumber);
    if (!member) throw new Error("the member just joined is not there");
    await auditAct(tx, { caller, origin }, "family.join", { details: { name: member.name }, at });
    await auditAct(tx, { caller, origin }, "family.join", { personId: child, at });
    await announceToFamily(tx, deps, [child], {
      title: "Nouveau responsable",
      body: `${caller.name} est maintenant responsable de votre carte.`,
      at,
    });
    return member;
  });
}

async function countTry(db: Db, me: number, at: Date): Promise<void> {
  const { rows } = await sql`
    insert into family_join_try (person_id, day, tries)
    values (${me}, paris_day(${at}::timestamptz), 1)
    on conflict (person_id, day) do update set tries = family_join_try.tries + 1
      where family_join_try.tries < ${limits.joinsPerDay}
    returning tries`.execute(db);
  if (rows.length === 0) throw new Problem("join_locked");
}

/**
 * Makes the code to print for a card, eight digits; the one before becomes void. `not_found` for a card that
 * nobody has any more. `operator` is the name in the trail.
 */
export async function printCode(
  { db, now }: Pick<Deps, "db" | "now">,
  cardnumber: number,
  operator: string,
): Promise<string> {
  const code = String(randomInt(10 ** 8)).padStart(8, "0");
  const hmac = await hmacOf(db, cardnumber, code);
  const at = now();
  await inTx(db, async (tx) => {
    const card = await tx
      .selectFrom("card")
      .innerJoin("person", "person.id", "card.personId")
      .select("personId")
      .where("number", "=", cardnumber)
      .where("card.state", "<>", "replaced")
      .where("person.type", "=", 1)
      .executeTakeFirst();
    if (!card) throw new Problem("not_found");
    await sql`insert into card_join_code (cardnumber, hmac, made_at)
      values (${cardnumber}, ${hmac}, ${at})
      on conflict (cardnumber) do update
        set hmac = excluded.hmac, made_at = excluded.made_at, used_at = null`.execute(tx);
    const actor = `operator:${operator}`;
    await audit(tx, { personId: card.personId, action: "family.code", actor, address: null, at });
  });
  return code;
}
