// Notices about meals, to the persons concerned and, for a child, its guardians.
import { companyCan } from "#contract/companies/roles.ts";
import { paths } from "#contract/paths.ts";
import { peopleOf } from "#server/companies/companies.ts";
import { sql } from "kysely";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { withGuardians } from "#server/family/family.ts";
import { announce, type Announcement } from "#server/notifications/notifications.ts";

interface MealNews extends Pick<Announcement, "title" | "body" | "at" | "payer"> {
  /** Also by e-mail, else by SMS: for news that should not wait for the next visit to the portal. */
  alsoOutside?: boolean;
  /** Where the notice leads, by default to the list of one's meals. */
  path?: string;
}

/** Announces in the transaction of the change; each person gets one notice. */
export async function announceMeal(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  concerned: readonly number[],
  { alsoOutside = false, ...news }: MealNews,
): Promise<void> {
  await announce(tx, deps, {
    path: paths.meals,
    ...news,
    about: "meal",
    to: await withGuardians(tx, concerned),
    changed: ["meals", "wallets", "registrations", "illnesses"],
    channels: alsoOutside ? "outside" : "portal",
  });
}

/** Tells those who run a provider, on the portal; people who only serve meals are not told. */
export async function announceProvider(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  providerId: number,
  news: Pick<Announcement, "title" | "body" | "at"> & { path?: string },
): Promise<void> {
  const provider = await query(tx).maybeOne(sql<{ companyId: string }>`
    select s.company_id from canteen_provider v
    join partner s on s.id = v.partner_id
    where v.id = ${providerId} and s.company_id is not null`);
  if (!provider) return;
  await announce(tx, deps, {
    path: paths.canteenDesk,
    ...news,
    about: "meal",
    to: await peopleOf(tx, provider.companyId, companyCan.seeMoney),
    changed: ["meals", "registrations", "illnesses", "service"],
  });
}
