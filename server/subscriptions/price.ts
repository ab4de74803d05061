// The price of a subscription, line by line with reasons, and eligibility. Nothing here reads or writes: the
// same facts give the same price on the screen, at the payment and when the provider's money comes.
import { addDays, addMonths, monthsBegun, schoolYearEnd } from "#contract/days.ts";
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import { subscriptions as limits } from "#contract/limits.ts";
import type { SubscriptionProofKind } from "#contract/subscriptions/states.ts";
import type { Condition, PriceLine, Quote } from "#contract/subscriptions/rows.ts";
import type { Profile } from "#server/entitlements/entitlements.ts";

/** A reduction of a formula, in whole percent; the best one counts, they do not add up. */
type Discount =
  | { kind: "quotient"; upTo: number; percent: number }
  | { kind: "age"; under?: number; from?: number; percent: number };

export interface Formula {
  code: string;
  version: number;
  name: string;
  summary: string;
  opens: string[];
  yearCents: number;
  term: "year" | "school";
  minAge: number | null;
  maxAge: number | null;
  student: boolean;
  maxQuotient: number | null;
  coversChildren: boolean;
  documents: SubscriptionProofKind[];
  discounts: Discount[];
  since: Date;
}

export interface Option {
  code: string;
  name: string;
  summary: string;
  priceCents: number;
}

/** First and last day of a subscription that would begin on a given day. */
export function spanFrom(formula: Pick<Formula, "term">, startsOn: string) {
  const endsOn =
    formula.term === "school" ? schoolYearEnd(startsOn) : addDays(addMonths(startsOn, 12), -1);
  return { startsOn, endsOn };
}

/** The price of a formula with options for somebody, from a day on; amounts in cents. */
export function quoteOf(
  formula: Formula,
  options: readonly Option[],
  profile: Profile,
  from: string,
): Quote {
  const { startsOn, endsOn } = spanFrom(formula, from);
  const lines: PriceLine[] = [
    {
      kind: "formula",
      label: `Formule ${formula.name}`,
      amountCents: formula.yearCents,
      why: `Du ${formatDate(startsOn)} au ${formatDate(endsOn)}.`,
    },
  ];
  const prorata = prorataOf(formula, startsOn, endsOn);
  if (prorata) lines.push(prorata);
  const discount = discountOf(formula, profile, sumOf(lines));
  if (discount) lines.push(discount);
  for (const { name, summary, priceCents } of options) {
    lines.push({ kind: "option", label: name, amountCents: priceCents, why: summary });
  }
  return { lines, totalCents: sumOf(lines), startsOn, endsOn };
}

const sumOf = (lines: readonly PriceLine[]): number =>
  lines.reduce((sum, { amountCents }) => sum + amountCents, 0);

function prorataOf(formula: Formula, startsOn: string, endsOn: string): PriceLine | null {
  if (formula.term !== "school") return null;
  const left = monthsBegun(startsOn, endsOn);
  const months = Math.max(left, limits.leastMonths);
  if (months >= 12) return null;
  const least = months > left ? ` Trois mois sont dus au minimum.` : "";
  return {
    kind: "prorata",
    label: `${months} mois sur 12`,
    amountCents: Math.round((formula.yearCents * months) / 12) - formula.yearCents,
    why: `Il reste ${plural(left, "mois", "mois")} d’ici au ${formatDate(endsOn)}.${least}`,
  };
}

function discountOf(formula: Formula, profile: Profile, baseCents: number): PriceLine | null {
  const earned = formula.discounts
    .filter((one) => applies(one, profile))
    .toSorted((a, b) => b.percent - a.percent);
  const best = earned[0];
  if (!best) return null;
  const other = earned.find((one) => one.kind !== best.kind);
  const exclusion = other ? ` La réduction ${reasonOf(other)} ne s’y ajoute pas.` : "";
  return {
    kind: "discount",
    label: `Réduction de ${best.percent}\u202f%`,
    amountCents: -Math.ceil((baseCents * best.percent) / 100),
    why: `Accordée ${reasonOf(best)}.${exclusion}`,
  };
}

function applies(discount: Discount, { age, quotient }: Profile): boolean {
  if (discount.kind === "quotient") return quotient !== null && quotient <= discount.upTo;
  if (age === null) return false;
  return age < (discount.under ?? Infinity) && age >= (discount.from ?? 0);
}

// The payer may be of another household: the quotient itself is not shown, its bracket is.
function reasonOf(discount: Discount): string {
  if (discount.kind === "quotient") return `pour un quotient familial de ${discount.upTo} ou moins`;
  if (discount.under !== undefined) return `aux moins de ${discount.under} ans`;
  return `à partir de ${discount.from} ans`;
}

/** Each condition of a formula, with the known facts about the person. */
export function conditionsOf(formula: Formula, { age, student, quotient }: Profile): Condition[] {
  const conditions: Condition[] = [];
  const { minAge, maxAge, maxQuotient } = formula;
  if (minAge !== null || maxAge !== null) {
    const fits = age !== null && age >= (minAge ?? 0) && age <= (maxAge ?? Infinity);
    const met = age === null ? "to_prove" : fits ? "yes" : "no";
    conditions.push({ kind: "age", met, says: agesOf(minAge, maxAge) });
  }
  if (formula.student) {
    const says = "Suivre une scolarité ou des études.";
    conditions.push({ kind: "student", met: student ? "yes" : "to_prove", says });
  }
  if (maxQuotient !== null) {
    const met = quotient === null ? "to_prove" : quotient <= maxQuotient ? "yes" : "no";
    const says = `Avoir un quotient familial de ${maxQuotient} ou moins.`;
    conditions.push({ kind: "quotient", met, says });
  }
  return conditions;
}

function agesOf(minAge: number | null, maxAge: number | null): string {
  if (maxAge === null) return `Avoir ${minAge} ans ou plus.`;
  if (minAge === null) return `Avoir ${maxAge} ans ou moins.`;
  return `Avoir de ${minAge} à ${maxAge} ans.`;
}

const proofs = { age: "identity", student: "schooling", quotient: "quotient" } as const;

/** The proofs that a formula requires of a person: its own, and one for each unknown fact. */
export function proofsFor(
  formula: Formula,
  conditions: readonly Condition[],
): SubscriptionProofKind[] {
  const unknown = conditions.filter(({ met }) => met === "to_prove");
  return [...formula.documents, ...unknown.map(({ kind }) => proofs[kind])];
}

/** Why a price differs from the one at which a formula was chosen, null when it is the same. */
export function priceChangeOf(chosen: Formula, now: Formula): string | null {
  if (chosen.version === now.version || chosen.yearCents === now.yearCents) return null;
  const [before, after] = [chosen.yearCents, now.yearCents].map((cents) => formatMoney(cents));
  return `Le prix de la formule ${now.name} a changé le ${formatDate(now.since)}\u202f: il passe de ${before} à ${after} par an.`;
}
