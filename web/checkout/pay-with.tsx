// Paying a purchase: the choice of a wallet or the payment page, the button, and a refused payment.
import { type ReactNode, useState } from "react";
import { api } from "#contract/api.ts";
import type { Payment } from "#contract/checkout/rows.ts";
import { firstName, formatMoney, ofName } from "#contract/french.ts";
import { payments } from "#contract/limits.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { TopUp } from "#contract/payments/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { usePay } from "./use-pay.ts";
import {
  firstChoice,
  limitWords,
  type Purchase,
  useWalletBalances,
  type WalletBalance,
} from "./wallet-balances.ts";
import type { ApiProblem } from "#web/app/transport/api.ts";
import { fictitiousWords } from "#web/app/shared/fictitious.ts";
import { RefusedBanner } from "#web/app/shared/refused-banner.tsx";
import { TopUpLink } from "#web/wallet/top-up-link.tsx";

const byCard = "card";

type Props<Answer> = Purchase &
  Parameters<typeof usePay<Answer & { payment: Payment }>>[0] & {
    /** The button of what costs nothing. */
    freeLabel: string;
    /** « le titre n’est payé qu’une fois ». */
    once: string;
    /** Mends a refusal that is not about money: « Modifier ». */
    mend?: ReactNode;
    /** The last payment at the provider that was begun for it, if any. */
    begun?: string | null | undefined;
  };

export function PayWith<Answer extends { payment: Payment }>(props: Props<Answer>) {
  const { totalCents } = props;
  const settings = useAnswer(api.portal.settings, {});
  const provider = settings.data?.payments ?? "none";
  const online = provider !== "none" && totalCents >= payments.orderMinCents;
  const begun = usePendingPayment(props.begun ?? null);
  const read = useWalletBalances(props, { byCard: online, holds: begun?.holds ?? [] });
  const { problem, retry } = read;
  const balances = begun === undefined ? null : read.balances;
  const [picked, setPicked] = useState<string | null>(null);
  const { pay, busy, problem: refused } = usePay<Answer>(props);
  if (balances === null || settings.isPending) {
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
        answer={{ error: problem, isFetching: false, refetch: retry }}
      />
    );
  }
  const able = firstChoice(balances, props);
  // The bank card's money comes into the main wallet of the current card, and leaves it for the
  // purchase; another person's wallet never takes its place.
  const passage = read.balances?.find(({ wallet }) => wallet.main) ?? null;
  const through = passage?.wallet ?? null;
  const closed = passage && whyNoCard(passage, totalCents);
  const mayCard = online && through !== null && closed === null;
  const chosen = picked ?? able?.wallet.objectID ?? (mayCard ? byCard : null);
  const paying = balances.find(({ wallet }) => wallet.objectID === chosen) ?? null;
  const cardCents = paying?.cardCents ?? 0;
  const start = () => {
    if (chosen === null) return;
    if (chosen === byCard) {
      if (through) pay({ method: "provider", objectID: through.objectID });
    } else if (cardCents > 0) pay({ method: "both", objectID: chosen, cardCents });
    else pay({ method: "wallet", objectID: chosen });
  };
  return (
    <Stack data-checkout>
      {totalCents > 0 && (
        <PaymentChoice
          balances={balances}
          provider={online && through ? provider : "none"}
          cardClosed={closed}
          value={chosen}
          onValue={setPicked}
        />
      )}
      {through?.frozen ? (
        <MainFrozen />
      ) : (
        chosen === null &&
        !balances.some(({ canPay }) => canPay) && (
          <NoneCanPay balances={balances} takesMoney={provider !== "none"} />
        )
      )}
      {refused && (
        <PaymentRefused
          problem={refused}
          once={props.once}
          actions={limitsButton(refused, paying) ?? props.mend}
        />
      )}
      <Button
        kind="primary"
        wide
        icon="lock"
        loading={busy}
        disabled={chosen === null}
        onClick={start}
      >
        {buttonLabel({ totalCents, cardCents, freeLabel: props.freeLabel })}
      </Button>
    </Stack>
  );
}

/** The pending payment of the order; undefined while it is read, null for none. */
function usePendingPayment(id: string | null): TopUp | null | undefined {
  const { data, isPending } = useAnswer(
    api.payments.topUp,
    { id: id ?? "" },
    { enabled: id !== null },
  );
  return id === null ? null : isPending ? undefined : (data ?? null);
}

function buttonLabel({
  totalCents,
  cardCents,
  freeLabel,
}: {
  totalCents: number;
  cardCents: number;
  freeLabel: string;
}): string {
  if (totalCents === 0) return freeLabel;
  if (cardCents === 0) return `Payer ${formatMoney(totalCents)}`;
  return `Payer ${formatMoney(cardCents)} par carte et le reste avec la cagnotte`;
}

/** Why a bank card cannot pay through this wallet; null where it can. */
function whyNoCard({ wallet, child }: WalletBalance, totalCents: number): string | null {
  if (wallet.frozen) return "Passe par la cagnotte principale, qui est bloquée.";
  const leftCents = wallet.spendLimitCents;
  return leftCents !== null && leftCents < totalCents ? limitWords({ child }, leftCents) : null;
}

/** Which wallet pays, or the provider's page where `provider` is one. */
export function PaymentChoice({
  balances,
  provider,
  cardClosed = null,
  value,
  onValue,
}: {
  balances: readonly WalletBalance[];
  provider: "none" | "sandbox" | "stripe";
  /** French sentence: why the wallet that the bank card's money passes through keeps it from paying. */
  cardClosed?: string | null;
  value: string | null;
  onValue: (value: string) => void;
}) {
  const fictitious = provider === "sandbox" ? ` ${fictitiousWords}` : "";
  const wallets = balances.map(({ wallet, label, hint, canPay, cardCents }) => ({
    value: wallet.objectID,
    label,
    hint: cardCents > 0 ? hint + fictitious : hint,
    disabled: !canPay,
  }));
  const onPage = `${wallets.some(({ disabled }) => !disabled) ? "La somme entière, sur" : "Sur"} la page sécurisée de notre prestataire.${fictitious}`;
  const card = {
    value: byCard,
    label: "Carte bancaire",
    hint: cardClosed ?? onPage,
    disabled: cardClosed !== null,
  };
  return (
    <RadioGroup
      label="Payer avec"
      boxed
      options={provider === "none" ? wallets : [...wallets, card]}
      value={value}
      onValue={onValue}
    />
  );
}

const MainFrozen = () => (
  <Banner
    tone="warning"
    title="La cagnotte principale est bloquée le temps d’un litige."
    actions={
      <ButtonLink size="small" href={linkTo(paths.contact, {}, { write: "1" })}>
        Nous écrire
      </ButtonLink>
    }
  >
    Ni elle ni une carte bancaire ne peuvent payer avant la fin du litige.
  </Banner>
);

function NoneCanPay({
  balances,
  takesMoney,
}: {
  balances: readonly WalletBalance[];
  takesMoney: boolean;
}) {
  const main = balances.find(({ wallet }) => wallet.main)?.wallet;
  if (balances.some(({ limited }) => limited)) {
    return (
      <Banner tone="warning" title="Vos plafonds ne laissent pas payer cet achat.">
        Un responsable de votre carte peut les changer, ou payer lui-même.
      </Banner>
    );
  }
  if (!takesMoney) {
    return (
      <Banner tone="warning" title="Aucune cagnotte ne suffit.">
        La recharge en ligne n’est pas ouverte ici&#8239;: adressez-vous au service clients pour
        ajouter de l’argent à la vôtre.
      </Banner>
    );
  }
  return (
    <Banner
      tone="warning"
      title="Aucune cagnotte ne suffit."
      actions={main && <TopUpLink wallet={main} size="small" icon="plus" />}
    >
      Rechargez-en une, puis revenez&#8239;: votre achat vous attend.
    </Banner>
  );
}

/** Where a child's limit refused: the link to the child's limits, which a guardian may change. */
const limitsButton = ({ code }: ApiProblem, paying: WalletBalance | null): ReactNode =>
  paying?.child && code.startsWith("limit_") ? (
    <ButtonLink
      size="small"
      icon="edit"
      href={linkTo(paths.familyMember, { cardnumber: paying.child.cardnumber })}
    >
      Changer les plafonds {ofName(firstName(paying.child.name))}
    </ButtonLink>
  ) : null;

/** `once`: « le titre n’est payé qu’une fois ». `actions` mend what was refused. */
function PaymentRefused({
  problem,
  once,
  actions,
}: {
  problem: ApiProblem;
  once: string;
  actions?: ReactNode;
}) {
  const changed = problem.code === "price_changed" || problem.code === "order_changed";
  return (
    <RefusedBanner
      problem={problem}
      tone={changed ? "warning" : "danger"}
      title={changed ? "L’achat a changé." : "Rien n’a été payé."}
      unknown="Nous ne savons pas encore si le paiement est passé."
      again={once}
      actions={changed ? null : actions}
    />
  );
}
