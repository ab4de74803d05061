// One application: its current step while it is open, its outcome afterwards.
import { lazy, Suspense, useEffect } from "react";
import { api } from "#contract/api.ts";
import type { SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { FollowedPayment } from "#web/wallet/follow-payment.tsx";
import { NotFound } from "#web/app/shared/states.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { FormulaStep } from "./formula-step.tsx";
import { HolderStep } from "./holder-step.tsx";
import {
  backTo,
  leadOf,
  type StepName,
  stepOf,
  stepsFor,
  stepsLabel,
  useGo,
} from "./navigation.ts";
import { PriceStep } from "./price-step.tsx";
import { refreshAfterChange } from "./use-application.ts";

const Outcome = lazy(async () => ({ default: (await import("./outcome.tsx")).Outcome }));

interface Props {
  id: string;
  /** Of the address: the step, and the payment from which the browser came back. */
  step: string | undefined;
  payment: string | undefined;
}

export function ApplicationScreen({ id, step, payment }: Props) {
  const answer = useAnswer(api.subscriptions.read, { id });
  const application = answer.data;
  useRefreshOnceSettled(application);
  if (answer.error?.code === "not_found" || answer.error?.code === "invalid_input") {
    return <NotFound />;
  }
  if (application?.state === "draft" && !payment && stepOf(application, step) === "formule") {
    return (
      <FormulaStep cardnumber={application.holder.cardnumber} chosen={application.formula.code} />
    );
  }
  return (
    <Page narrow>
      <PageHeader
        title="S’abonner"
        lead={application ? leadOf(application.holder) : "\u00a0"}
        back={backTo(application?.holder.cardnumber)}
      />
      {application ? (
        <Steps application={application} step={step} payment={payment} />
      ) : (
        <Section>
          <NotLoaded
            answer={answer}
            label="Chargement du dossier…"
            lines={5}
            height="3rem"
            failed="Ce dossier n’a pas pu être chargé."
          />
        </Section>
      )}
    </Page>
  );
}

/** Balances, the card's dates and the list follow once the file is paid, here or elsewhere. */
function useRefreshOnceSettled(application: SubscriptionApplication | undefined) {
  const state = application?.state;
  useEffect(() => {
    if (state && state !== "draft") void refreshAfterChange().catch(() => {});
  }, [state]);
}

function Steps({
  application,
  step,
  payment,
}: Omit<Props, "id"> & { application: SubscriptionApplication }) {
  const go = useGo();
  const open = application.state === "draft";
  const followed = payment ?? application.payment?.topUp;
  const following = open && followed !== undefined && step !== "prix";
  const now = stepOf(application, step);
  const steps = stepsFor(application.proofs.length > 0);
  // The price is the third step from the end, whatever comes before it.
  const price = steps.length - 3;
  const current = !open ? price + 2 : following ? price + 1 : now === "prix" ? price : 1;
  const place = useFocusAtStep(current);
  const to = (next: StepName) => go({ application: application.id, step: next });
  return (
    <div ref={place}>
      <Section>
        <Stepper
          label={stepsLabel}
          steps={steps}
          current={current}
          {...(open && !following
            ? { onBack: () => to(current === 2 ? "titulaire" : "formule") }
            : {})}
        />
        {!open && (
          <Suspense fallback={<Skeleton lines={4} height="3rem" />}>
            <Outcome application={application} />
          </Suspense>
        )}
        {following && (
          <FollowedPayment
            id={followed}
            settled={<Skeleton lines={4} height="3rem" />}
            onAgain={() => to("prix")}
            onRest={() => noteChanges(["subscriptions", "wallets"])}
          />
        )}
        {open && !following && now === "titulaire" && (
          <HolderStep application={application} onDone={() => to("prix")} />
        )}
        {open && !following && now === "prix" && <PriceStep application={application} />}
      </Section>
    </div>
  );
}
