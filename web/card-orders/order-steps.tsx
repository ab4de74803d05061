// The steps of an order: the stepper, its current step, and the way to give the draft up.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import type { CardOrderDesk } from "#contract/card-orders/rows.ts";
import { cardOrderSteps } from "#contract/card-orders/states.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, Loaded, Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { notify } from "#web/ui/toast.tsx";
import { stepNames, stepOf, useGo } from "./navigation.ts";
import { useDraft } from "./use-draft.ts";
import styles from "./card-orders.module.css";

const PersonsStep = lazy(async () => ({
  default: (await import("./persons-step.tsx")).PersonsStep,
}));
const DesignStep = lazy(async () => ({ default: (await import("./design-step.tsx")).DesignStep }));
const DeliveryStep = lazy(async () => ({
  default: (await import("./delivery-step.tsx")).DeliveryStep,
}));
const PriceStep = lazy(async () => ({ default: (await import("./price-step.tsx")).PriceStep }));

export function OrderSteps({ step }: { step: string | undefined }) {
  const desk = useAnswer(api.cardOrders.desk, {});
  if (desk.error?.code === "company_role" || desk.error?.code === "company_missing") {
    return (
      <EmptyState
        icon="lock"
        title="Le responsable commande les cartes"
        action={<ButtonLink href={paths.cardOrders}>Voir les commandes</ButtonLink>}
      >
        {desk.error.message}
      </EmptyState>
    );
  }
  return (
    <Section>
      <Loaded
        answer={desk}
        label="Chargement de la commande…"
        lines={5}
        height="3rem"
        failed="La commande n’a pas pu être chargée."
      >
        {(data) => <Steps desk={data} step={step} />}
      </Loaded>
    </Section>
  );
}

function Steps({ desk, step }: { desk: CardOrderDesk; step: string | undefined }) {
  const { draft } = desk;
  const [last, setLast] = useState<string | null>(null);
  if (draft && draft.id !== last) setLast(draft.id);
  const now = stepOf(draft, step);
  const current = cardOrderSteps.indexOf(now);
  const place = useFocusAtStep(current);
  const { toStep, toOrder } = useGo();
  const to = (offset: number) => toStep(cardOrderSteps[current + offset] ?? "price");
  const next = () => to(1);
  // The draft that was here a moment ago may be ordered, in another tab or by an act whose answer was lost.
  const options = { enabled: draft === null && last !== null };
  const ordered = useAnswer(api.cardOrders.dispatch, { id: last ?? "" }, options);
  if (draft === null && last !== null && ordered.isPending) {
    return <Skeleton lines={5} height="3rem" />;
  }
  if (draft === null && last !== null && ordered.data) {
    return (
      <EmptyState
        icon="check"
        title="Cette commande est passée"
        action={
          <Button kind="primary" onClick={() => toOrder(last)}>
            Suivre la commande
          </Button>
        }
      >
        Elle n’est passée qu’une fois.
      </EmptyState>
    );
  }
  return (
    <Stack ref={place} gap={20}>
      <Stepper
        label="Étapes de la commande"
        steps={stepNames}
        current={current}
        onBack={current > 0 ? () => to(-1) : undefined}
      />
      <Suspense fallback={<Skeleton lines={5} height="3rem" />}>
        {now === "persons" && <PersonsStep desk={desk} onDone={next} />}
        {draft && now === "design" && <DesignStep desk={desk} draft={draft} onDone={next} />}
        {draft && now === "delivery" && <DeliveryStep desk={desk} draft={draft} onDone={next} />}
        {draft && now === "price" && <PriceStep desk={desk} draft={draft} />}
      </Suspense>
      {draft && <Discard revision={draft.revision} />}
    </Stack>
  );
}

function Discard({ revision }: { revision: number }) {
  const [asking, setAsking] = useState(false);
  const { toList } = useGo();
  const discard = useDraft(api.cardOrders.discard, () => {
    notify({ text: "Le brouillon est effacé.", kind: "success" });
    toList();
  });
  return (
    <div className={styles.discard}>
      <Button kind="ghost" size="small" icon="trash" onClick={() => setAsking(true)}>
        Effacer cette commande
      </Button>
      <ConfirmAction
        act={discard}
        input={asking ? { revision } : null}
        failed="Le brouillon n’est pas effacé."
        onClose={() => setAsking(false)}
        title={"Effacer cette commande\u202f?"}
        confirm="Effacer"
        cancel="La garder"
        danger
      >
        Les personnes, le modèle et l’adresse sont effacés tout de suite. Rien n’est commandé.
      </ConfirmAction>
    </div>
  );
}
