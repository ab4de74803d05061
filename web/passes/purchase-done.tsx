// The end of a purchase: what happened, the pass, and what comes next.
import { useAnswer } from "#web/app/answers.ts";
import { api } from "#contract/api.ts";
import { formatMoney, ofName } from "#contract/french.ts";
import type { PassOrder } from "#contract/passes/rows.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { Picture } from "#web/ui/picture.tsx";
import { passPath, whenOf } from "./pass-labels.ts";
import styles from "./passes.module.css";

export function PurchaseDone({ order }: { order: PassOrder }) {
  const { group, cardnumber, holder, product, price } = order;
  const answer = useAnswer(
    api.passes.one,
    { pass: order.pass ?? "" },
    { enabled: order.pass !== null },
  );
  const pass = answer.data;
  const shown = passPath({ idgroup: group.idgroup, id: order.pass ?? "", cardnumber });
  return (
    <div className={styles.purchaseDone}>
      <Picture icon="check" tone="success" />
      <h2 className={styles.purchaseHeading}>Le titre est prêt</h2>
      <p>Montrez son QR code à bord. Vous le retrouvez dans les titres {ofName(holder)}.</p>
      <DefinitionList
        items={[
          { label: "Titre", value: product.name },
          { label: "Voyageur", value: holder },
          pass ? { label: "Validité", value: whenOf(pass) } : null,
          { label: "Payé", value: formatMoney(price.totalCents) },
        ]}
      />
      <div className={styles.passActs}>
        <ButtonLink kind="primary" icon="qr" href={shown}>
          Afficher le QR code
        </ButtonLink>
        <ButtonLink href={`/Abonnement/ligne/${group.idgroup}`}>Acheter un autre titre</ButtonLink>
      </div>
    </div>
  );
}
