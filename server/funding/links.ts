// Gift links: relatives top a wallet up without an account. The secret of the address is stored as a digest
// only (server/http/secret-link.ts).
import { sql } from "kysely";
import { dayMs } from "#contract/days.ts";
import { isPlainName, isPlainText } from "#contract/funding/names.ts";
import type { GiftLink } from "#contract/funding/rows.ts";
import { Problem } from "#contract/errors.ts";
import { funding as limits } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { guardiansOf, mayActFor } from "#server/family/family.ts";
import type { Caller } from "#server/http/caller.ts";
import { newSecretLink, secretDigest } from "#server/http/secret-link.ts";
import { audit } from "#server/identity/identity.ts";
import { walletOf } from "#server/wallet/wallet.ts";
import { requireOwnOrNotMinor } from "./rules.ts";

export const giftSecretDigest = (secret: string): Buffer => secretDigest("gift", secret);

type LinkRow = Omit<GiftLink, "state" | "expiresAt" | "createdAt"> & {
  expiresAt: Date;
  createdAt: Date;
  revoked: boolean;
};

/** A name as a gift's messages show it. Refuses `gift_name` for anything more than a name. */
export function giftName(typed: string): string {
  const name = typed.replaceAll(/\s+/g, " ").trim();
  if (!isPlainName(name)) throw new Problem("gift_name");
  return name;
}

/** A word as the page of a link shows it, null for none. Refuses `gift_word` for more than words. */
function giftWord(typed: string | undefined): string | null {
  const word = typed?.replaceAll(/\s+/g, " ").trim() ?? "";
  if (!isPlainText(word)) throw new Problem("gift_word");
  return word === "" ? null : word;
}

/** SQL: whether a link `k` was ended, or its maker may no longer act for the wallet's holder. */
const isRevoked = sql<boolean>`(k.revoked_at is not null or not ${mayActFor(
  sql.ref("k.person_id"),
  sql`(select person_id from wallet where id = k.wallet_id)`,
)})`;

/** SQL: columns of links `k`, with the amount given by each; payments under way count. */
export const linkColumns = sql`k.id, k.display_name, k.word, k.thanks, k.max_each_cents,
  k.max_total_cents, k.max_count, k.expires_at,
  k.created_at, ${isRevoked} as revoked, g.cents as received_cents,
  g.count as received_count`;
export const giftTotalsLateral = sql`cross join lateral (
  select coalesce(sum(t.amount_cents - t.return_cents), 0)::bigint as cents, count(*)::int as count
    from gift_payment gp join top_up t on t.id = gp.top_up_id
   where gp.link_id = k.id and t.state in ('initiated', 'authorized', 'credited', 'review')) g`;

/** A link as the contract shows it, with its state at `now`. */
export function toGiftLink(row: LinkRow, now: Date, minCents: number): GiftLink {
  const { revoked, expiresAt, createdAt, ...link } = row;
  const used =
    link.receivedCount >= link.maxCount || link.maxTotalCents - link.receivedCents < minCents;
  const state = revoked ? "revoked" : expiresAt <= now ? "expired" : used ? "used" : "open";
  return {
    ...link,
    state,
    expiresAt: expiresAt.toISOString(),
    createdAt: createdAt.toISOString(),
  };
}

/** The links of a wallet, the newest first; those over for three months are left out. */
export async function linksOf(deps: Deps, db: Db, walletId: number): Promise<GiftLink[]> {
  const now = deps.now();
  const { rows } = await sql<LinkRow>`
    select ${linkColumns} from gift_link k ${giftTotalsLateral}
    where k.wallet_id = ${walletId}
      and coalesce(k.revoked_at, k.expires_at) > ${now}::timestamptz - interval '90 days'
    order by k.created_at desc, k.id limit 50`.execute(db);
  return rows.map((row) => toGiftLink(row, now, deps.config.topUpMinCents));
}

interface NewLink {
  objectID: string;
  displayName: string;
  word?: string | undefined;
  thanks?: string | undefined;
  maxEachCents: number;
  maxTotalCents: number;
  maxCount: number;
  days: number;
}

/**
 * Makes a link to a wallet, amounts in cents, for `days` days; its address is only in this answer. Refuses
 * `gift_name`, `gift_word`, `link_amounts`, `link_full`, `wallet_frozen`, `family_minor`, `payments_off`.
 */
export async function createLink(
  deps: Deps,
  call: { caller: Caller; input: NewLink; address: string; siteOrigin: string },
): Promise<{ link: GiftLink; address: string }> {
  const { caller, input, siteOrigin } = call;
  const { personId } = caller;
  const wallet = await walletOf(deps, personId, input.objectID);
  if ((await guardiansOf(deps.db, personId)).length > 0) throw new Problem("family_minor");
  if (wallet.frozen) throw new Problem("wallet_frozen");
  if (deps.config.payments === "none") throw new Problem("payments_off");
  const { topUpMinCents: min, topUpMaxCents: max } = deps.config;
  const { displayName, maxEachCents, maxTotalCents, maxCount, days } = input;
  const name = giftName(displayName);
  const [word, thanks] = [giftWord(input.word), giftWord(input.thanks)];
  if (maxEachCents < min || maxEachCents > max || maxTotalCents < maxEachCents) {
    throw new Problem("link_amounts");
  }
  const { address, digest } = newSecretLink("gift", { siteOrigin, path: `${paths.gift}#` });
  const at = deps.now();
  const expiresAt = new Date(at.getTime() + days * dayMs);
  const link = await inTx(deps.db, async (tx) => {
    await sql`select from wallet where id = ${wallet.id} for no key update`.execute(tx);
    const { count } = await query(tx).one(sql<{ count: number }>`
      select count(*)::int as count from gift_link k
      where wallet_id = ${wallet.id} and not ${isRevoked} and expires_at > ${at}`);
    if (count >= limits.openLinks) {
      throw new Problem("link_full", { max: limits.openLinks });
    }
    const found = await query(tx).maybeOne(sql<{ id: string }>`
      insert into gift_link (wallet_id, person_id, secret_hash, display_name, word, thanks,
        max_each_cents, max_total_cents, max_count, expires_at, created_at)
      select w.id, ${personId}, ${digest}, ${name}, ${word}, ${thanks}, ${maxEachCents},
        ${maxTotalCents}, ${maxCount}, ${expiresAt}, ${at}
      from wallet w where w.id = ${wallet.id} and ${mayActFor(personId, sql.ref("w.person_id"))}
      returning id`);
    if (!found) throw new Problem("not_found");
    const { id } = found;
    const details = { link: id, maxTotalCents };
    await audit(tx, {
      personId,
      action: "funding.link",
      actor: "person",
      address: call.address,
      details,
      at,
    });
    return { id, displayName: name, word, thanks, maxEachCents, maxTotalCents, maxCount };
  });
  const fresh = {
    ...link,
    receivedCents: 0,
    receivedCount: 0,
    revoked: false,
    expiresAt,
    createdAt: at,
  };
  return {
    link: toGiftLink(fresh, at, min),
    address,
  };
}

/**
 * Ends a link of a wallet that the caller acts for; ending it again changes nothing. Refuses `family_minor`
 * to a child whose guardian made it.
 */
export async function revokeLink(
  { db, now }: Deps,
  { caller, linkId, address }: { caller: Caller; linkId: string; address: string },
): Promise<{ message: string }> {
  const { personId } = caller;
  await inTx(db, async (tx: Tx) => {
    const found = await query(tx).maybeOne(sql<{ madeBy: number }>`
      select k.person_id as made_by from gift_link k join wallet w on w.id = k.wallet_id
      where k.id = ${linkId} and ${mayActFor(personId, sql.ref("w.person_id"))}
      for update of k`);
    if (!found) throw new Problem("not_found");
    await requireOwnOrNotMinor(tx, { actor: personId, madeBy: found.madeBy });
    const at = now();
    await sql`update gift_link set revoked_at = ${at}
      where id = ${linkId} and revoked_at is null`.execute(tx);
    const details = { link: linkId };
    await audit(tx, { personId, action: "funding.revoke", actor: "person", address, details, at });
  });
  return { message: "Le lien ne sert plus." };
}
