// How each verdict of the canteen's counter looks and sounds.
import type { Verdict } from "#contract/canteen/counter.ts";
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
export const toneOf = (verdict: Verdict): VerdictTone => tones[verdict];
