// The transfer that a grant waits for, or that it is owed: where it goes, what it quotes, the call for funds;
// before it has come the owner may pay otherwise.
import { api } from "#contract/api.ts";
import { formatDate } from "#contract/french.ts";
import type { GrantView } from "#contract/grants/rows.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { DefinitionList, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";

export function ExpectedTransfer({
  grant: { id, state, owedCents, canDecide },
  transfer,
}: {
  grant: GrantView;
  transfer: NonNullable<GrantView["transfer"]>;
}) {
  const cancel = useAction(() => call(api.grants.cancelTransfer, { grant: id }), {
    onDone: (answer) => queryClient.setQueryData(keyOf(api.grants.read, { grant: id }), answer),
  });
  const waits = state === "awaiting";
  return (
    <Section title="Par virement">
      <Stack gap={20}>
        <p>
          {waits
            ? `L’argent sera sur les cartes dès que ce virement est reçu, avant le ${formatDate(transfer.until)}.`
            : `L’argent est sur les cartes. Virez-le avant le ${formatDate(transfer.until)}.`}
        </p>
        <DefinitionList
          items={[
            { label: "Montant", value: <Money cents={owedCents} /> },
            { label: "Bénéficiaire", value: transfer.holder },
            { label: "IBAN", value: transfer.iban.replaceAll(/(.{4})(?=.)/g, "$1\u00a0") },
            { label: "BIC", value: transfer.bic },
            { label: "Référence à rappeler", value: transfer.reference },
          ]}
        />
        <ProblemBanner problem={cancel.problem} />
        <Row>
          <DownloadButton
            row={api.grants.request}
            input={{ grant: id }}
            failed="L’appel de fonds n’a pas pu être préparé."
          >
            Télécharger l’appel de fonds
          </DownloadButton>
          {waits && canDecide && (
            <Button kind="ghost" loading={cancel.isPending} onClick={() => cancel.send()}>
              Payer autrement
            </Button>
          )}
        </Row>
      </Stack>
    </Section>
  );
}
