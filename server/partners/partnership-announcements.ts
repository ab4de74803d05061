// Announcements of a partnership, to the owners and accountants of a company.
import { companyCan } from "#contract/companies/roles.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { peopleOf } from "#server/companies/companies.ts";
import type { Tx } from "#server/db/db.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";

/** « Vos cartes auraient 10 % chez eux, les leurs 5 % chez vous. », as the reader's side sees it. */
export const percentWords = (givesPercent: number, getsPercent: number): string =>
  `${getsPercent}\u00a0% de remise pour vos cartes à leurs caisses, ${givesPercent}\u00a0% pour les leurs aux vôtres.`;

/** Notifies a company; does nothing where the invitation reached no company. */
export async function announceTo(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  companyId: string | null,
  { id, ...news }: { id: string; title: string; body: string; at: Date },
): Promise<void> {
  if (companyId === null) return;
  await announce(tx, deps, {
    ...news,
    about: "partnership",
    to: await peopleOf(tx, companyId, companyCan.seeMoney),
    path: linkTo(paths.partnership, { id }),
    changed: ["partnerships", "partnership_messages"],
    channels: "outside",
  });
}
