// Notices about membership requests, to whoever made them.
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Tx } from "#server/db/db.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import type { MembershipRow } from "./requests.ts";

/** Announces in the transaction of the change; what the person did themself, in the notice list alone. */
export async function announceMembership(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { personId, service }: Pick<MembershipRow, "personId" | "service">,
  news: {
    title: string;
    body: string;
    at: Date;
    outside?: boolean;
    /** A new number whose first password is chosen with a code: the message links straight to that. */
    opens?: number;
  },
): Promise<void> {
  const { outside = true, opens, ...said } = news;
  await announce(tx, deps, {
    ...said,
    about: "membership",
    to: [personId],
    path: linkTo(paths.membership, { code_services: service }),
    changed: ["memberships", "company"],
    channels: outside ? "outside" : "portal",
    ...(opens !== undefined && {
      message: {
        action: {
          label: "Ouvrir mon espace professionnel",
          path: `${paths.forgotPassword}#${opens}`,
        },
      },
    }),
  });
}

/**
 * Tells the owner of a new company, on the account that completes it, which partner sheet is to be completed.
 */
export async function announceSheet(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  ownerId: number,
  { id, name, at }: { id: string; name: string; at: Date },
): Promise<void> {
  await announce(tx, deps, {
    about: "membership",
    to: [ownerId],
    title: "Une fiche à compléter",
    body: `La fiche de ${name} attend sa présentation et ses horaires. Une fois complétée, nous la montrons dans l’annuaire. Sa caisse encaisse dès que vos conditions de vente sont fixées\u202f: nous vous les écrivons.`,
    path: linkTo(paths.categories, {}, { sheet: id }),
    at,
    changed: ["memberships", "company", "partners"],
    channels: "portal",
  });
}
