// First step of the page: which formula.
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import { backTo, leadOf, useGo } from "./navigation.ts";

const FormulaChoice = lazy(async () => ({
  default: (await import("./formula-choice.tsx")).FormulaChoice,
}));

export function FormulaStep({
  cardnumber,
  chosen,
}: {
  cardnumber: number;
  /** The formula of the file that is open, null without one. */
  chosen: string | null;
}) {
  const answer = useAnswer(api.subscriptions.offer, { cardnumber });
  const go = useGo();
  if (answer.error?.code === "not_found" || answer.error?.code === "invalid_input") {
    return <NotFound />;
  }
  return (
    <Page>
      <PageHeader
        title="S’abonner"
        lead={answer.data ? leadOf(answer.data.holder) : "\u00a0"}
        back={backTo(cardnumber)}
      />
      <Section>
        <Suspense
          fallback={
            <Loading label="Chargement des formules…">
              <Skeleton lines={4} height="16rem" />
            </Loading>
          }
        >
          <FormulaChoice cardnumber={cardnumber} chosen={chosen} onChosen={go} />
        </Suspense>
      </Section>
    </Page>
  );
}
