// What a company is owed now: on its account, at the bank, and in the month that runs.
import { api } from "#contract/api.ts";
import { formatDate, formatDateTime, formatMoney } from "#contract/french.ts";
import type { SettlementSummary } from "#contract/settlement/rows.ts";
import { settlementSourceNames } from "#contract/settlement/states.ts";
import { useAnswer } from "#web/app/answers.ts";
import { Banner } from "#web/ui/banner.tsx";
import { DefinitionList, Section, Stack } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";

export function OwedNow() {
  const answer = useAnswer(api.settlement.summary, {}, { atOnce: true });
  return (
    <Section title="À vous verser">
      {answer.isPending && (
        <Loading label="Chargement de ce qui vous est dû…">
          <Skeleton lines={3} height="2.5rem" />
        </Loading>
      )}
      {answer.isError && !answer.data && (
        <ErrorState title="Ce qui vous est dû n’a pas pu être chargé." answer={answer} />
      )}
      {answer.data && <Figures summary={answer.data} />}
    </Section>
  );
}

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
  return null;
}
