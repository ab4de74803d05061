// The cart in a line, on top of the pages of e-tickets.
import { plural } from "#contract/french.ts";
import { Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Countdown } from "#web/ui/person.tsx";
import { ticketPath, useCart } from "./cards.ts";

/** The cart in a line, wherever one is on these pages. */
export function CartBar() {
  const { data, refetch } = useCart();
  if (!data?.cart) return null;
  const { cart, skewMs } = data;
  const count = cart.lines.reduce((sum, line) => sum + line.quantity, 0);
  const see = <ButtonLink href={ticketPath({ panier: "" })}>Voir le panier</ButtonLink>;
  if (cart.state === "expired") {
    return (
      <Banner tone="warning" title="Vos places ne sont plus réservées." actions={see}>
        Rien n’a été débité. Vous pouvez réessayer.
      </Banner>
    );
  }
  return (
    <Banner title={`${plural(count, "place")} dans votre panier`} actions={see}>
      Encore <Countdown until={cart.expiresAt} skewMs={skewMs} onEnd={() => void refetch()} /> pour
      payer.
    </Banner>
  );
}
