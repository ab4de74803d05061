// Announcements of alerts, automatic top-ups and gifts: on the portal, by e-mail, by SMS.
import { sql } from "kysely";
import { ofName } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { announce, type Announcement } from "#server/notifications/notifications.ts";

type FundingNews = Pick<Announcement, "title" | "body" | "path" | "at" | "channels" | "message">;

/** Announces to one person; the body names the wallet by `walletWords`. */
export async function announceFunding(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { personId, ...news }: FundingNews & { personId: number },
): Promise<void> {
  await announce(tx, deps, {
    ...news,
    about: "funding",
    to: [personId],
    changed: ["funding", "wallets"],
  });
}

interface Named {
  objectID: string;
  /** « votre cagnotte principale », « la cagnotte restauration de Léo Moreau ». */
  words: string;
  name: string;
}

/** How a wallet is named to a person, its owner or somebody else. */
export async function walletWords(tx: Tx, walletId: number, personId: number): Promise<Named> {
  const { objectID, name, owner, own } = await query(tx).one(sql<{
    objectID: string;
    name: string;
    owner: string;
    own: boolean;
  }>`
    select w.object_id as "objectID", w.name, p.name as owner, p.id = ${personId} as own
    from wallet w join person p on p.id = w.person_id where w.id = ${walletId}`);
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  return { objectID, name, words: own ? `votre ${lower}` : `la ${lower} ${ofName(owner)}` };
}

export const automationsPath = (objectID: string): string =>
  linkTo(paths.automations, { objectID });
