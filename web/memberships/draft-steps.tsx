// A request that is being written: the stepper, its current step, and the way to give it up.
import { Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import type { MembershipPage } from "#contract/memberships/rows.ts";
import { membershipParts, membershipSteps } from "#contract/memberships/states.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { dropDraft } from "#web/ui/draft.ts";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { notify } from "#web/ui/toast.tsx";
import styles from "./memberships.module.css";
import { stepNames, stepOf, useGo } from "./navigation.ts";
import { CodeStep, CompanyStep, DocumentsStep, RepresentativeStep, SummaryStep } from "./steps.ts";
import { draftName, refusalOf, useStep } from "./use-membership.ts";

export function DraftSteps({ page, step }: { page: MembershipPage; step: string | undefined }) {
  const draft = page.membership?.state === "draft" ? page.membership : null;
  // A step that becomes complete stays until the person goes on.
  const [first] = useState(() => stepOf(draft, undefined));
  const now = stepOf(draft, step, first);
  const current = membershipSteps.indexOf(now);
  const place = useFocusAtStep(current);
  const go = useGo();
  const to = (offset: number) => go(membershipSteps[current + offset] ?? null);
  const next = () => to(1);
  return (
    <Stack ref={place} gap={24}>
      <Section>
        <Stepper
          label="Étapes de la demande"
          steps={stepNames}
          current={current}
          onBack={current > 0 ? () => to(-1) : undefined}
        />
        <Suspense fallback={<Skeleton lines={5} height="3rem" />}>
          {now === "company" && <CompanyStep page={page} onDone={next} />}
          {now === "representative" && <RepresentativeStep page={page} onDone={next} />}
          {now === "documents" && <DocumentsStep page={page} onDone={next} />}
          {now === "code" && <CodeStep page={page} onDone={next} />}
          {now === "summary" && <SummaryStep page={page} />}
        </Suspense>
      </Section>
      {draft && <Discard page={page} />}
    </Stack>
  );
}

function Discard({ page }: { page: MembershipPage }) {
  const [asking, setAsking] = useState(false);
  const go = useGo();
  const discard = useStep(api.memberships.discard, {
    onDone: () => {
      for (const part of membershipParts) dropDraft(draftName(part, page));
      notify({ text: "Votre brouillon est effacé.", kind: "success" });
      go(null);
    },
  });
  return (
    <div className={styles.discard}>
      <Button kind="ghost" size="small" icon="trash" onClick={() => setAsking(true)}>
        Effacer ce brouillon
      </Button>
      <ProblemBanner problem={refusalOf(discard.error)} title="Le brouillon n’est pas effacé." />
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={"Effacer ce brouillon\u202f?"}
        confirm="Effacer"
        cancel="Le garder"
        danger
        loading={discard.isPending}
        onConfirm={() => {
          const version = page.membership?.version ?? 0;
          const input = { service: page.service.code, version };
          discard.mutate(input, { onSettled: () => setAsking(false) });
        }}
      >
        Ce que vous avez saisi et les documents joints sont effacés tout de suite. Rien n’a été
        envoyé.
      </AlertDialog>
    </div>
  );
}
