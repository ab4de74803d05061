// The end of an order of meals: what was set aside, from where, and what comes next.
import { paths } from "#contract/paths.ts";
import { PaidOrder } from "#web/checkout/paid-order.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";

export const PaidMeals = ({ order, onClose }: { order: string; onClose: () => void }) => (
  <PaidOrder
    order={order}
    title="Vos repas sont commandés"
    words={[
      "Le prix est mis de côté, et dépensé quand chaque repas est servi. Vous pouvez annuler un repas dans la liste ci-dessous.",
    ]}
    acts={
      <>
        <ButtonLink kind="primary" icon="plus" href={paths.canteenProviders}>
          Commander d’autres repas
        </ButtonLink>
        <Button onClick={onClose}>Fermer ce récapitulatif</Button>
      </>
    }
  />
);
