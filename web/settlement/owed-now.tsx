// The sums that a company is owed now: on its account, at the bank, and in the month that runs.
import type { UseQueryResult } from "@tanstack/react-query";
import { formatDate, formatDateTime, formatMoney } from "#contract/french.ts";
import type { SettlementSummary } from "#contract/settlement/rows.ts";
import { settlementSourceNames } from "#contract/settlement/states.ts";
import { Banner } from "#web/ui/banner.tsx";
import { DefinitionList, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { ErrorState } from "#web/ui/state.tsx";

export const OwedNow = ({ answer }: { answer: UseQueryResult<SettlementSummary> }) => (
  <Section title="À vous verser">
    {answer.isError && !answer.data && (
      <ErrorState title="Ce qui vous est dû n’a pas pu être chargé." answer={answer} />
    )}
    {answer.data && <Figures summary={answer.data} />}
  </Section>
);

function Figures({ summary }: { summary: SettlementSummary }) {
  const { owedCents, sentCents, running, iban } = summary;
  const since = running.since ? `depuis le ${formatDate(running.since)}` : "à ce jour";
  return (
    <Stack>
      <p>
        <Money cents={owedCents} size="large" />
      </p>
      <Hold summary={summary} />
      <DefinitionList
        items={[
          ...(sentCents > 0
            ? [{ label: "Transmis à la banque", value: <Money cents={sentCents} /> }]
            : []),
          ...(iban ? [{ label: "Compte à créditer", value: iban }] : []),
          ...running.sources.map(({ source, grossCents }) => ({
            label: `${settlementSourceNames[source]} ${since}, avant commission`,
            value: <Money cents={grossCents} />,
          })),
        ]}
      />
    </Stack>
  );
}

/** Why the next batch would leave the company out. */
function Hold({ summary: { hold, holdUntil, owedCents } }: { summary: SettlementSummary }) {
  if (owedCents < 0) {
    return (
      <Banner tone="info" title="Vos remboursements dépassent vos ventes">
        {formatMoney(-owedCents)} seront déduits du prochain règlement.
      </Banner>
    );
  }
  if (hold === "frozen" && holdUntil) {
    return (
      <Banner tone="info" title="Votre compte bancaire vient de changer">
        Par sécurité, aucun versement ne part avant le {formatDateTime(holdUntil)}.
      </Banner>
    );
  }
  if (hold === "no_account" || hold === "bad_iban") {
    return (
      <Banner tone="warning" title="Aucun compte bancaire valable">
        Rien ne peut vous être versé. La personne responsable de l’entreprise renseigne l’IBAN.
      </Banner>
    );
  }
  if (hold === "incomplete_account") {
    return (
      <Banner tone="warning" title="Compte bancaire à compléter">
        Rien ne peut vous être versé. La personne responsable de l’entreprise renseigne de nouveau
        le compte, avec son BIC et son titulaire en lettres latines.
      </Banner>
    );
  }
  return null;
}
