// Charges made without network: decided on the device, stored until the server has answered each.
import { api } from "#contract/api.ts";
import { parisDay } from "#contract/days.ts";
import { formatMoney, plural } from "#contract/french.ts";
import { signedCodes } from "#contract/limits.ts";
import { discountOf, offlineTill as limits } from "#contract/till/limits.ts";
import type { OfflineCharge, OfflineRecorded } from "#contract/till/offline.ts";
import type { SaleLine } from "#contract/till/lines.ts";
import type { TillCounter } from "#contract/till/rows.ts";
import { ApiProblem, call } from "#web/app/transport/api.ts";
import { createOfflineQueue } from "#web/app/transport/offline-queue.ts";
import { type ReadCode, readCode } from "#web/signed-codes/read-code.ts";
import { unsent } from "#web/app/transport/sealed.ts";
import { sealed } from "#web/app/transport/session.ts";
import { notify } from "#web/ui/toast.tsx";
import { type TillKit, tillKit } from "./till-kit.ts";

/** A charge as the device stores it. */
export interface StoredCharge {
  charge: OfflineCharge;
  /** Name of the counter. */
  counter: string;
  /** The amount that the person was told. */
  paidCents: number;
  /** Card and minute of the code: one code pays once. */
  code: string;
  /** Until when that code may be shown, in milliseconds. */
  codeUntil: number;
  /** What the server answered, null until then. */
  result: Pick<OfflineRecorded, "conflict"> | null;
}

const skewMs = signedCodes.clockSkewSeconds * 1000;

const queue = createOfflineQueue<StoredCharge>({
  kind: "charge",
  idOf: ({ charge }) => charge.id,
  atOf: ({ charge }) => charge.soldAt,
  isSent: ({ result }) => result !== null,
  groupOf: () => "",
  deliver,
  // A conflict stays until somebody has read it, and a code until it is past.
  isSettled: ({ result, codeUntil }) =>
    result !== null &&
    (result.conflict === null || result.conflict === "withdrawn") &&
    codeUntil + skewMs < Date.now(),
});

/** Newest first. */
export const offlineCharges = queue.items;
export const { open: openCharges, send: sendCharges, dismiss: dismissCharge } = queue;

/** Whether this device keeps charges of the person who is signed in, or of somebody else. */
export function chargesOnDevice(owner: string): { own: boolean; others: boolean } {
  const authors = sealed.names(`${unsent}charge/`).map((name) => name.split("/")[2]);
  return { own: authors.includes(owner), others: authors.some((author) => author !== owner) };
}

/** Withdraws a charge that was not sent yet; its trace is sent in its place. */
export async function withdrawCharge(id: string, why: string): Promise<void> {
  await queue.open();
  const item = queue.items.get().find(({ charge, result }) => charge.id === id && !result);
  if (!item) return;
  await queue.keep({ ...item, charge: { ...item.charge, withdrawnWhy: why } });
}

async function deliver(part: readonly StoredCharge[]): Promise<boolean> {
  const charges = part.map(({ charge }) => charge);
  const { items } = await call(api.till.recordOffline, { charges }, { quiet: true });
  for (const { id, conflict } of items) {
    const item = part.find(({ charge }) => charge.id === id);
    if (item) await queue.keep({ ...item, result: { conflict } });
  }
  const charged = items.filter(({ conflict }) => conflict === null).length;
  if (charged > 0) {
    const what = plural(charged, "achat hors connexion débité", "achats hors connexion débités");
    notify({ text: what, kind: "success" });
  }
  return items.length > 0;
}

/**
 * The charges that wait at a counter: how many, what they pay, since when, and what the cap leaves, which
 * counts before discounts.
 */
export function waitingAt(
  items: readonly StoredCharge[],
  partner: string,
): { count: number; paidCents: number; leftCents: number; since: string | null } {
  const waiting = items.filter(
    ({ result, charge }) => !result && !charge.withdrawnWhy && charge.partner === partner,
  );
  const cents = waiting.reduce((sum, { charge }) => sum + charge.amountCents, 0);
  return {
    count: waiting.length,
    paidCents: waiting.reduce((sum, one) => sum + one.paidCents, 0),
    leftCents: Math.max(0, limits.tillCents - cents),
    since: waiting.at(-1)?.charge.soldAt ?? null,
  };
}

interface OfflineChargeInput {
  id: string;
  amountCents: number;
  label?: string | undefined;
  lines?: SaleLine[] | undefined;
  token?: string | undefined;
}

/**
 * Charges a card without network: the code is verified here, and the charge is kept before it is answered.
 * Throws an `ApiProblem` whose message says why it is not made.
 */
export async function chargeOffline(
  counter: TillCounter,
  input: OfflineChargeInput,
): Promise<StoredCharge> {
  const { token, ...details } = input;
  if (!token) refuse("till_code", words.number);
  const kit = tillKit.get();
  const now = Date.now();
  if (!kit || Date.parse(kit.until) <= now || !(await sealed.durable())) {
    refuse("till_code", words.notReady);
  }
  const code = await readCode(token, kit.keys, { now });
  requireGood(code, kit, now);
  // Another tab of this cashier may have charged meanwhile.
  await queue.open();
  const codeName = `${code.id} ${code.from}`;
  const others = offlineCharges.get().filter(({ charge }) => charge.id !== input.id);
  if (others.some((one) => one.code === codeName)) refuse("till_code_used", words.used);
  const { leftCents } = waitingAt(others, counter.id);
  if (input.amountCents > limits.chargeCents) refuse("till_limit", words.capCharge);
  if (input.amountCents > leftCents) refuse("till_limit", words.capTill(leftCents));
  if (input.amountCents + paidByCard(others, code.id, now) > limits.holderDayCents) {
    refuse("till_limit", words.capHolder);
  }
  const known = kit.counters.find(({ id }) => id === counter.id) ?? counter;
  const stored: StoredCharge = {
    charge: {
      ...details,
      partner: counter.id,
      token,
      soldAt: new Date(now).toISOString(),
      knownAt: kit.at,
    },
    counter: counter.name,
    paidCents: input.amountCents - discountOf(input.amountCents, known.discountPercent),
    code: codeName,
    codeUntil: code.until * 1000,
    result: null,
  };
  try {
    await queue.keep(stored);
  } catch {
    // What would not outlive this tab is not charged.
    queue.dismiss(input.id);
    refuse("till_code", words.noRoom);
  }
  return stored;
}

/** What a card paid today without network, as far as this device knows, before discounts. */
const paidByCard = (items: readonly StoredCharge[], card: string, now: number): number =>
  items
    .filter(({ charge, code, result }) => {
      const isLost = Boolean(result?.conflict) || Boolean(charge.withdrawnWhy);
      const isOfToday = parisDay(new Date(charge.soldAt)) === parisDay(new Date(now));
      return code.startsWith(`${card} `) && isOfToday && !isLost;
    })
    .reduce((sum, { charge }) => sum + charge.amountCents, 0);

type GoodCode = Extract<ReadCode, { id: string }>;

function requireGood(code: ReadCode, kit: TillKit, now: number): asserts code is GoodCode {
  if (code.is === "unverifiable") refuse("till_code", words.notReady);
  if (code.is === "forged") refuse("till_code", words.forged);
  if (code.is === "late_code" || code.from * 1000 - skewMs > now) refuse("till_code", words.late);
  const { id: card, revision } = code;
  const revoked = kit.revoked.some(
    ([kind, id, firstGood]) =>
      kind === "card" && id === card && (firstGood === 0 || revision < firstGood),
  );
  if (revoked) refuse("till_card", words.revoked);
}

const words = {
  number:
    "Hors connexion, un numéro ne suffit pas. Demandez à la personne d’afficher le QR code de sa carte.",
  notReady:
    "Cet appareil ne peut pas vérifier les codes sans réseau. Ouvrez la caisse avec le réseau une fois par jour, ou demandez un autre moyen de paiement.",
  noRoom:
    "Cet appareil n’a plus de place pour garder l’achat. Retrouvez le réseau, ou demandez un autre moyen de paiement.",
  forged: "Ce code n’est pas de Ma carte. Demandez un autre moyen de paiement.",
  late: "Ce code n’est pas de cette minute. Demandez à la personne de l’afficher de nouveau, et vérifiez l’heure de cet appareil.",
  used: "Ce code a déjà payé un achat sur cet appareil. Demandez à la personne d’en afficher un nouveau\u202f: il change chaque minute.",
  revoked: "Cette carte est en opposition ou remplacée. Demandez un autre moyen de paiement.",
  capCharge: `Hors connexion, un achat ne dépasse pas ${formatMoney(limits.chargeCents)}. Demandez un autre moyen de paiement.`,
  capHolder: `Sans réseau, une carte paie au plus ${formatMoney(limits.holderDayCents)} par jour. Retrouvez le réseau, ou demandez un autre moyen de paiement.`,
  capTill: (left: number) =>
    `Il reste ${formatMoney(left)} à encaisser hors connexion à cette caisse. Retrouvez le réseau, ou demandez un autre moyen de paiement.`,
} as const;

function refuse(
  code: "till_code" | "till_code_used" | "till_card" | "till_limit",
  text: string,
): never {
  throw new ApiProblem(code, text, { status: 409 });
}
