// Announcements of the settlement, to the people of a company who may see its money.
import { companyCan } from "#contract/companies/roles.ts";
import { peopleOf } from "#server/companies/companies.ts";
import { formatMoney, formatMonth, ofName } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Tx } from "#server/db/db.ts";
import { asSentence, announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";

type MessageDeps = Pick<Deps, "send" | "config">;
const pathOf = (month: string) => linkTo(paths.settlements, {}, { month });

/** Announces that a month is closed and its statement available. */
export async function announceSettled(
  tx: Tx,
  deps: MessageDeps,
  {
    companyId,
    month,
    netCents,
    at,
  }: { companyId: string; month: string; netCents: number; at: Date },
): Promise<void> {
  const name = formatMonth(`${month}-01`);
  await announce(tx, deps, {
    about: "invoice",
    to: await peopleOf(tx, companyId, companyCan.seeMoney),
    title: `Relevé ${ofName(name)}`,
    body:
      netCents >= 0
        ? `Il vous revient ${formatMoney(netCents)} pour ${name}. Le relevé explique chaque centime.`
        : `Les remboursements dépassent les ventes de ${formatMoney(-netCents)} pour ${name}. Cette somme sera déduite du prochain règlement.`,
    path: pathOf(month),
    channels: "outside",
    at,
  });
}

/** Announces that the bank accepted a payout, or refused it with its reason. */
export async function announcePayout(
  tx: Tx,
  deps: MessageDeps,
  payout: {
    companyId: string;
    month: string;
    amountCents: number;
    refusal: string | null;
    at: Date;
  },
): Promise<void> {
  const { companyId, month, amountCents, refusal, at } = payout;
  await announce(tx, deps, {
    about: "invoice",
    to: await peopleOf(tx, companyId, companyCan.seeMoney),
    title: refusal === null ? "Règlement versé" : "Règlement refusé par la banque",
    body:
      refusal === null
        ? `${formatMoney(amountCents)} ont été versés sur votre compte bancaire.`
        : `La banque a refusé de verser ${formatMoney(amountCents)}\u202f: ${asSentence(refusal)} Vérifiez votre compte bancaire\u202f: cette somme vous reste due.`,
    path: pathOf(month),
    channels: "outside",
    at,
  });
}
