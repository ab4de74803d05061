// Who is told what happens to a card: its holder, and the guardians when the holder is a child.
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { withGuardians } from "#server/family/family.ts";
import { announce } from "#server/notifications/notifications.ts";
import { ending } from "./number.ts";

interface CardNews {
  personId: number;
  cardnumber: number;
  title: string;
  /** What follows « Votre carte se terminant par 0016 » or « La carte de Léo… » in a sentence. */
  what: string;
  at: Date;
  /** Also by e-mail, else by SMS: news that must reach someone who is not on the portal. */
  outside?: boolean;
}

/** Announces in the transaction of what it tells. */
export async function announceCard(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { personId, cardnumber, title, what, at, outside = false }: CardNews,
): Promise<void> {
  const { name } = await tx
    .selectFrom("person")
    .select("name")
    .where("id", "=", personId)
    .executeTakeFirstOrThrow();
  const { supportPhone } = deps.config;
  const call = supportPhone ? `appelez le ${supportPhone}` : "prévenez-nous depuis le portail";
  await announce(tx, deps, {
    about: "card",
    to: await withGuardians(tx, [personId]),
    title,
    body: (reader) => {
      const card = reader.id === personId ? "Votre carte" : `La carte de ${name}`;
      return `${card} se terminant par ${ending(cardnumber)} ${what}`;
    },
    path: "/dashboard",
    at,
    changed: "cards",
    channels: outside ? "outside" : "portal",
    message: { note: `Si vous n'êtes pas à l'origine de cette demande, ${call}.` },
  });
}
