// A discount as it is typed: whole percents.
import type { ComponentProps } from "react";
import { partnerships as limits } from "#contract/partners/partnership-limits.ts";
import { TextInput } from "#web/ui/input.tsx";

/** The percent that is typed, 0 for nothing; not a number for what is none, « 1e1 » as well. */
export const percentIn = (typed: string): number =>
  /^\d{0,3}$/.test(typed.trim()) ? Number(typed.trim()) : Number.NaN;

export const percentFault = (typed: string): string | false => {
  const percent = percentIn(typed);
  const isGood = Number.isInteger(percent) && percent >= 0 && percent <= limits.maxPercent;
  return !isGood && `Donnez un nombre entier de 0 à ${limits.maxPercent}.`;
};

export const PercentInput = (
  props: Pick<ComponentProps<typeof TextInput>, "label" | "value" | "onValue" | "error">,
) => <TextInput {...props} inputMode="numeric" autoComplete="off" maxLength={3} />;
