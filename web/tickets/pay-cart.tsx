// Who pays the cart, and the one button.
import { useNavigate } from "@tanstack/react-router";
import { api } from "#contract/api.ts";
import { plural } from "#contract/french.ts";
import { wireSearch } from "#contract/link-to.ts";
import type { Cart } from "#contract/tickets/cart.ts";
import { call } from "#web/app/transport/api.ts";
import { PayWith } from "#web/checkout/pay-with.tsx";

export function PayCart({ cart }: { cart: Cart }) {
  const navigate = useNavigate();
  return (
    <PayWith
      totalCents={cart.totalCents}
      idgroup={null}
      cardnumbers={cart.lines.map(({ cardnumber }) => cardnumber)}
      begun={cart.payment?.id}
      summary={plural(
        cart.lines.reduce((sum, { quantity }) => sum + quantity, 0),
        "billet",
      )}
      freeLabel="Obtenir mes billets"
      once="un panier n’est payé qu’une fois"
      attempt={(paying) =>
        call(api.tickets.pay, { order: cart.id, totalCents: cart.totalCents, ...paying })
      }
      onPaid={({ payment }) => {
        const search = wireSearch<"tickets">({ order: cart.id, payment: payment?.topUp });
        return navigate({ to: ".", search, replace: true });
      }}
    />
  );
}
