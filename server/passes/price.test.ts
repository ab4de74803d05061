// The price of a pass with its reason, and who may not have it.
import { describe, expect, test } from "vitest";
import {
  ineligibilityOf,
  isProvable,
  type PricedProduct,
  priceOf,
  type Reduction,
  type Rider,
} from "./price.ts";

const everybody = { youngest: null, oldest: null, studentsOnly: false };
const less = (one: Partial<Reduction> & Pick<Reduction, "label" | "priceCents">): Reduction => ({
  ...everybody,
  quotientUpTo: null,
  ...one,
});
const monthly: PricedProduct = {
  ...everybody,
  name: "Mensuel",
  priceCents: 4400,
  lateFeeCents: 1500,
  reductions: [
    less({ label: "Quotient jusqu’à 700", priceCents: 1100, quotientUpTo: 700 }),
    less({ label: "Quotient jusqu’à 1 000", priceCents: 2200, quotientUpTo: 1000 }),
    less({ label: "Tarif jeune", priceCents: 2650, oldest: 25 }),
    less({ label: "Tarif étudiant", priceCents: 2000, studentsOnly: true }),
  ],
};
const rider = (one: Partial<Rider>): Rider => ({ age: 40, student: false, quotient: null, ...one });
const of = (one: Partial<Rider>, late = false) => {
  const { cents, reason } = priceOf(monthly, rider(one), late);
  return [cents, reason.split(" : ")[0]];
};

describe("the price", () => {
  test("the lowest that applies is paid, and its own words say why", () => {
    expect(of({ quotient: 700 })).toEqual([1100, "Quotient jusqu’à 700"]);
    expect(of({ quotient: 701 })).toEqual([2200, "Quotient jusqu’à 1 000"]);
    expect(of({ age: 25 })).toEqual([2650, "Tarif jeune"]);
    expect(of({ age: 26, quotient: 1001 })).toEqual([4400, "Plein tarif"]);
    expect(of({ age: 26, quotient: 1001, student: true })[0]).toBe(2000);
    expect(of({ age: 25, quotient: 900 })).toEqual([2200, "Quotient jusqu’à 1 000"]);
    expect(of({ student: true, quotient: 900 })).toEqual([2000, "Tarif étudiant"]);
  });

  test("what is not known reduces nothing and is said; the quotient itself never is", () => {
    expect(of({ age: null })[0]).toBe(4400);
    expect(priceOf(monthly, rider({ age: null }), false).reason).toBe(
      "Plein tarif : aucun quotient familial validé, aucun certificat de scolarité validé, date de naissance inconnue.",
    );
    // Only proofs that would lower it: neither a quotient that is too high nor an age that does not fit is
    // missing.
    expect(priceOf(monthly, rider({ quotient: 1001 }), false).reason).toBe(
      "Plein tarif : aucun certificat de scolarité validé.",
    );
    const pupils = less({ label: "Tarif élève", priceCents: 900, oldest: 17, studentsOnly: true });
    const full = { ...monthly, reductions: [pupils] };
    expect(priceOf(full, rider({ age: 40 }), false).reason).toBe("Plein tarif.");
    expect(priceOf(full, rider({ age: 12 }), false).reason).toBe(
      "Plein tarif : aucun certificat de scolarité validé.",
    );
    expect(priceOf(monthly, rider({ quotient: 613 }), false).reason).not.toContain("613");
  });

  test("a proof that would change it is asked for, and no other", () => {
    expect(isProvable(monthly, rider({}))).toBe(true);
    expect(isProvable(monthly, rider({ age: 25 }))).toBe(true);
    expect(isProvable(monthly, rider({ quotient: 300 }))).toBe(false);
    expect(isProvable(monthly, rider({ quotient: 1001, student: true }))).toBe(false);
    const school = { ...monthly, youngest: 3, oldest: 20, studentsOnly: true, reductions: [] };
    expect(isProvable(school, rider({ age: 12 }))).toBe(true);
    expect(isProvable(school, rider({ age: null, student: true }))).toBe(true);
    expect(isProvable(school, rider({ age: 12, student: true }))).toBe(false);
    expect(isProvable(school, rider({ age: 40 }))).toBe(false);
  });

  test("the late fee is beside the price, never reduced", () => {
    expect(priceOf(monthly, rider({ quotient: 1 }), true)).toMatchObject({
      cents: 1100,
      lateFeeCents: 1500,
      totalCents: 2600,
      fullCents: 4400,
    });
  });
});

describe("who may not have it", () => {
  const school = { youngest: 3, oldest: 20, studentsOnly: true };
  test.each([
    [{ age: 2, student: true }, /de 3 à 20 ans/],
    [{ age: 21, student: true }, /de 3 à 20 ans/],
    [{ age: null, student: true }, /date de naissance n’est pas connue/],
    [{ age: 20, student: false }, /certificat de scolarité/],
  ])("%j", (one, expected) => {
    expect(ineligibilityOf(school, rider(one))).toMatch(expected);
  });

  test("whoever fits may", () => {
    expect(ineligibilityOf(school, rider({ age: 3, student: true }))).toBeNull();
    expect(ineligibilityOf(everybody, rider({ age: null }))).toBeNull();
  });
});
