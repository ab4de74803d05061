// The colour of a registration's state.
import type { RegistrationState } from "#contract/meals/states.ts";
import type { Tone } from "#web/ui/banner.tsx";

export const registrationTones: Readonly<Record<RegistrationState, Tone | "neutral">> = {
  requested: "info",
  accepted: "success",
  refused: "danger",
  ended: "neutral",
};
