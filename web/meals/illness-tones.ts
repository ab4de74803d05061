// How the states of an illness look.
import type { IllnessState } from "#contract/meals/states.ts";
import type { Tone } from "#web/ui/banner.tsx";

export const illnessTones: Readonly<Record<IllnessState, Tone | "neutral">> = {
  announced: "info",
  awaited: "warning",
  sent: "info",
  refused: "danger",
  accepted: "success",
  unproven: "danger",
  withdrawn: "neutral",
};
