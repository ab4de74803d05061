// The payment of a draft: at once, then the money is on the cards.
import { api } from "#contract/api.ts";
import type { GrantView } from "#contract/grants/rows.ts";
import { readAgain } from "#web/app/answers.ts";
import { call } from "#web/app/api.ts";
import { PayWith } from "#web/checkout/pay-with.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { notify } from "#web/ui/toast.tsx";
import styles from "./grants.module.css";

export function PayGrant({
  grant: { id, totalCents, topUp, paymentFailed },
  onPaid,
}: {
  grant: GrantView;
  onPaid: () => void;
}) {
  return (
    <div className={styles.step}>
      {paymentFailed && (
        <Banner tone="warning" title="Le dernier paiement n’a pas abouti.">
          {paymentFailed} La dotation est intacte&#8239;: vous pouvez payer de nouveau.
        </Banner>
      )}
      <PayWith
        totalCents={totalCents}
        idgroup={null}
        cardnumbers={[]}
        ownMoney
        begun={topUp}
        freeLabel="Accorder"
        once="la dotation n’est payée qu’une fois"
        attempt={(paying) => call(api.grants.pay, { grant: id, totalCents, ...paying })}
        onPaid={(paid) => {
          if (paid.payment !== null) return;
          notify({ text: "L’argent est sur les cartes. Leurs porteurs sont prévenus." });
          onPaid();
        }}
        onRefused={() => void readAgain(api.grants.read)}
      />
    </div>
  );
}
