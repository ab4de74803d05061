// The end of a purchase: what happened, the pass, and what comes next.
import { useAnswer } from "#web/app/transport/answers.ts";
import { api } from "#contract/api.ts";
import { ofName } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import type { PassOrder } from "#contract/passes/rows.ts";
import { paths } from "#contract/paths.ts";
import { PaidOrder } from "#web/checkout/paid-order.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { passPath, whenOf } from "./pass-labels.ts";

export function PurchaseDone({ order }: { order: PassOrder }) {
  const { group, cardnumber, holder } = order;
  const answer = useAnswer(
    api.passes.one,
    { pass: order.pass ?? "" },
    { enabled: order.pass !== null },
  );
  const pass = answer.data;
  const href = passPath({ idgroup: group.idgroup, id: order.pass ?? "", cardnumber });
  return (
    <PaidOrder
      order={order.id}
      title="Le titre est prêt"
      words={[`Montrez son QR code à bord. Vous le retrouvez dans les titres ${ofName(holder)}.`]}
      facts={[
        { label: "Voyageur", value: holder },
        pass ? { label: "Validité", value: whenOf(pass) } : null,
      ]}
      acts={
        <>
          <ButtonLink kind="primary" icon="qr" href={href}>
            Afficher le QR code
          </ButtonLink>
          <ButtonLink href={linkTo(paths.fares, { group: group.idgroup })}>
            Acheter un autre titre
          </ButtonLink>
        </>
      }
    />
  );
}
