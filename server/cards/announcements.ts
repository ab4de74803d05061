// Notices about a card: to its holder, to the guardians when the holder is a child, and to those responsible
// for the company whose card it is.
import { ofName } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { withGuardians } from "#server/family/family.ts";
import { announce } from "#server/notifications/notifications.ts";
import { companyOfCard } from "./managed-cards.ts";
import { last4 } from "./number.ts";

interface CardNews {
  personId: number;
  cardnumber: number;
  title: string;
  /** Text that follows « Votre carte se terminant par 0016 » or « La carte de Léo… » in a sentence. */
  what: string | { holder: string; others: string };
  at: Date;
  /** The person who caused it; none where a job or the operator did. */
  by?: number;
  /** Also by e-mail, else by SMS: for people who are not on the portal. */
  outside?: boolean;
}

/** Announces in the transaction of the change. */
export async function announceCard(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { personId, cardnumber, title, what, at, by, outside = false }: CardNews,
): Promise<void> {
  const { name } = await tx
    .selectFrom("person")
    .select("name")
    .where("id", "=", personId)
    .executeTakeFirstOrThrow();
  const { supportPhone } = deps.config;
  const call = supportPhone ? `appelez le ${supportPhone}` : "prévenez-nous depuis le portail";
  const company = await companyOfCard(tx, personId);
  const managers = company?.managers.filter((one) => one !== personId) ?? [];
  const news = {
    about: "card",
    title,
    at,
    changed: ["cards", "wallets"],
    channels: outside ? "outside" : "portal",
    ...(by !== undefined && {
      message: { note: `Si vous n'êtes pas à l'origine de cette demande, ${call}.` },
    }),
  } as const;
  const words = typeof what === "string" ? { holder: what, others: what } : what;
  const isByCompany = company && by !== undefined && managers.includes(by);
  await announce(tx, deps, {
    ...news,
    to: await withGuardians(tx, [personId]),
    body: (reader) => {
      const [card, text] =
        reader.id === personId
          ? ["Votre carte", words.holder]
          : [`La carte ${ofName(name)}`, words.others];
      const sentence = `${card} se terminant par ${last4(cardnumber)} ${text}`;
      return isByCompany
        ? `${sentence} C’est votre entreprise qui l’a demandé\u00a0: ${company.name}.`
        : sentence;
    },
    path: paths.dashboard,
  });
  const others = managers.filter((one) => one !== by);
  if (others.length === 0) return;
  await announce(tx, deps, {
    ...news,
    changed: ["cards", "pro_cards"],
    to: others,
    body: `La carte pro ${ofName(name)} se terminant par ${last4(cardnumber)} ${words.others}`,
    path: paths.proCards,
  });
}
