// Gifts: payments through a gift link, within its limits. Whoever has the link sees a first name, a word and how much
// may be given, but neither the balance nor the card number.
import { sql } from "kysely";
import { dayMs } from "#contract/days.ts";
import type { Gift } from "#contract/funding/gifts.ts";
import { Problem } from "#contract/errors.ts";
import { formatDateTime, formatMoney, ofName } from "#contract/french.ts";
import { type Ink, motifOf } from "#contract/motif.ts";
import { funding as limits } from "#contract/limits.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { topUpCan, type TopUpState } from "#contract/payments/rows.ts";
import { referenceOf } from "#contract/reference.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { guardiansOf } from "#server/family/family.ts";
import { digestFor, requireAddressRateLimit } from "#server/identity/identity.ts";
import { payPlaced, placePayment } from "#server/payments/payments.ts";
import { giftName, giftSecretDigest, giftTotalsLateral, linkColumns, toGiftLink } from "./links.ts";
import { sendLetter } from "#server/notifications/notifications.ts";
import { announceFunding, walletWords } from "./announcements.ts";

interface OpenLink {
  link: ReturnType<typeof toGiftLink>;
  walletId: number;
  personId: number;
}

/**
 * Counted before the secret is looked up, so that guessing is slow; `link_over` once the link ended, and
 * while its wallet is frozen. No check depends on the balance: a refusal would disclose it.
 */
async function requireOpenLink(tx: Tx, deps: Deps, secret: string): Promise<OpenLink> {
  const now = deps.now();
  const locked = await query(tx).maybeOne(sql<{ id: string }>`select id from gift_link
    where secret_hash = ${giftSecretDigest(secret)} for no key update`);
  if (!locked) throw new Problem("link_unknown");
  const { walletId, personId, frozen, ...row } = await query(tx).one(sql<
    Parameters<typeof toGiftLink>[0] & {
      walletId: number;
      personId: number;
      frozen: boolean;
    }
  >`
    select ${linkColumns}, k.wallet_id, k.person_id,
      w.frozen_at is not null as frozen
    from gift_link k ${giftTotalsLateral} join wallet w on w.id = k.wallet_id
    where k.id = ${locked.id}`);
  const link = toGiftLink(row, now, deps.config.topUpMinCents);
  if (link.state !== "open" || frozen) throw new Problem("link_over");
  return { link, walletId, personId };
}

const maxGiftCents = ({ link }: OpenLink): number =>
  Math.min(link.maxEachCents, link.maxTotalCents - link.receivedCents);

/**
 * The recipient's motif on the page: the ink of their card, but curves of a seed that only the server can make, since
 * from those of the card its number could be tried out.
 */
async function faceOf(db: Db, walletId: number): Promise<{ motif: number; ink: Ink }> {
  const { personId, cardnumber } = await query(db).one(sql<{
    personId: number;
    cardnumber: number;
  }>`select w.person_id, card.number as cardnumber
    from wallet w cross join lateral current_card(w.person_id) card where w.id = ${walletId}`);
  const digest = await digestFor(db, "gift motif", String(personId));
  return { motif: digest.readUInt32BE(0), ink: motifOf(cardnumber, 2).ink };
}

/**
 * The page of a link for whoever has it. Throws `link_unknown`, `link_over`, `too_many_requests` by address.
 */
export async function readGift(deps: Deps, secret: string, address: string): Promise<Gift> {
  await requireGiftRate(deps, address);
  return await inTx(deps.db, async (tx) => {
    const found = await requireOpenLink(tx, deps, secret);
    const { displayName, word } = found.link;
    return {
      displayName,
      word,
      ...(await faceOf(tx, found.walletId)),
      minCents: deps.config.topUpMinCents,
      maxCents: maxGiftCents(found),
      expiresAt: found.link.expiresAt,
      sandbox: deps.config.payments === "sandbox",
    };
  });
}

const requireGiftRate = (deps: Deps, address: string): Promise<void> =>
  requireAddressRateLimit(deps, { act: "gift", address, perMinute: limits.giftsPerMinute });

interface GiftInput {
  secret: string;
  amountCents: number;
  payerName: string;
  payerEmail: string | null;
}

/**
 * Starts a payment through a link, amount in cents, within its limits; payments under way count, and the
 * link's row is locked meanwhile. The wallet's cap is applied when it is credited. The same key returns the
 * same payment. Throws `link_unknown`, `link_over`, `gift_amount`, `gift_name`, `idempotency_mismatch`,
 * `payments_off`.
 */
export async function give(
  deps: Deps,
  call: { input: GiftInput; key: string | null; address: string; siteOrigin: string },
): Promise<{ id: string; paymentUrl: string | null }> {
  const { input, key, address, siteOrigin } = call;
  await requireGiftRate(deps, address);
  const id = await inTx(deps.db, (tx) => placeGift(tx, deps, input, key));
  const { paymentUrl } = await payPlaced(deps, id, siteOrigin);
  return { id, paymentUrl };
}

async function placeGift(
  tx: Tx,
  deps: Deps,
  input: GiftInput,
  key: string | null,
): Promise<string> {
  const { amountCents, payerEmail } = input;
  const before = key === null ? undefined : await paymentOfKey(tx, input.secret, key);
  if (before) {
    if (before.amountCents !== amountCents) throw new Problem("idempotency_mismatch");
    return before.id;
  }
  const found = await requireOpenLink(tx, deps, input.secret);
  const min = deps.config.topUpMinCents;
  const maxCents = maxGiftCents(found);
  if (amountCents < min || amountCents > maxCents) {
    throw new Problem("gift_amount", { min: formatMoney(min), max: formatMoney(maxCents) });
  }
  const payerName = giftName(input.payerName);
  const { link, walletId, personId } = found;
  const id = await placePayment(tx, deps, {
    walletId,
    personId,
    amountCents,
    origin: { kind: "link", id: link.id, label: `Offert par ${payerName}` },
    returnPath: paths.gift,
    key: key === null ? null : giftKey(input.secret, key),
    keepPaymentMethod: false,
    at: deps.now(),
  });
  await sql`insert into gift_payment (top_up_id, link_id, payer_name, payer_email)
    values (${id}, ${link.id}, ${payerName}, ${payerEmail})`.execute(tx);
  return id;
}

/** Keys of strangers are kept apart from those of the wallet's owner. */
const giftKey = (secret: string, key: string): string =>
  `gift:${giftSecretDigest(`${secret}:${key}`).toString("base64url")}`;

async function paymentOfKey(tx: Tx, secret: string, key: string) {
  // The link first: of two calls with one key, the second waits here and then finds the first's payment.
  await sql`select from gift_link where secret_hash = ${giftSecretDigest(secret)}
    for no key update`.execute(tx);
  return await query(tx).maybeOne(sql<{ id: string; amountCents: number }>`
    select t.id, t.amount_cents
    from gift_payment g join top_up t on t.id = g.top_up_id
    where t.idempotency_key = ${giftKey(secret, key)}`);
}

interface GiftPaymentRow {
  state: TopUpState;
  amountCents: number;
  returnCents: number;
  displayName: string;
  thanks: string | null;
  walletId: number;
  createdAt: Date;
}

/** State of a relative's payment; `not_found` for any other payment. */
export async function giftState(
  deps: Deps,
  { id, siteOrigin, address }: { id: string; siteOrigin: string; address: string },
) {
  await requireAddressRateLimit(deps, {
    act: "gift-state",
    address,
    perMinute: limits.giftStatesPerMinute,
  });
  const found = await query(deps.db).maybeOne(sql<GiftPaymentRow>`
    select t.state, t.amount_cents, t.return_cents, k.display_name,
      case when t.state = 'credited' then k.thanks end as thanks, k.wallet_id, t.created_at
    from gift_payment g join top_up t on t.id = g.top_up_id join gift_link k on k.id = g.link_id
    where g.top_up_id = ${id}`);
  if (!found) throw new Problem("not_found");
  const { paymentUrl } = topUpCan.pay(found)
    ? await payPlaced(deps, id, siteOrigin)
    : { paymentUrl: null };
  const { walletId, ...shown } = found;
  return {
    ...shown,
    ...(await faceOf(deps.db, walletId)),
    createdAt: found.createdAt.toISOString(),
    paymentUrl,
  };
}

interface SettledGift {
  topUpId: string;
  walletId: number;
  amountCents: number;
  returnCents: number;
  at: Date;
}

/**
 * On a credited gift: holder, guardians and the link's maker are told; the payer gets a receipt. Both
 * messages say which part exceeded the cap and is refunded to the payer.
 */
export async function onGiftCredited(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { topUpId, walletId, amountCents, returnCents, at }: SettledGift,
): Promise<void> {
  const gift = await query(tx).maybeOne(sql<{
    payerName: string;
    payerEmail: string | null;
    displayName: string;
    ownerId: number;
  }>`
    select g.payer_name, g.payer_email,
      k.display_name, w.person_id as owner_id
    from gift_payment g join gift_link k on k.id = g.link_id join wallet w on w.id = k.wallet_id
    where g.top_up_id = ${topUpId}`);
  if (!gift) return;
  const { payerName, payerEmail, displayName, ownerId } = gift;
  const addedCents = amountCents - returnCents;
  const [paid, added, back] = [amountCents, addedCents, returnCents].map((one) => formatMoney(one));
  const readers = [ownerId, ...(await guardiansOf(tx, ownerId))];
  for (const reader of readers) {
    const { objectID, words } = await walletWords(tx, walletId, reader);
    await announceFunding(tx, deps, {
      personId: reader,
      title: "Recharge d'un proche",
      body:
        returnCents === 0
          ? `${payerName} a ajouté ${added} à ${words}.`
          : `${payerName} a offert ${paid} et ajouté ${added} à ${words}, qui est à son plafond. ` +
            `Le reste, ${back}, lui est rendu.`,
      path: linkTo(paths.movements, { objectID }),
      at,
    });
  }
  if (payerEmail === null) return;
  const facts = [
    `Montant : ${paid}`,
    ...(returnCents > 0 ? [`Ajouté : ${added}`, `Rendu : ${back}`] : []),
    `Date : ${formatDateTime(at)}`,
    `Référence : ${referenceOf(topUpId)}`,
  ];
  const receipt = {
    subject: "Reçu de votre recharge Ma carte",
    name: payerName,
    body:
      returnCents === 0
        ? `Votre recharge pour ${displayName} est arrivée. Merci.`
        : `Merci. La carte ${ofName(displayName)} ne pouvait pas recevoir plus de ${added}\u202f: ${back} ` +
          `reviennent sur votre carte bancaire sous quelques jours.`,
    facts,
    note: "Une recharge n'est pas un achat : elle ne donne pas lieu à facture.",
  };
  const to = { channel: "email", address: payerEmail } as const;
  await sendLetter(tx, deps, to, receipt, { personId: null });
  // The receipt was its only use.
  await sql`update gift_payment set payer_email = null where top_up_id = ${topUpId}`.execute(tx);
}

/** Deletes the addresses of payments that came to nothing; a late success has a month to arrive. */
export async function forgetPayers({ db, now }: Deps): Promise<void> {
  const before = new Date(now().getTime() - limits.payerEmailDays * dayMs);
  await sql`update gift_payment g set payer_email = null from top_up t
    where t.id = g.top_up_id and g.payer_email is not null and t.created_at < ${before}`.execute(
    db,
  );
}
