// The step of documents: whose subscription it is, what is known of the conditions, the proofs asked for.
import { useState } from "react";
import { answerDelay } from "#contract/answer-delay.ts";
import { api } from "#contract/api.ts";
import { formatCardnumber } from "#contract/french.ts";
import type { SubscriptionProofKind } from "#contract/subscriptions/states.ts";
import type { SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import { Text } from "#web/ui/text.tsx";
import { ProofField } from "./proof-field.tsx";
import { useStep } from "./use-application.ts";
import styles from "./subscriptions.module.css";

export function HolderStep({
  application,
  onDone,
}: {
  application: SubscriptionApplication;
  onDone: () => void;
}) {
  const { id, holder, formula, conditions, covers, proofs } = application;
  const confirm = useStep(api.subscriptions.confirmHolder, onDone);
  const [showMissing, setShowMissing] = useState(false);
  const [busy, setBusy] = useState<readonly SubscriptionProofKind[]>([]);
  const lacking = proofs.some(({ document }) => document === null);
  const next = () => {
    setShowMissing(true);
    if (!lacking) confirm.send({ id });
  };
  const tellBusy = (kind: SubscriptionProofKind) => (now: boolean) =>
    setBusy((before) => [...before.filter((one) => one !== kind), ...(now ? [kind] : [])]);
  return (
    <Stack gap={20}>
      <StepHeading>Vérifiez le titulaire</StepHeading>
      <DefinitionList
        items={[
          { label: "Titulaire", value: holder.name },
          { label: "Carte", value: formatCardnumber(holder.cardnumber) },
          { label: "Formule", value: formula.name },
          covers.length > 0 ? { label: "Couvre aussi", value: covers.join(", ") } : null,
          ...conditions.map(({ met, says }) => ({
            label: says.replace(/\.$/, ""),
            value:
              met === "yes" ? (
                <Badge tone="success">Vérifié</Badge>
              ) : (
                <Badge tone="info">À justifier</Badge>
              ),
          })),
        ]}
      />
      {proofs.length > 0 && (
        <>
          <h3 className={styles.subscriptionProofs}>
            {proofs.length === 1 ? "Le document à joindre" : "Les documents à joindre"}
          </h3>
          <Text tone="soft" size="fine">
            Nous les vérifions après le paiement, {answerDelay("subscription")}.
          </Text>
          {proofs.map(({ kind }) => (
            <ProofField
              key={kind}
              application={application}
              kind={kind}
              missing={showMissing}
              onBusy={tellBusy(kind)}
            />
          ))}
        </>
      )}
      <ProblemBanner problem={confirm.error} title="Le dossier ne peut pas continuer." />
      <Actions align="end" wide>
        <Button
          kind="primary"
          iconEnd="forward"
          loading={confirm.isPending || busy.length > 0}
          onClick={next}
        >
          Continuer
        </Button>
      </Actions>
    </Stack>
  );
}
