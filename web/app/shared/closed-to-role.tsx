import { paths } from "#contract/paths.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/state.tsx";

/** In the place of a screen that the roles of a professional do not open. */
export const ClosedToRole = () => (
  <EmptyState
    icon="lock"
    title="Cet écran n’est pas ouvert à votre rôle"
    action={<ButtonLink href={paths.dashboard}>Retour à l’accueil</ButtonLink>}
  >
    Demandez au responsable de votre entreprise.
  </EmptyState>
);
