// The payment of a draft: at once, then the money is on the cards; or by a transfer, then it is there once the
// transfer has come, or at once where the operator lets the company owe it.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney, plural } from "#contract/french.ts";
import { grants as limits } from "#contract/grants/limits.ts";
import type { GrantView } from "#contract/grants/rows.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { RefusedBanner } from "#web/app/shared/refused-banner.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { PayWith } from "#web/checkout/pay-with.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { Stack } from "#web/ui/stack.tsx";

export function PayGrant({ grant, onPaid }: { grant: GrantView; onPaid: () => void }) {
  const { byTransfer, paymentFailed } = grant;
  const [how, setHow] = useState<"now" | "transfer">("now");
  return (
    <Stack gap={20}>
      {paymentFailed && (
        <Banner tone="warning" title="Le dernier paiement n’a pas abouti.">
          {paymentFailed} La dotation est intacte&#8239;: vous pouvez payer de nouveau.
        </Banner>
      )}
      {byTransfer !== "no" && (
        <RadioGroup
          label="Règlement"
          boxed
          options={[
            {
              value: "now",
              label: "Payer maintenant",
              hint: "Avec votre cagnotte ou par carte bancaire.",
            },
            {
              value: "transfer",
              label: "Par virement",
              hint:
                byTransfer === "credit"
                  ? `L’argent est tout de suite sur les cartes, à régler sous ${limits.transferDays} jours.`
                  : "L’argent est sur les cartes dès que le virement est reçu.",
            },
          ]}
          value={how}
          onValue={setHow}
        />
      )}
      {how === "transfer" && byTransfer !== "no" ? (
        <ByTransfer grant={grant} />
      ) : (
        <PayNow grant={grant} onPaid={onPaid} />
      )}
    </Stack>
  );
}

function PayNow({
  grant: { id, totalCents, topUp, lines },
  onPaid,
}: {
  grant: GrantView;
  onPaid: () => void;
}) {
  return (
    <PayWith
      totalCents={totalCents}
      idgroup={null}
      cardnumbers={[]}
      ownMoney
      begun={topUp}
      summary={plural(lines.length, "carte")}
      freeLabel="Accorder"
      once="la dotation n’est payée qu’une fois"
      attempt={(paying) => call(api.grants.pay, { grant: id, totalCents, ...paying })}
      onPaid={(paid) => {
        if (paid.payment === null) onPaid();
      }}
    />
  );
}

function ByTransfer({ grant: { id, totalCents, byTransfer } }: { grant: GrantView }) {
  const ask = useAction(
    (_: void, proof) => call(api.grants.payByTransfer, { grant: id, ...proof }),
    {
      says: ({ state }) =>
        state === "granted" ? "L’argent est sur les cartes. Leurs porteurs sont prévenus." : null,
      onDone: (answer) => queryClient.setQueryData(keyOf(api.grants.read, { grant: id }), answer),
    },
  );
  return (
    <Stack gap={20}>
      {ask.problem && (
        <RefusedBanner
          problem={ask.problem}
          title="Rien n’a été demandé."
          unknown="Nous ne savons pas encore si la demande est passée."
          again="elle ne passe qu’une fois"
        />
      )}
      <Button kind="primary" wide loading={ask.isPending} onClick={() => ask.send()}>
        {byTransfer === "credit"
          ? `Accorder ${formatMoney(totalCents)} et régler par virement`
          : `Régler ${formatMoney(totalCents)} par virement`}
      </Button>
    </Stack>
  );
}
