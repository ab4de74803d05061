// New holders: a person of type 1 with their guardian, and the printed secret of a first sign-in, whether a
// guardian requested them or the operator creates them.
import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { cardCan, type CardState } from "#contract/cards/rows.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { tieChild } from "#server/family/family.ts";
import {
  announceSecurity,
  auditOperator,
  endSessions,
  hashFirstPassword,
} from "#server/identity/identity.ts";
import { unprintedIn } from "#server/http/printed-letters.ts";
import { plainPunctuation } from "#server/http/typed-text.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { type NewPerson, openPerson } from "./new-person.ts";

export interface NewHolder extends NewPerson {
  /** ISO day. */
  bornOn: string;
  /** The guardian of a child. */
  guardian: number | null;
}

/** Makes the person, an accepted first card, the main wallet and the tie to the guardian. */
export async function openHolder(
  tx: Tx,
  { guardian, ...person }: NewHolder,
): Promise<{ personId: number; cardnumber: number }> {
  const made = await openPerson(tx, { ...person, type: 1 });
  if (guardian !== null) await tieChild(tx, guardian, made.personId);
  return made;
}

/** A secret of twelve digits to print, and the hash to store. */
export async function makeFirstSecret(): Promise<{ secret: string; passwordHash: string }> {
  const secret = [1, 2, 3].map(() => String(randomInt(10_000)).padStart(4, "0")).join("-");
  return { secret, passwordHash: await hashFirstPassword(secret) };
}

/**
 * Makes a new first secret for a holder who never chose a password, or who forgot it and has no address for a
 * code: then `reason` says how the operator identified the person. The former secret or password is void, and
 * the next sign-in chooses another. Refuses `first_password_chosen` to a holder who can be sent a code,
 * `secret_needs_identity` without a reason, and `not_found` for a card that signs nobody in, now or once it
 * is sent.
 */
export async function renewFirstSecret(
  deps: OperatorDeps,
  cardnumber: number,
  { operator, reason }: { operator: string; reason: string | null },
): Promise<{ name: string; secret: string }> {
  const { secret, passwordHash } = await makeFirstSecret();
  return await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const holder = await query(tx).maybeOne(sql<{
      id: number;
      name: string;
      chosen: boolean;
      reached: boolean;
      state: CardState;
    }>`
      select p.id, p.name, not p.must_reset or p.password_changed_at is not null as chosen,
        p.email is not null or p.phonenumber is not null as reached, c.state
      from card c join person p on p.id = c.person_id
      where c.number = ${cardnumber} and p.disabled_at is null for no key update of p`);
    if (!holder || !canSignIn(holder.state)) throw new Problem("not_found");
    if (holder.chosen && holder.reached) throw new Problem("first_password_chosen");
    if (holder.chosen && reason === null) throw new Problem("secret_needs_identity");
    await tx
      .updateTable("person")
      .set({ passwordHash, mustReset: true })
      .where("id", "=", holder.id)
      .execute();
    await endSessions(tx, holder.id, { why: "secret", at });
    if (holder.chosen) {
      await auditOperator(tx, operator, "holder.secret_again", {
        personId: holder.id,
        details: { reason },
        at,
      });
      await announceSecurity(tx, deps, {
        personId: holder.id,
        title: "Nouveau secret imprimé par le service clients",
        what: "Votre mot de passe ne vaut plus rien : un secret imprimé vous a été remis pour en choisir un autre.",
        advice: "Si ce n'était pas vous, écrivez-nous depuis Contact.",
      });
    } else await auditOperator(tx, operator, "holder.secret", { personId: holder.id, at });
    return { name: holder.name, secret };
  });
}

const onTheWay: ReadonlySet<CardState> = new Set(["requested", "approved", "in_production"]);
const canSignIn = (state: CardState) =>
  cardCan.logIn({ state }) || cardCan.logInFirst({ state }) || onTheWay.has(state);

/** First and last name as one; either may be blank for people with a single name. */
export function fullName(first: string, last: string): string {
  const parts = [first, last].filter((part) => part.trim() !== "").map(cleanName);
  return cleanName(parts.join(" "));
}

/** A name with single spaces, plain hyphens and apostrophes. */
export const tidyName = (typed: string): string =>
  plainPunctuation(typed.normalize("NFC")).replaceAll(/\s+/g, " ").trim();

/** A tidy name; refuses one without a letter, and one that cards and pages cannot print. */
export function cleanName(typed: string): string {
  const name = tidyName(typed);
  if (!/\p{L}/u.test(name)) throw new Problem("invalid_input", { field: "name", what: "nom" });
  if (unprintedIn(name) !== "") {
    const what = `${unprintedIn(name)} ne s'imprime pas : écrivez le nom en lettres latines, comme sur un passeport`;
    throw new Problem("invalid_input", { field: "name", what });
  }
  return name;
}
