// One application: its current step while it is open, its outcome afterwards.
import { useEffect } from "react";
import { api } from "#contract/api.ts";
import type { SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { readAgain, useAnswer } from "#web/app/answers.ts";
import { FollowedPayment } from "#web/app/follow-payment.tsx";
import { NotFound } from "#web/app/states.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { FormulaStep } from "./formula-step.tsx";
import { HolderStep } from "./holder-step.tsx";
import { OptionsStep } from "./options-step.tsx";
import { Outcome } from "./outcome.tsx";
import { backTo, leadOf, useGo, nameOf, stepOf, steps, stepsLabel } from "./navigation.ts";
import { PriceStep } from "./price-step.tsx";
import { refreshAfterChange } from "./use-application.ts";

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
  if (application?.state === "draft" && !payment && stepOf(application, step) === 0) {
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
      {answer.isPending && (
        <Section>
          <Loading label="Chargement du dossier…">
            <Skeleton lines={5} height="3rem" />
          </Loading>
        </Section>
      )}
      {answer.isError && !application && (
        <Section>
          <ErrorState title="Ce dossier n’a pas pu être chargé." answer={answer} />
        </Section>
      )}
      {application && <Steps application={application} step={step} payment={payment} />}
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
  const now = !open ? 5 : following ? 4 : stepOf(application, step);
  const place = useFocusAtStep(now);
  const to = (next: number) => go({ dossier: application.id, etape: nameOf(next) });
  return (
    <div ref={place}>
      <Section>
        <Stepper
          label={stepsLabel}
          steps={steps}
          current={now}
          {...(open && now < 4 ? { onBack: () => to(now - 1) } : {})}
        />
        {!open && <Outcome application={application} />}
        {following && (
          <FollowedPayment
            id={followed}
            settled={<Skeleton lines={4} height="3rem" />}
            onAgain={() => to(3)}
            onRest={() => void readAgain(api.subscriptions.read)}
          />
        )}
        {open && now === 1 && <HolderStep application={application} onDone={() => to(2)} />}
        {open && now === 2 && <OptionsStep application={application} onDone={() => to(3)} />}
        {open && now === 3 && <PriceStep key={application.revision} application={application} />}
      </Section>
    </div>
  );
}
