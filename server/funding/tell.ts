// Who is told what keeps a wallet filled: in the portal, by e-mail, by SMS.
import { sql } from "kysely";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { notify } from "#server/notifications/notifications.ts";

interface Told {
  personId: number;
  title: string;
  /** One or two sentences; the wallet is named by `walletWords`. */
  body: string;
  path: string;
  at: Date;
  email?: boolean;
  sms?: boolean;
  /** Lines of an e-mail beside the body: the facts of a receipt. */
  facts?: readonly string[];
}

type Needs = Pick<Deps, "send" | "config">;

/** A notice, and messages on the channels that are asked for and that the person has. */
export async function tell(tx: Tx, deps: Needs, told: Told): Promise<void> {
  const { personId, title, body, path, at } = told;
  await notify(tx, { personId, kind: "funding", title, body, path, at, changed: "wallets" });
  const person = await tx
    .selectFrom("person")
    .select(["name", "email", "phonenumber"])
    .where("id", "=", personId)
    .executeTakeFirstOrThrow();
  const message = { subject: title, personId, secret: false };
  if (told.email && person.email) {
    const facts = told.facts ? `\n${told.facts.join("\n")}\n` : "";
    const link = `${deps.config.publicUrl}${path}`;
    const text = `Bonjour ${person.name},\n\n${body}\n${facts}\n${link}\n\nMa carte\n`;
    await deps.send(tx, { ...message, channel: "email", address: person.email, body: text });
  }
  if (told.sms && person.phonenumber) {
    const text = `Ma carte. ${body}`;
    await deps.send(tx, { ...message, channel: "sms", address: person.phonenumber, body: text });
  }
}

interface Named {
  objectID: string;
  /** « votre cagnotte principale », « la cagnotte restauration de Léo Moreau ». */
  words: string;
  name: string;
}

/** How a wallet is named to a person, its owner or somebody else. */
export async function walletWords(tx: Tx, walletId: number, personId: number): Promise<Named> {
  const { rows } = await sql<{ objectID: string; name: string; owner: string; own: boolean }>`
    select w.object_id as "objectID", w.name, p.name as owner, p.id = ${personId} as own
    from wallet w join person p on p.id = w.person_id where w.id = ${walletId}`.execute(tx);
  const { objectID, name, owner, own } = rows[0] as (typeof rows)[0];
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  return { objectID, name, words: own ? `votre ${lower}` : `la ${lower} de ${owner}` };
}

export const automationsPath = (objectID: string): string => `/cagnottes/${objectID}/automatismes`;
