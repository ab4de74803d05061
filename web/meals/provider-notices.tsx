// What is said above the week of a provider: that it takes no orders, or that what was chosen is ordered.
import { paths } from "#contract/paths.ts";
import { Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";

export const OrdersSuspended = () => (
  <Banner tone="warning" title="Les commandes sont suspendues.">
    Cette cantine ne prend plus de commandes pour l’instant. Les repas déjà commandés restent, et
    s’annulent comme d’habitude.
  </Banner>
);

/** Ordered in another tab, or by an act whose answer was lost: the days below tell. */
export const NothingToOrder = () => (
  <Banner
    title="Aucun repas n’attend d’être commandé."
    actions={<ButtonLink href={paths.meals}>Voir les repas commandés</ButtonLink>}
  >
    Un repas commandé n’est payé qu’une fois.
  </Banner>
);
