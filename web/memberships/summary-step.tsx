// The last step: the whole request read again, then sent.
import { answerDelay } from "#contract/answer-delay.ts";
import { api } from "#contract/api.ts";
import { membershipParts } from "#contract/memberships/states.ts";
import type { MembershipPage } from "#contract/memberships/rows.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import { Text } from "#web/ui/text.tsx";
import { useGo } from "./navigation.ts";
import { Summary } from "./summary.tsx";
import { refusalOf, useStep } from "./use-membership.ts";

export function SummaryStep({ page }: { page: MembershipPage }) {
  const go = useGo();
  const submit = useStep(api.memberships.submit, { onDone: () => go(null) });
  const { service, membership } = page;
  return (
    <Stack gap={20}>
      <StepHeading>Relisez et envoyez</StepHeading>
      <Summary page={page} parts={membershipParts} onWrite={go} />
      <Text tone="soft" size="fine">
        En envoyant, vous confirmez que ces informations sont exactes et que l’entreprise est
        d’accord. Vous aurez une réponse {answerDelay("membership")}.
      </Text>
      <ProblemBanner problem={refusalOf(submit.error)} title="Votre demande n’est pas partie." />
      <Actions align="end" wide>
        <Button
          kind="primary"
          icon="send"
          loading={submit.isPending}
          onClick={() =>
            submit.mutate({ service: service.code, version: membership?.version ?? 0 })
          }
        >
          Envoyer ma demande
        </Button>
      </Actions>
    </Stack>
  );
}
