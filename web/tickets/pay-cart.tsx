// Who pays the cart: a wallet at once, or the provider's page. One order is paid once, whatever is
// clicked and in however many tabs.
import { useMutation, useQueries } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
import type { Cart } from "#contract/ticket-cart.ts";
import { answerOptions, readAgain, useAnswer } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { readTicketsAgain, useHolders } from "./cards.ts";

export interface Purse {
  objectID: string;
  name: string;
  spendableCents: number;
  frozen: boolean;
  main: boolean;
}

/** The wallets of the cards one acts for, the current card's first; null while they load. */
export function usePurses(): readonly Purse[] | null {
  const holders = useHolders();
  const answers = useQueries({
    queries: (holders ?? []).map(({ cardnumber }) =>
      answerOptions(api.wallet.publicServices, { cardnumber }),
    ),
  });
  if (!holders || answers.some(({ isPending }) => isPending)) return null;
  return holders.flatMap(({ name, relation }, index) =>
    (answers[index]?.data?.data ?? []).map((wallet) => ({
      objectID: wallet.objectID,
      name: relation === "self" ? wallet.name : `${wallet.name}, ${name}`,
      spendableCents: wallet.projectedCents,
      frozen: wallet.frozen,
      main: wallet.main,
    })),
  );
}

export function PayCart({ cart, purses }: { cart: Cart; purses: readonly Purse[] }) {
  const settings = useAnswer(api.portal.settings, {});
  const [chosen, setChosen] = useState<string | null>(null);
  const fromWallet = usePayFromWallet(cart);
  const online = usePayOnline(cart);
  const main = purses.find(({ main: is, frozen }) => is && !frozen) ?? purses[0];
  const rich = purses.find(
    ({ frozen, spendableCents }) => !frozen && spendableCents >= cart.totalCents,
  );
  const byCard = settings.data?.payments !== "none" && cart.totalCents > 0;
  const value = chosen ?? rich?.objectID ?? (byCard ? "card" : (main?.objectID ?? null));
  const busy = fromWallet.isPending || online.isPending || online.isSuccess;
  const error = value === "card" ? online.error : fromWallet.error;
  const pay = () => {
    if (value !== "card") {
      if (value !== null) fromWallet.mutate(value);
    } else if (main) online.mutate(main.objectID);
  };
  return (
    <div className="pay">
      {cart.totalCents > 0 && (
        <RadioGroup
          label="Payer avec"
          boxed
          options={[
            ...purses.map(({ objectID, name, spendableCents, frozen }) => ({
              value: objectID,
              label: name,
              hint: frozen ? "Bloquée" : `Disponible\u202f: ${formatMoney(spendableCents)}`,
              disabled: frozen || spendableCents <= 0,
            })),
            ...(byCard
              ? [
                  {
                    value: "card",
                    label: "Carte bancaire",
                    hint: "Sur la page protégée du prestataire de paiement",
                  },
                ]
              : []),
          ]}
          value={value}
          onValue={setChosen}
        />
      )}
      {error && <Refusal problem={error} />}
      <Button kind="primary" wide icon="lock" loading={busy} onClick={pay}>
        {cart.totalCents > 0 ? `Payer ${formatMoney(cart.totalCents)}` : "Obtenir mes billets"}
      </Button>
    </div>
  );
}

function Refusal({ problem }: { problem: ApiProblem }) {
  if (problem.definite) {
    return (
      <Banner tone="danger" alert title="Le paiement n’a pas été fait.">
        {problem.message}
      </Banner>
    );
  }
  return (
    <Banner tone="warning" alert title="Nous ne savons pas encore si le paiement est passé.">
      {problem.message} Vous pouvez réessayer sans crainte&#8239;: un panier n’est payé qu’une fois.
    </Banner>
  );
}

function usePayFromWallet(cart: Cart) {
  const navigate = useNavigate();
  return useMutation<unknown, ApiProblem, string>({
    mutationFn: (objectID) =>
      call(api.tickets.pay, { order: cart.id, objectID, totalCents: cart.totalCents }),
    onSuccess: async () => {
      await navigate({ to: ".", search: { commande: cart.id }, replace: true });
      await readTicketsAgain();
    },
    onError: () => void readAgain(api.tickets.cart),
  });
}

function usePayOnline(cart: Cart) {
  const navigate = useNavigate();
  return useMutation<unknown, ApiProblem, string>({
    // The same unpaid order answers the same payment: a double click opens one page.
    mutationFn: async (objectID) => {
      const started = await call(api.tickets.payOnline, {
        order: cart.id,
        objectID,
        totalCents: cart.totalCents,
      });
      const search = { commande: cart.id, paiement: started.id };
      await navigate({ to: ".", search, replace: true });
      if (started.paymentUrl !== null) location.assign(started.paymentUrl);
    },
    onError: () => void readAgain(api.tickets.cart),
  });
}
