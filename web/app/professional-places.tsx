// The places of the menu that a professional has for what their company runs: canteens, a counter.
import { useEffect } from "react";
import { api } from "#contract/api.ts";
import { useAnswer } from "./answers.ts";
import type { Place } from "./shell/shell.tsx";

/** Of who runs canteens. */
const desk: readonly Place[] = [
  { href: "/pro/cantine", label: "Cantine", icon: "meal" },
  { href: "/partenaire/validation", label: "Guichet", icon: "qr" },
  { href: "/partenaire/Suivi_cantine", label: "Suivi", icon: "calendar" },
];

/** Of whose company sells at a counter. */
const till: Place = { href: "/partenaire/caisse", label: "Caisse", icon: "wallet" };

/** Tells the shell these places once they are known, and draws nothing itself. */
export function ProfessionalPlaces({ onPlaces }: { onPlaces: (places: readonly Place[]) => void }) {
  const canteens = useAnswer(api.canteen.ownCanteens, {}).data?.items.length ?? 0;
  const counters = useAnswer(api.till.counters, {}).data?.items.length ?? 0;
  useEffect(
    () => onPlaces([...(canteens > 0 ? desk : []), ...(counters > 0 ? [till] : [])]),
    [canteens, counters, onPlaces],
  );
  return null;
}
