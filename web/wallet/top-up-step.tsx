// The first step of a top-up: how much, and with which bank card. Its page and the dialog of « Ma carte »
// show the same.
import { api } from "#contract/api.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import type { useStartTopUp } from "./start-top-up.ts";
import { TopUpAmount } from "./top-up-amount.tsx";

export const topUpSteps = ["Montant", "Paiement", "Résultat"] as const;

export const ReadingTopUp = () => (
  <Loading label="Chargement de la cagnotte…">
    <Skeleton lines={4} height="4rem" />
  </Loading>
);

export function TopUpStep({
  wallet,
  amountCents,
  starting,
  onAmount,
}: {
  wallet: Wallet;
  amountCents: number | null;
  starting: ReturnType<typeof useStartTopUp>;
  onAmount?: (cents: number | null) => void;
}) {
  const settings = useAnswer(api.portal.settings, {});
  const methods = useAnswer(api.payments.methods, {});
  if (methods.isPending) return <ReadingTopUp />;
  return (
    <>
      <Stepper label="Étapes de la recharge" steps={topUpSteps} current={0} />
      <TopUpAmount
        wallet={wallet}
        methods={methods.data ?? null}
        amountCents={amountCents}
        sandbox={settings.data?.payments === "sandbox"}
        starting={starting}
        onAmount={(cents) => {
          if (starting.error) starting.reset();
          onAmount?.(cents);
        }}
      />
    </>
  );
}
