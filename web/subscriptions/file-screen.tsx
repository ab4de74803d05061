// One file: the step it has come to while it is open, what became of it afterwards.
import { useEffect } from "react";
import { api } from "#contract/api.ts";
import type { SubscriptionFile } from "#contract/subscriptions.ts";
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
import { backTo, leadOf, useGo } from "./place.ts";
import { PriceStep } from "./price-step.tsx";
import { nameOf, stepOf, steps, stepsLabel } from "./steps.ts";
import { afterChange } from "./use-file.ts";

interface Props {
  id: string;
  /** Of the address: the step, and the payment from which the browser came back. */
  step: string | undefined;
  payment: string | undefined;
}

export function FileScreen({ id, step, payment }: Props) {
  const answer = useAnswer(api.subscriptions.read, { id });
  const file = answer.data;
  useSettled(file);
  if (answer.error?.code === "not_found" || answer.error?.code === "invalid_input") {
    return <NotFound />;
  }
  if (file?.state === "draft" && !payment && stepOf(file, step) === 0) {
    return <FormulaStep cardnumber={file.holder.cardnumber} chosen={file.formula.code} />;
  }
  return (
    <Page narrow>
      <PageHeader
        title="S’abonner"
        lead={file ? leadOf(file.holder) : "\u00a0"}
        back={backTo(file?.holder.cardnumber)}
      />
      {answer.isPending && (
        <Section>
          <Loading label="Chargement du dossier…">
            <Skeleton lines={5} height="3rem" />
          </Loading>
        </Section>
      )}
      {answer.isError && !file && (
        <Section>
          <ErrorState
            title="Ce dossier n’a pas pu être chargé."
            message={answer.error.message}
            retrying={answer.isFetching}
            onRetry={() => void answer.refetch()}
          />
        </Section>
      )}
      {file && <Steps file={file} step={step} payment={payment} />}
    </Page>
  );
}

/** Balances, the card's dates and the list follow once the file is paid, here or elsewhere. */
function useSettled(file: SubscriptionFile | undefined) {
  const state = file?.state;
  useEffect(() => {
    if (state && state !== "draft") void afterChange().catch(() => {});
  }, [state]);
}

function Steps({ file, step, payment }: Omit<Props, "id"> & { file: SubscriptionFile }) {
  const go = useGo();
  const open = file.state === "draft";
  const followed = payment ?? file.payment?.topUp;
  const following = open && followed !== undefined && step !== "prix";
  const now = !open ? 5 : following ? 4 : stepOf(file, step);
  const place = useFocusAtStep(now);
  const to = (next: number) => go({ dossier: file.id, etape: nameOf(next) });
  return (
    <div ref={place}>
      <Section>
        <Stepper
          label={stepsLabel}
          steps={steps}
          current={now}
          {...(open && now < 4 ? { onBack: () => to(now - 1) } : {})}
        />
        {!open && <Outcome file={file} />}
        {following && (
          <FollowedPayment
            id={followed}
            settled={<Skeleton lines={4} height="3rem" />}
            onAgain={() => to(3)}
            onRest={() => void readAgain(api.subscriptions.read)}
          />
        )}
        {open && now === 1 && <HolderStep file={file} onDone={() => to(2)} />}
        {open && now === 2 && <OptionsStep file={file} onDone={() => to(3)} />}
        {open && now === 3 && <PriceStep key={file.revision} file={file} />}
      </Section>
    </div>
  );
}
