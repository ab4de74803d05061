// Why a price is not for the person of a card, and the way to prove what is not known.
import { paths } from "#contract/paths.ts";
import type { EventView } from "#contract/tickets/rows.ts";
import { isProvableLack, type Lack } from "#contract/tickets/states.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Link } from "#web/ui/link.tsx";

const words: Readonly<Record<Lack, string>> = {
  age: "âge",
  birthday: "date de naissance non justifiée",
  schooling: "scolarité non justifiée",
  quotient: "quotient familial non justifié",
  quotient_above: "quotient familial trop élevé",
};

/** « scolarité non justifiée, âge ». */
export const lackWords = (lacks: readonly Lack[]): string =>
  lacks.map((lack) => words[lack]).join(", ");

/** Nothing where no proof gives any of these prices: each lacks what no document changes. */
export function SendProof({
  categories,
}: {
  categories: readonly Pick<EventView["categories"][number], "lacks">[];
}) {
  const isProvable = categories.some(
    ({ lacks }) => lacks.length > 0 && lacks.every(isProvableLack),
  );
  return isProvable && <Link href={paths.entitlements}>Envoyer un justificatif</Link>;
}

/** Of a session that is sold out, for a card that no price is for. */
export const NoPrice = ({ event }: { event: EventView }) => (
  <Banner title="Cette séance est complète.">
    Aucun de ses tarifs n’est valable pour cette carte&#8239;: elle ne peut pas rejoindre la liste
    d’attente. <SendProof categories={event.categories} />
  </Banner>
);
