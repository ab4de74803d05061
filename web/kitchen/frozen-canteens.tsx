// The notice to whoever serves while the operator has frozen their provider.
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Link } from "#web/ui/link.tsx";

/** Why these canteens sell nothing, and what is done there all the same; nothing where none is frozen. */
export function FrozenCanteens({ canteens }: { canteens: readonly OwnCanteen[] }) {
  const frozen = canteens.filter(({ frozenWhy }) => frozenWhy);
  if (frozen.length === 0) return null;
  const reasons = [...new Set(frozen.map(({ frozenWhy }) => frozenWhy))];
  return (
    <Banner
      tone="warning"
      title={`${frozen.map(({ name }) => name).join(", ")}\u202f: ${frozen.length > 1 ? "restaurants arrêtés" : "restaurant arrêté"} par le réseau.`}
    >
      Motif{"\u202f"}: {reasons.join(", ")}. Les familles n’y commandent plus, et aucune cagnotte
      n’y paie un repas sans commande. Vous servez toujours les repas déjà commandés, et un repas
      sans commande payé en espèces.{" "}
      <Link href={linkTo(paths.contact, {}, { write: "1" })}>Nous écrire</Link>
    </Banner>
  );
}
