// Notices about passes, to the holder, the guardians of a child, and the buyer.
import { ofName } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { withGuardians } from "#server/family/family.ts";
import { announce, type Payer } from "#server/notifications/notifications.ts";

interface PassNews {
  holderId: number;
  /** The buyer, and the sentences for them alone. */
  payer?: Payer;
  /** The name of the pass. */
  name: string;
  groupId: number;
  passId?: string;
  title: string;
  /** Text after « Votre titre « Mensuel » » or « Le titre « Mensuel » de Léo Moreau ». */
  what: string;
  at: Date;
  /** Also by e-mail, else by SMS: news that must reach someone who is not on the portal. */
  outside?: boolean;
}

/** Announces in the transaction of the change. */
export async function announcePass(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  news: PassNews,
): Promise<void> {
  const { holderId, payer, title, what, at, outside = false } = news;
  const readers = await withGuardians(tx, [holderId]);
  const holder = await tx
    .selectFrom("person")
    .select("name")
    .where("id", "=", holderId)
    .executeTakeFirstOrThrow();
  const pass = `titre «\u00a0${news.name}\u00a0»`;
  await announce(tx, deps, {
    about: "pass",
    to: readers,
    ...(payer && { payer }),
    title,
    body: ({ id }) =>
      id === holderId ? `Votre ${pass} ${what}` : `Le ${pass} ${ofName(holder.name)} ${what}`,
    path: linkTo(paths.fares, { group: news.groupId }, { pass: news.passId || undefined }),
    at,
    changed: ["passes", "wallets"],
    channels: outside ? "outside" : "portal",
  });
}
