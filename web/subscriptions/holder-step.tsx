// Second step: whose subscription it is, what is known of the conditions, and the papers asked for.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatCardnumber } from "#contract/french.ts";
import type { PaperKind } from "#contract/subscription-states.ts";
import type { SubscriptionFile } from "#contract/subscriptions.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { PaperField } from "./paper-field.tsx";
import { useStep } from "./use-file.ts";

export function HolderStep({ file, onDone }: { file: SubscriptionFile; onDone: () => void }) {
  const { id, holder, formula, conditions, covers, papers } = file;
  const confirm = useStep(api.subscriptions.confirmHolder, onDone);
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState<readonly PaperKind[]>([]);
  const lacking = papers.some(({ document }) => document === null);
  const next = () => {
    setAsked(true);
    if (!lacking) confirm.mutate({ id });
  };
  const tellBusy = (kind: PaperKind) => (now: boolean) =>
    setBusy((before) => [...before.filter((one) => one !== kind), ...(now ? [kind] : [])]);
  return (
    <div className="subscription-price">
      <h2 className="subscription-step">Vérifiez le titulaire</h2>
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
      {papers.length > 0 && (
        <>
          <h3 className="subscription-papers">
            {papers.length === 1 ? "Le document à joindre" : "Les documents à joindre"}
          </h3>
          <p className="subscription-soft">
            Nous les vérifions après le paiement, sous deux jours ouvrés.
          </p>
          {papers.map(({ kind }) => (
            <PaperField
              key={kind}
              file={file}
              kind={kind}
              missing={asked}
              onBusy={tellBusy(kind)}
            />
          ))}
        </>
      )}
      {confirm.error && (
        <Banner tone="danger" alert title="Le dossier ne peut pas continuer.">
          {confirm.error.message}
        </Banner>
      )}
      <div className="subscription-next">
        <Button
          kind="primary"
          iconEnd="forward"
          loading={confirm.isPending || busy.length > 0}
          onClick={next}
        >
          Continuer
        </Button>
      </div>
    </div>
  );
}
