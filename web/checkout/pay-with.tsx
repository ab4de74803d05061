// Paying a purchase: the choice of a wallet or the payment page, the button, and a refused payment.
import { type ReactNode, useState } from "react";
import { api } from "#contract/api.ts";
import type { Payment } from "#contract/checkout/rows.ts";
import { formatMoney } from "#contract/french.ts";
import { payments } from "#contract/limits.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { TopUp } from "#contract/payments/rows.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { RefusedBanner } from "#web/app/shared/refused-banner.tsx";
import { useAnswer } from "#web/app/transport/answers.ts";
import type { ApiProblem } from "#web/app/transport/api.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { FootBar } from "#web/ui/foot-bar.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { TopUpLink } from "#web/wallet/top-up-link.tsx";
import { LimitsLink, PaymentChoice } from "./payment-choice.tsx";
import {
  chosenOption,
  type ClosedOption,
  type PaymentOption,
  paymentOptions,
} from "./payment-options.ts";
import { usePay } from "./use-pay.ts";
import { type Purchase, useWalletBalances } from "./wallet-balances.ts";

type Props<Answer> = Purchase &
  Parameters<typeof usePay<Answer & { payment: Payment }>>[0] & {
    /** What is paid for, beside the button: « 7 repas ». */
    summary: string;
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
  const balancesOf = begun === undefined ? null : read.balancesOf;
  const [picked, setPicked] = useState<string | null>(null);
  const [tried, setTried] = useState<PaymentOption | null>(null);
  const { pay, busy, problem: refused } = usePay<Answer>(props);
  if (balancesOf === null || settings.isPending) {
    return (
      <Loading label="Chargement des cagnottes…">
        <Skeleton height="6rem" />
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
  const offered = paymentOptions(balancesOf, props, provider);
  const main = balancesOf(totalCents).find(({ wallet }) => wallet.main)?.wallet ?? null;
  const chosen = chosenOption(offered, picked);
  const start = () => {
    if (!chosen) return;
    // What is refused is not replaced by another proposal.
    setPicked(chosen.value);
    setTried(chosen);
    pay(chosen.request);
  };
  return (
    <Stack data-checkout>
      {main?.frozen ? (
        <MainFrozen />
      ) : (
        chosen === null &&
        offered.options.length === 0 && (
          <NoneCanPay closed={offered.closed} main={main} takesMoney={provider !== "none"} />
        )
      )}
      {totalCents > 0 && <PaymentChoice {...offered} chosen={chosen} onValue={setPicked} />}
      {refused && (
        <PaymentRefused
          problem={refused}
          once={props.once}
          actions={limitsButton(refused, tried, offered.closed) ?? props.mend}
        />
      )}
      <FootBar summary={props.summary}>
        <Button
          kind="primary"
          icon="lock"
          loading={busy}
          disabled={chosen === null}
          onClick={start}
        >
          {totalCents === 0 ? props.freeLabel : buttonLabel(totalCents, chosen)}
        </Button>
      </FootBar>
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

function buttonLabel(totalCents: number, chosen: PaymentOption | null): string {
  if (!chosen || chosen.cardCents === 0) return `Payer ${formatMoney(totalCents)}`;
  const count = chosen.shares.filter(({ icon }) => icon === "wallet").length;
  const wallets = count > 1 ? "les cagnottes" : "la cagnotte";
  return `Payer ${formatMoney(chosen.cardCents)} par carte et le reste avec ${wallets}`;
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
  closed,
  main,
  takesMoney,
}: {
  closed: readonly ClosedOption[];
  main: Wallet | null;
  takesMoney: boolean;
}) {
  // A child's limits are told with the way to change them.
  if (closed.some(({ limited, child }) => limited && child)) return null;
  if (closed.some(({ limited }) => limited)) {
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
function limitsButton(
  { code }: ApiProblem,
  tried: PaymentOption | null,
  closed: readonly ClosedOption[],
): ReactNode {
  if (!code.startsWith("limit_")) return null;
  // Of the wallets of several children, it is the one that the limits have closed since.
  const child = tried?.child ?? closed.find((one) => one.limited && one.child)?.child;
  return child && <LimitsLink child={child} />;
}

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
