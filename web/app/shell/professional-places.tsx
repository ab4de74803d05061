// The places of the menu that a professional has for what their company runs and their roles open: canteens, a
// counter, the transport of its employees.
import { useEffect } from "react";
import { api } from "#contract/api.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { isOpenTo } from "#web/app/shared/own-roles.tsx";
import { useAnswer } from "#web/app/transport/answers.ts";
import type { Place } from "./shell.tsx";

/** Of who runs canteens. */
const desk: readonly Place[] = [
  { href: paths.canteenDesk, label: "Cantine", icon: "meal" },
  { href: paths.mealCounter, label: "Guichet", icon: "qr" },
  { href: paths.canteenFollowUp, label: "Suivi", icon: "calendar" },
];

/** Of whose company sells at a counter. */
const till: Place = { href: paths.till, label: "Caisse", icon: "wallet" };

/** Of who sees more of their company than its counter. */
const office: readonly Place[] = [
  { href: paths.invoices, label: "Factures", icon: "document" },
  { href: paths.proCards, label: "Cartes pro", icon: "card" },
];

/** Of anyone who acts for a company. */
const company: readonly Place[] = [
  { href: paths.partnerships, label: "Partenaires", icon: "swap" },
  { href: paths.company, label: "Entreprise", icon: "people" },
];

/** Of who sells by either or runs a bus network, and may see its money. */
const settlements: Place = {
  href: paths.settlements,
  label: "Règlements",
  icon: "document",
};

/** After so long the menu is drawn without them: they move it when they come. */
const maxWaitMs = 4000;

/** Tells the shell these places once they are known, and draws nothing itself. */
export function ProfessionalPlaces({ onPlaces }: { onPlaces: (places: readonly Place[]) => void }) {
  const answers = [
    useAnswer(api.canteen.ownCanteens, {}),
    useAnswer(api.till.counters, {}),
    useAnswer(api.companies.mine, {}),
    useAnswer(api.commuting.plans, {}),
  ] as const;
  const [kitchens, tills, mine, plans] = answers;
  const isKnown = !answers.some(({ isPending }) => isPending);
  const canteens = kitchens.data?.items.length ?? 0;
  const counters = tills.data?.items.length ?? 0;
  const roles = mine.data?.company?.roles;
  const transit = plans.data;
  const plan = transit?.items[0];
  const sells = canteens + counters > 0 || transit?.runsNetwork === true;
  const transport = plan?.code
    ? linkTo(paths.employeeTransport, { code: plan.code, id: plan.service })
    : null;
  useEffect(() => {
    if (isKnown) return;
    const late = setTimeout(() => onPlaces([]), maxWaitMs);
    return () => clearTimeout(late);
  }, [isKnown, onPlaces]);
  useEffect(() => {
    // All at once: the menu moves once, not four times.
    if (isKnown)
      onPlaces(
        [
          ...(canteens > 0 ? desk : []),
          ...(counters > 0 ? [till] : []),
          ...(sells ? [settlements] : []),
          ...(transport === null
            ? []
            : [{ href: transport, label: "Transport", icon: "bus" } as const]),
          ...(roles === undefined ? [] : [...office, ...company]),
        ].filter(({ href }) => isOpenTo(href, roles ?? [])),
      );
  }, [isKnown, canteens, counters, sells, transport, roles, onPlaces]);
  return null;
}
