// The price of a subscription, line by line: reductions, months left, options, and eligibility.
import { describe, expect, test } from "vitest";
import { addMonths, monthsBegun, schoolYearEnd } from "#contract/days.ts";
import type { Profile } from "#server/entitlements/entitlements.ts";
import { conditionsOf, type Formula, proofsFor, quoteOf } from "./price.ts";

const formula = (more: Partial<Formula> = {}): Formula => ({
  code: "essentiel",
  version: 1,
  name: "Essentiel",
  summary: "",
  opens: [],
  yearCents: 2400,
  term: "year",
  minAge: null,
  maxAge: null,
  student: false,
  maxQuotient: null,
  coversChildren: false,
  documents: [],
  discounts: [
    { kind: "quotient", upTo: 700, percent: 50 },
    { kind: "quotient", upTo: 1200, percent: 25 },
    { kind: "age", under: 18, percent: 30 },
    { kind: "age", from: 65, percent: 30 },
  ],
  since: new Date(0),
  ...more,
});
const somebody: Profile = { age: 40, student: false, disability: false, quotient: null };
const seen = (one: ReturnType<typeof quoteOf>) =>
  one.lines.map(({ kind, amountCents }) => `${kind} ${amountCents}`);

describe("reductions", () => {
  test.each([
    [40, null, ["formula 2400"]],
    [40, 1200, ["formula 2400", "discount -600"]],
    [40, 1201, ["formula 2400"]],
    [40, 700, ["formula 2400", "discount -1200"]],
    [17, null, ["formula 2400", "discount -720"]],
    [18, null, ["formula 2400"]],
    [65, null, ["formula 2400", "discount -720"]],
    [17, 700, ["formula 2400", "discount -1200"]],
    [17, 1000, ["formula 2400", "discount -720"]],
    [null, null, ["formula 2400"]],
  ])("age %s, quotient %s", (age, quotient, lines) => {
    expect(seen(quoteOf(formula(), [], { ...somebody, age, quotient }, "2026-11-21"))).toEqual(
      lines,
    );
  });

  test("the best one counts, says why, and that the other is not added", () => {
    const { lines } = quoteOf(formula(), [], { ...somebody, age: 17, quotient: 640 }, "2026-11-21");
    expect(lines[1]?.why).toBe(
      "Accordée pour un quotient familial de 700 ou moins. La réduction aux moins de 18 ans ne s’y ajoute pas.",
    );
    expect(JSON.stringify(lines)).not.toContain("640");
  });

  test("an odd price is rounded for the holder, and every line adds up to the total", () => {
    const quote = quoteOf(
      formula({ yearCents: 1999 }),
      [{ code: "sms", name: "SMS", summary: "", priceCents: 300 }],
      { ...somebody, quotient: 1000 },
      "2026-11-21",
    );
    expect(seen(quote)).toEqual(["formula 1999", "discount -500", "option 300"]);
    expect(quote.totalCents).toBe(1799);
  });
});

describe("spans", () => {
  test.each([
    ["2026-11-21", "2027-11-20"],
    ["2027-02-28", "2028-02-27"],
    ["2028-02-29", "2029-02-27"],
    ["2026-01-01", "2026-12-31"],
  ])("a year from %s", (from, to) => {
    expect(quoteOf(formula(), [], somebody, from)).toMatchObject({ startsOn: from, endsOn: to });
  });

  test.each([
    ["2026-09-01", ["formula 1800"], 1800],
    ["2026-11-21", ["formula 1800", "prorata -300"], 1500],
    ["2027-06-30", ["formula 1800", "prorata -1350"], 450],
    ["2027-08-31", ["formula 1800", "prorata -1350"], 450],
  ])("a school year from %s", (from, lines, total) => {
    const school = formula({ term: "school", yearCents: 1800, discounts: [] });
    const quote = quoteOf(school, [], somebody, from);
    expect([seen(quote), quote.totalCents, quote.endsOn]).toEqual([lines, total, "2027-08-31"]);
  });

  test("months and years turn where they should", () => {
    expect(addMonths("2027-01-31", 1)).toBe("2027-02-28");
    expect(addMonths("2027-03-31", -1)).toBe("2027-02-28");
    expect(schoolYearEnd("2026-08-31")).toBe("2026-08-31");
    expect(schoolYearEnd("2026-09-01")).toBe("2027-08-31");
    expect(monthsBegun("2026-12-31", "2027-01-01")).toBe(2);
  });
});

describe("conditions", () => {
  const strict = formula({
    minAge: 11,
    maxAge: 28,
    student: true,
    maxQuotient: 500,
    documents: ["photo"],
  });
  const met = (profile: Record<string, unknown>) =>
    conditionsOf(strict, { ...somebody, ...profile }).map((one) => one.met);

  test("what is known decides, what is not is to be proved by its paper", () => {
    expect(met({ age: 20, student: true, quotient: 500 })).toEqual(["yes", "yes", "yes"]);
    expect(met({ age: 29, quotient: 501 })).toEqual(["no", "to_prove", "no"]);
    expect(met({ age: null })).toEqual(["to_prove", "to_prove", "to_prove"]);
    const unknown = conditionsOf(strict, { ...somebody, age: null });
    expect(proofsFor(strict, unknown)).toEqual(["photo", "identity", "schooling", "quotient"]);
    const known = conditionsOf(strict, { ...somebody, age: 11, student: true, quotient: 1 });
    expect(proofsFor(strict, known)).toEqual(["photo"]);
  });
});
