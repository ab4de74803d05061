// The price of a pass for one person, with its reason: the lowest price that applies, explained in a
// sentence.
import type { Price } from "#contract/passes/fares.ts";
import { formatMoney } from "#contract/french.ts";

/** The profile that prices depend on; entitlements owns it. */
export interface Rider {
  age: number | null;
  student: boolean;
  quotient: number | null;
}

interface Audience {
  youngest: number | null;
  oldest: number | null;
  studentsOnly: boolean;
}

export interface Reduction extends Audience {
  label: string;
  priceCents: number;
  /** Applies up to this family quotient, null whatever it is. */
  quotientUpTo: number | null;
}

export interface PricedProduct extends Audience {
  name: string;
  priceCents: number;
  lateFeeCents: number;
  reductions: readonly Reduction[];
}

const ageFits = ({ youngest, oldest }: Audience, age: number | null): boolean =>
  (youngest === null && oldest === null) ||
  (age !== null && age >= (youngest ?? 0) && age <= (oldest ?? 200));

const applies = (one: Reduction, rider: Rider): boolean =>
  ageFits(one, rider.age) &&
  (!one.studentsOnly || rider.student) &&
  (one.quotientUpTo === null || (rider.quotient !== null && rider.quotient <= one.quotientUpTo));

/**
 * The price for a rider, in cents, with its reason. The value of a quotient is never disclosed: the reader
 * may be the guardian of another household. Reductions are in their order: of two with the same price the
 * first gives the reason.
 */
export function priceOf(product: PricedProduct, rider: Rider, late: boolean): Price {
  let best: Reduction | null = null;
  for (const one of product.reductions) {
    if (applies(one, rider) && one.priceCents < (best?.priceCents ?? product.priceCents))
      best = one;
  }
  const cents = best?.priceCents ?? product.priceCents;
  const lateFeeCents = late ? product.lateFeeCents : 0;
  return {
    fullCents: product.priceCents,
    cents,
    reason: best ? reasonOf(best, product.priceCents) : fullReason(product, rider),
    lateFeeCents,
    employer: null,
    totalCents: cents + lateFeeCents,
  };
}

/** Facts that the portal would need for a reduction, in the order in which they are listed. */
type Unproved = "quotient" | "schooling" | "birth";

const unprovedWords: Readonly<Record<Unproved, string>> = {
  quotient: "aucun quotient familial validé",
  schooling: "aucun certificat de scolarité validé",
  birth: "date de naissance inconnue",
};

/** The proofs that a rider lacks for an audience; null where no proof would make them eligible. */
function unprovedOf(
  one: Audience & { quotientUpTo?: number | null },
  { age, student, quotient }: Rider,
): Unproved[] | null {
  const [fits, upTo] = [ageFits(one, age), one.quotientUpTo ?? null];
  if ((!fits && age !== null) || (upTo !== null && quotient !== null && quotient > upTo)) {
    return null;
  }
  const unproved: Unproved[] = [];
  if (upTo !== null && quotient === null) unproved.push("quotient");
  if (one.studentsOnly && !student) unproved.push("schooling");
  if (!fits) unproved.push("birth");
  return unproved;
}

/** The proofs that would bring the price under `cents`. */
function unprovedUnder(cents: number, { reductions }: PricedProduct, rider: Rider): Unproved[] {
  const lower = reductions.filter(({ priceCents }) => priceCents < cents);
  const lacking = new Set(lower.flatMap((one) => unprovedOf(one, rider) ?? []));
  return (Object.keys(unprovedWords) as Unproved[]).filter((one) => lacking.has(one));
}

/** Whether a proof sent by the family would lower the price, or open the product to the rider. */
export function isProvable(product: PricedProduct, rider: Rider): boolean {
  const unproved = unprovedOf(product, rider);
  if (unproved === null || unproved.length > 0) return unproved !== null;
  return unprovedUnder(priceOf(product, rider, false).cents, product, rider).length > 0;
}

const reasonOf = ({ label, priceCents }: Reduction, fullCents: number): string =>
  `${label} : ${formatMoney(priceCents)} au lieu de ${formatMoney(fullCents)}.`;

function fullReason(product: PricedProduct, rider: Rider): string {
  const missing = unprovedUnder(product.priceCents, product, rider).map(
    (one) => unprovedWords[one],
  );
  return missing.length > 0 ? `Plein tarif : ${missing.join(", ")}.` : "Plein tarif.";
}

/** French sentence: why a rider may not buy a product, null when they may. */
export function ineligibilityOf(product: Audience, rider: Rider): string | null {
  const { youngest, oldest, studentsOnly } = product;
  if (!ageFits(product, rider.age)) {
    const ages =
      youngest === null
        ? `jusqu’à ${oldest} ans`
        : oldest === null
          ? `à partir de ${youngest} ans`
          : `de ${youngest} à ${oldest} ans`;
    const unknown = rider.age === null ? ", et la date de naissance n’est pas connue" : "";
    return `Ce titre est réservé aux personnes ${ages}${unknown}.`;
  }
  if (studentsOnly && !rider.student) {
    return "Ce titre demande un certificat de scolarité en cours de validité.";
  }
  return null;
}
