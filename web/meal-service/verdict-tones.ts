// How each verdict of the canteen's counter looks and sounds.
import type { CounterPerson, Verdict } from "#contract/meal-service/counter.ts";
import type { VerdictTone } from "#web/ui/verdict.tsx";

const tones: Readonly<Record<Verdict, VerdictTone>> = {
  served: "success",
  already: "warning",
  to_validate: "warning",
  other_day: "warning",
  no_order: "warning",
  opposed: "danger",
  suspended: "danger",
  out_of_use: "danger",
  unregistered: "danger",
  late_code: "danger",
  forged: "danger",
};

/** Whether a dish that the person is served is known to hold an allergen of theirs. */
export const hasAllergenAtTable = (person: CounterPerson | null): boolean =>
  (person?.warning?.allergens.length ?? 0) > 0;

/** A meal that may be served is no plain success where the day's menu holds an allergen of the person. */
export function toneOf(verdict: Verdict, person: CounterPerson | null = null): VerdictTone {
  const tone = tones[verdict];
  return tone === "success" && person?.warning ? "warning" : tone;
}
