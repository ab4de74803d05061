// Who is told what happens to a pass: its holder, the guardians when the holder is a child, and whoever
// bought it.
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { guardiansOf } from "#server/family/family.ts";
import { notify } from "#server/notifications/notifications.ts";

interface News {
  holderId: number;
  buyerId?: number;
  /** The name of the pass. */
  name: string;
  groupId: number;
  passId?: string;
  title: string;
  /** What follows « Votre titre « Mensuel » » or « Le titre « Mensuel » de Léo Moreau ». */
  what: string;
  at: Date;
  /** Also by e-mail: news that must reach someone who is not on the portal. */
  outside?: boolean;
}

/** Writes the notices, and the e-mails when `outside`, in the transaction of what they tell. */
export async function tell(tx: Tx, deps: Pick<Deps, "send" | "config">, news: News): Promise<void> {
  const readers = new Set([news.holderId, ...(await guardiansOf(tx, news.holderId))]);
  if (news.buyerId !== undefined) readers.add(news.buyerId);
  const people = await tx
    .selectFrom("person")
    .select(["id", "name", "email"])
    .where("id", "in", [...readers])
    .where("disabled_at", "is", null)
    .execute();
  const holder = people.find(({ id }) => id === news.holderId);
  for (const reader of people) {
    const own = reader.id === news.holderId || !holder;
    const whose = own
      ? `Votre titre « ${news.name} »`
      : `Le titre « ${news.name} » de ${holder.name}`;
    const body = `${whose} ${news.what}`;
    const shown = news.passId ? `?titre=${news.passId}` : "";
    await notify(tx, {
      personId: reader.id,
      kind: "pass",
      title: news.title,
      body,
      path: `/Abonnement/ligne/${news.groupId}${shown}`,
      at: news.at,
      changed: "wallets",
    });
    if (!news.outside || !reader.email) continue;
    await deps.send(tx, {
      channel: "email",
      address: reader.email,
      subject: news.title,
      body: `Bonjour ${reader.name},\n\n${body}\n\nMa carte\n${deps.config.publicUrl}\n`,
      personId: reader.id,
      secret: false,
    });
  }
}
