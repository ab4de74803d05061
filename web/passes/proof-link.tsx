// Where to send the proof that would lower a price, or give the right to a fare.
import { paths } from "#contract/paths.ts";
import { useMinor } from "#web/cards/use-minor.ts";
import { Link } from "#web/ui/link.tsx";

/** Nothing where no proof would change it; a child leaves it to its guardian (spec.md 31). */
export function ProofLink({
  offer: { provable, price },
}: {
  offer: { provable: boolean; price: { cents: number; fullCents: number } };
}) {
  const minor = useMinor();
  if (!provable || minor !== false) return null;
  return (
    <Link href={paths.entitlements}>
      {price.cents < price.fullCents
        ? "Payer moins avec un justificatif"
        : "Envoyer un justificatif"}
    </Link>
  );
}
