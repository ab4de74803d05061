// The step of the one-time code: the representative's phone is proved, or the e-mail where no SMS leaves.
import { api } from "#contract/api.ts";
import type { MembershipPage } from "#contract/memberships/rows.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { frenchPhone } from "#web/ui/phone-format.ts";
import { Stack } from "#web/ui/stack.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import { Text } from "#web/ui/text.tsx";
import { refusalOf, useStep } from "./use-membership.ts";

export function CodeStep({ page, onDone }: { page: MembershipPage; onDone: () => void }) {
  const { service, membership, codeBy } = page;
  const prove = useStep(api.memberships.prove, { onDone });
  const phone = frenchPhone(membership?.representative?.phonenumber ?? "");
  const address = codeBy === "sms" ? phone : (membership?.representative?.email ?? "");
  return (
    <Stack gap={20}>
      <StepHeading>
        {codeBy === "sms" ? "Confirmez le téléphone" : "Confirmez l’adresse e-mail"}
      </StepHeading>
      {membership?.proved ? (
        <Banner tone="success" title="C’est confirmé.">
          {address}
        </Banner>
      ) : (
        <p>
          Un code à six chiffres part {codeBy === "sms" ? "par SMS au" : "par e-mail à"}{" "}
          <Text as="strong" breakWord>
            {address}
          </Text>
          . Il montre que le représentant y est joignable, et reste valable dix minutes.
        </p>
      )}
      <ProblemBanner problem={refusalOf(prove.error)} title="Rien n’est confirmé." />
      <Actions align="end" wide>
        {membership?.proved ? (
          <Button kind="primary" iconEnd="forward" onClick={onDone}>
            Continuer
          </Button>
        ) : (
          <Button
            kind="primary"
            icon={codeBy === "sms" ? "phone" : "mail"}
            loading={prove.isPending}
            onClick={() =>
              prove.mutate({ service: service.code, version: membership?.version ?? 0 })
            }
          >
            Recevoir le code
          </Button>
        )}
      </Actions>
    </Stack>
  );
}
