// Fourth step: every line of the price with its reason, who pays, and the one button that does.
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
import type { Quote, SubscriptionFile } from "#contract/subscriptions.ts";
import type { Wallet } from "#contract/wallet.ts";
import { answerOptions, useAnswer } from "#web/app/answers.ts";
import { ownCardnumber } from "#web/app/session.ts";
import { useUser } from "#web/app/use-observed.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { Money } from "#web/ui/money.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { usePay } from "./use-pay.ts";

export function PriceStep({ file }: { file: SubscriptionFile }) {
  const { quote, priceChange, paymentFailed } = file;
  return (
    <div className="subscription-price">
      <h2 className="subscription-step">Vérifiez le prix avant de payer</h2>
      {paymentFailed && (
        <Banner tone="warning" title="Le dernier paiement n’a pas abouti.">
          {paymentFailed} Votre dossier est intact&#8239;: vous pouvez payer de nouveau.
        </Banner>
      )}
      {priceChange && <Banner title="Le prix a changé.">{priceChange}</Banner>}
      <Lines quote={quote} />
      {file.covers.length > 0 && <p>Couvre aussi {file.covers.join(", ")}.</p>}
      {file.papers.length > 0 && (
        <Banner title="Vos documents seront vérifiés après le paiement.">
          L’abonnement commence quand ils sont acceptés. S’ils sont refusés, tout revient sur la
          cagnotte.
        </Banner>
      )}
      <Means file={file} />
    </div>
  );
}

/** Each line of a price with its reason, then what they make. */
export function Lines({ quote }: { quote: Quote }) {
  return (
    <dl className="price-lines">
      {quote.lines.map(({ label, why, amountCents }) => (
        <div key={label} className="price-line">
          <dt>
            {label}
            <span className="price-why">{why}</span>
          </dt>
          <dd>
            <Money cents={amountCents} />
          </dd>
        </div>
      ))}
      <div className="price-line price-total">
        <dt>Total</dt>
        <dd>
          <Money cents={quote.totalCents} size="large" />
        </dd>
      </div>
    </dl>
  );
}

interface Purse {
  wallet: Wallet;
  own: boolean;
}

/** One's own main wallet, and the holder's when that is a child. */
function useMainWallets(file: SubscriptionFile) {
  const own = ownCardnumber(useUser());
  const numbers = [...new Set([own, file.holder.cardnumber])];
  const answers = useQueries({
    queries: numbers.map((cardnumber) => answerOptions(api.wallet.list, { cardnumber })),
  });
  const purses = answers.flatMap(({ data }, index): Purse[] => {
    const wallet = data?.items.find(({ main }) => main);
    return wallet ? [{ wallet, own: numbers[index] === own }] : [];
  });
  return {
    purses,
    pending: answers.some(({ isPending }) => isPending),
    problem: purses.length === 0 ? (answers.find(({ error }) => error)?.error ?? null) : null,
    retry: () => void Promise.all(answers.map(({ refetch }) => refetch())),
  };
}

const outside = "provider";

function Means({ file }: { file: SubscriptionFile }) {
  const { purses, pending, problem, retry } = useMainWallets(file);
  const settings = useAnswer(api.portal.settings, {});
  const [picked, setPicked] = useState<string | null>(null);
  const pay = usePay(file);
  if (pending || settings.isPending) {
    return (
      <Loading label="Chargement des cagnottes…">
        <Skeleton lines={2} height="4.5rem" />
      </Loading>
    );
  }
  if (problem) {
    return (
      <ErrorState
        title="Vos cagnottes n’ont pas pu être lues."
        message={problem.message}
        onRetry={retry}
      />
    );
  }
  const total = file.quote.totalCents;
  const online = settings.data?.payments !== "none";
  const fit = purses.find(({ wallet }) => !wallet.frozen && wallet.projectedCents >= total);
  const chosen = picked ?? fit?.wallet.objectID ?? (online ? outside : null);
  const through = (purses.find(({ own }) => own) ?? purses[0])?.wallet.objectID;
  const start = () => {
    if (chosen === outside && through) pay.start("provider", through);
    else if (chosen) pay.start("wallet", chosen);
  };
  return (
    <>
      <RadioGroup
        label="Payer avec"
        boxed
        value={chosen}
        onValue={setPicked}
        options={[
          ...purses.map(({ wallet, own }) => ({
            value: wallet.objectID,
            label: own ? "Ma cagnotte" : `La cagnotte de ${file.holder.name}`,
            hint: hintOf(wallet, total),
            disabled: wallet.frozen || wallet.projectedCents < total,
          })),
          ...(online
            ? [
                {
                  value: outside,
                  label: "Carte bancaire",
                  hint: `Sur la page sécurisée de notre prestataire${settings.data?.payments === "sandbox" ? "\u202f; paiements fictifs, rien n’est débité" : ""}.`,
                },
              ]
            : []),
        ]}
      />
      {chosen === null && (
        <Banner
          tone="warning"
          title="Aucune cagnotte ne suffit."
          actions={
            <ButtonLink size="small" href="/services/cagnottes">
              Voir mes cagnottes
            </ButtonLink>
          }
        >
          Rechargez-en une, puis revenez&#8239;: votre dossier vous attend.
        </Banner>
      )}
      {pay.problem && <Refused problem={pay.problem} />}
      {chosen !== null && (
        <Button
          kind="primary"
          wide
          icon="lock"
          loading={pay.pending || pay.leaving}
          onClick={start}
        >
          Payer {formatMoney(total)}
        </Button>
      )}
      <p className="subscription-note">
        Vous pouvez annuler pendant 14 jours et être remboursé en entier sur la cagnotte.
      </p>
    </>
  );
}

function hintOf(wallet: Wallet, total: number): string {
  if (wallet.frozen) return "Bloquée le temps d’un litige.";
  const left = wallet.projectedCents - total;
  return left < 0
    ? `Il manque ${formatMoney(-left)}.`
    : `Il restera ${formatMoney(left)} sur ${formatMoney(wallet.projectedCents)}.`;
}

const Refused = ({ problem }: { problem: Error & { definite?: boolean } }) =>
  problem.definite ? (
    <Banner tone="danger" alert title="Rien n’a été payé.">
      {problem.message}
    </Banner>
  ) : (
    <Banner tone="warning" alert title="Nous n’avons pas eu la réponse.">
      {problem.message} Vous pouvez réessayer sans crainte&#8239;: le dossier n’est payé qu’une
      fois.
    </Banner>
  );
