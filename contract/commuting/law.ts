// French law on the employer's part of the passes with which employees come to work. Amounts in cents; each
// figure with its source and the day from which it applies.
import type { FareKind } from "../passes/states.ts";

/** The least that an employer pays of a subscription, in percent of its price. */
export const employerMinimum = {
  percent: 50,
  since: "2009-01-01",
  source: "Code du travail, articles L3261-2 et R3261-1",
} as const;

/** Up to which part of the price the share bears neither contributions nor income tax. */
const exemptions = [
  {
    since: "2009-01-01",
    until: null,
    percent: 50,
    source: "Code général des impôts, article 81, 19° ter, a",
  },
  {
    since: "2022-01-01",
    until: "2026-12-31",
    percent: 75,
    source:
      "Loi n° 2022-1157 du 16 août 2022, article 2, III, prolongée jusqu’au 31/12/2026 par la loi de finances pour 2026",
  },
] as const;

/** The exemption in force on a day: the last that began and has not ended. */
export function exemptionOn(day: string): (typeof exemptions)[number] {
  const inForce = exemptions.filter(
    ({ since, until }) => since <= day && (until === null || day <= until),
  );
  return inForce.at(-1) ?? exemptions[0];
}

/** Subscriptions alone are shared (article R3261-2): no single ticket, no day, no pupil. */
export const sharedKinds = ["month", "year"] as const satisfies readonly FareKind[];
export type SharedKind = (typeof sharedKinds)[number];
export const isShared = (kind: FareKind): kind is SharedKind =>
  (sharedKinds as readonly FareKind[]).includes(kind);

/** The employer's part of a price, rounded to the cent in the employee's favour. */
export const employerShareOf = (priceCents: number, percent: number): number =>
  Math.ceil((priceCents * percent) / 100);

/** Over how many months of payroll a pass is spread: a yearly one over its use (article R3261-4). */
export const payrollMonths: Readonly<Record<SharedKind, number>> = { month: 1, year: 12 };
