// How orders of cards are shown.
import type { CardOrderState } from "#contract/card-orders/states.ts";
import type { Tone } from "#web/ui/banner.tsx";

export const tones: Readonly<Record<CardOrderState, Tone | "neutral">> = {
  draft: "neutral",
  ordered: "info",
  in_production: "info",
  shipped: "info",
  delivered: "success",
  cancelled: "neutral",
};
