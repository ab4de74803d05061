// Second step of a purchase: everything once more, the price explained, who pays, and the one button.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import type { PassOrder } from "#contract/passes.ts";
import { keyOf, queryClient, readAgain, useAnswer } from "#web/app/answers.ts";
import { ApiProblem, call } from "#web/app/api.ts";
import { CodeAbandoned, withCode } from "#web/app/step-up.ts";
import { pathTo } from "#web/routes.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { LateFee } from "./late-fee.tsx";
import { PriceExplained } from "./price-explained.tsx";
import { cardValue, PayWith, type Purse, usePurses } from "./purses.tsx";

type Paid = Output<typeof api.passes.pay>;

export function PurchaseReview({ order, onBack }: { order: PassOrder; onBack: () => void }) {
  const { price, product, holder, startOn, lastDay, stop } = order;
  const purses = usePurses(order.group.idgroup, order);
  const [chosen, setChosen] = useState<string | null>(null);
  const wallet = chosen ?? richEnough(purses, price.totalCents);
  const settings = useAnswer(api.portal.settings, {});
  const payments = settings.data?.payments ?? "none";
  const byCard = payments === "none" ? false : payments === "sandbox" ? "fictitious" : "real";
  // The money of a payment comes into one's own first wallet, and leaves it for the pass.
  const through = purses?.find((one) => !one.wallet.frozen)?.wallet.objectID ?? null;
  const pay = usePay(order, through);
  const problem = pay.error instanceof CodeAbandoned ? null : pay.error;
  const paying = purses?.find((one) => one.wallet.objectID === wallet)?.wallet;
  return (
    <div className="purchase">
      <h2 className="purchase-heading">Vérifiez avant de payer</h2>
      <DefinitionList
        items={[
          { label: "Titre", value: product.name },
          { label: "Lignes", value: order.group.name },
          { label: "Voyageur", value: holder },
          startOn
            ? { label: "Premier jour", value: formatDate(startOn) }
            : { label: "Validité", value: "Dès le paiement" },
          lastDay && lastDay !== startOn
            ? { label: "Dernier jour", value: formatDate(lastDay) }
            : null,
          stop ? { label: "Arrêt de montée", value: stop.name } : null,
        ]}
      />
      <PriceExplained order={order} />
      {(price.lateFeeCents > 0 || order.exemption.state !== "none") && (
        <LateFee
          late={{
            order: order.id,
            feeCents: price.lateFeeCents,
            exemption: order.exemption.state,
            answer: order.exemption.answer,
          }}
        />
      )}
      {price.totalCents > 0 && (
        <PayWith purses={purses} value={wallet} onValue={setChosen} byCard={byCard} />
      )}
      {problem && <Refusal problem={problem} paying={paying ?? null} onBack={onBack} />}
      <Button
        kind="primary"
        wide
        icon="lock"
        loading={
          pay.isPending || (pay.data?.paymentUrl !== undefined && pay.data.paymentUrl !== null)
        }
        disabled={wallet === null}
        onClick={() => wallet !== null && pay.mutate(wallet)}
      >
        {price.totalCents > 0
          ? `Payer ${formatMoney(price.totalCents)}`
          : "Prendre ce titre gratuit"}
      </Button>
      <GiveUp order={order} />
    </div>
  );
}

/** The first wallet that can pay it all, else the first that is not blocked. */
function richEnough(purses: readonly Purse[] | null, cents: number): string | null {
  const usable = purses?.filter(({ wallet }) => !wallet.frozen) ?? [];
  const rich = usable.find(({ wallet }) => wallet.projectedCents >= cents);
  return (rich ?? usable[0])?.wallet.objectID ?? null;
}

/** Safe to repeat: the purchase itself is what is paid once. */
function usePay(order: PassOrder, through: string | null) {
  return useMutation<Paid, ApiProblem | CodeAbandoned, string>({
    mutationFn: (chosen) =>
      withCode((proof) =>
        call(api.passes.pay, {
          order: order.id,
          revision: order.revision,
          totalCents: order.price.totalCents,
          wallet: chosen === cardValue ? (through ?? "") : chosen,
          by: chosen === cardValue ? "provider" : "wallet",
          ...proof,
        }),
      ),
    onSuccess: async (paid) => {
      if (paid.paymentUrl !== null) {
        location.assign(paid.paymentUrl);
        return;
      }
      queryClient.setQueryData(keyOf(api.passes.order, { order: order.id }), paid.order);
      await readAgain(api.passes.list, api.passes.orders, ...Object.values(api.wallet));
    },
    // What is shown may be past: the price, or the purchase itself.
    onError: (error) => {
      if (error instanceof ApiProblem && error.definite) void readAgain(api.passes.order);
    },
  });
}

function Refusal({
  problem,
  paying,
  onBack,
}: {
  problem: ApiProblem;
  paying: Purse["wallet"] | null;
  onBack: () => void;
}) {
  if (!problem.definite) {
    return (
      <Banner tone="warning" alert title="Nous ne savons pas encore si le paiement est passé.">
        {problem.message} Vous pouvez réessayer sans crainte&#8239;: le titre n’est payé qu’une
        fois.
      </Banner>
    );
  }
  const shown = problem.code === "pass_price_changed" || problem.code === "pass_order_changed";
  return (
    <Banner
      tone={shown ? "warning" : "danger"}
      alert
      title={shown ? "L’achat a changé." : "Rien n’a été payé."}
      actions={
        problem.code === "insufficient_funds" && paying ? (
          <ButtonLink
            size="small"
            icon="plus"
            href={pathTo("recharge_cagnotte", {
              objectID: paying.objectID,
              name: paying.slug,
              idgroup: paying.idgroup,
            })}
          >
            Recharger
          </ButtonLink>
        ) : (
          !shown && (
            <Button size="small" icon="edit" onClick={onBack}>
              Modifier
            </Button>
          )
        )
      }
    >
      {problem.message}
    </Banner>
  );
}

/** Also while a payment is under way: money that still comes stays in the wallet. */
export function GiveUp({ order }: { order: PassOrder }) {
  const give = useMutation<unknown, ApiProblem>({
    mutationFn: () => call(api.passes.cancel, { order: order.id }),
    onSuccess: () => readAgain(api.passes.order, api.passes.orders),
  });
  return (
    <>
      <Button kind="ghost" wide loading={give.isPending} onClick={() => give.mutate()}>
        Abandonner cet achat
      </Button>
      {give.error && (
        <Banner tone="danger" alert title="L’achat n’est pas abandonné.">
          {give.error.message}
        </Banner>
      )}
    </>
  );
}
