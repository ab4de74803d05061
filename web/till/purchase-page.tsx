// « Achat en caisse » : what was bought at a counter, what paid it, what was given back, and the receipt.
import { useParams } from "@tanstack/react-router";
import { api } from "#contract/api.ts";
import { formatDateTime } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import {
  purchaseFacts,
  purchaseLines,
  purchaseMeans,
  purchaseSums,
  type TillPurchase,
} from "#contract/till/purchases.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { NotFound } from "#web/app/shared/states.tsx";
import { DefinitionList, Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { Loaded } from "#web/ui/state.tsx";

export function TillPurchasePage() {
  const { sale = "" } = useParams({ strict: false });
  const answer = useAnswer(api.till.purchase, { sale });
  const { data, error } = answer;
  if (error && !data && [400, 404].includes(error.status)) return <NotFound />;
  return (
    <Page narrow>
      <PageHeader
        title="Achat en caisse"
        lead={data ? `${data.partner}, ${formatDateTime(data.at)}` : "\u00a0"}
        back={{ href: paths.dashboard, label: "Ma carte" }}
      />
      <Loaded
        answer={answer}
        label="Chargement de l’achat…"
        lines={8}
        height="2.5rem"
        failed="L’achat n’a pas pu être chargé."
      >
        {(purchase) => <Purchase purchase={purchase} />}
      </Loaded>
    </Page>
  );
}

const listed = (facts: readonly (readonly [string, string])[]) =>
  facts.map(([label, value]) => ({ label, value }));

const Purchase = ({ purchase }: { purchase: TillPurchase }) => (
  <Stack gap={24}>
    <Section title="Montant">
      <p>
        <Money cents={purchase.paidCents - purchase.refundedCents} size="large" />
      </p>
      <DefinitionList items={listed(purchaseSums(purchase))} />
      <Row>
        <DownloadButton
          row={api.till.purchaseReceipt}
          input={{ sale: purchase.id }}
          failed="Le reçu n’a pas pu être préparé."
        >
          Télécharger le reçu (PDF)
        </DownloadButton>
      </Row>
    </Section>
    {purchase.lines.length > 0 && (
      <Section title="Articles">
        <DefinitionList items={listed(purchaseLines(purchase))} />
      </Section>
    )}
    <Section title="Payé avec">
      <DefinitionList items={listed(purchaseMeans(purchase))} />
    </Section>
    <Section title="Reçu">
      <DefinitionList items={listed(purchaseFacts(purchase))} />
    </Section>
  </Stack>
);
