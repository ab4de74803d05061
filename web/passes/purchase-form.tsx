// First step of a purchase: for which card, from when, from which stop.
import { lazy, type ReactNode, Suspense } from "react";
import { api } from "#contract/api.ts";
import { useOwnCards } from "#web/app/shared/own-cards.ts";
import type { Input } from "#contract/endpoint.ts";
import { capital, formatDate, plural } from "#contract/french.ts";
import type { PassOrder } from "#contract/passes/rows.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { uploadFile } from "#web/app/transport/upload.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { dayFault } from "#web/ui/days.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { Skeleton } from "#web/ui/state.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import { Text } from "#web/ui/text.tsx";
import { PriceExplained } from "./price-explained.tsx";
import { ProofLink } from "./proof-link.tsx";
import styles from "./passes.module.css";

// Loaded when the product asks for them: most ask for none.
const DateField = lazy(async () => ({
  default: (await import("#web/ui/date-field.tsx")).DateField,
}));
const Upload = lazy(async () => ({ default: (await import("#web/ui/upload.tsx")).Upload }));
const StopField = lazy(async () => ({ default: (await import("./stop-field.tsx")).StopField }));

type Change = Omit<Input<typeof api.passes.change>, "order">;

/** Writes a change; the answer is at once what every part of the screen reads. */
function useChange(order: PassOrder) {
  return useAction((change: Change) => call(api.passes.change, { order: order.id, ...change }), {
    onDone: (next) => queryClient.setQueryData(keyOf(api.passes.order, { order: next.id }), next),
  });
}

/** Why a card may not have the product; null where it may. */
const reasonOf = ({ riders }: PassOrder, card: number): string | null =>
  riders.find(({ cardnumber }) => cardnumber === card)?.reason ?? null;

interface Choice {
  startOn: string;
  stop: number | null;
  /** The purchase itself keeps the photo: nothing of it is in the form but its fault. */
  photo: null;
}

const faultsOf =
  ({ start, product, photo }: PassOrder) =>
  ({ startOn, stop }: Choice): Faults<Choice> => {
    const missing = "Choisissez quand le titre commence.";
    return {
      startOn:
        start.kind === "day"
          ? dayFault(startOn, { missing, min: start.from, max: start.to })
          : start.kind !== "now" && startOn === "" && missing,
      stop: product.needsStop && stop === null && "Choisissez l’arrêt de montée.",
      photo: product.needsPhoto && photo === null && "Ajoutez une photo du voyageur.",
    };
  };

export function PurchaseForm({ order, onDone }: { order: PassOrder; onDone: () => void }) {
  const riders = useOwnCards({ without: ["replaced"] });
  const change = useChange(order);
  const timed = order.start.kind !== "now";
  const { needsStop } = order.product;
  const barred = reasonOf(order, order.cardnumber);
  const { set, field, errorOf, form } = useForm<Choice>(
    {
      startOn: order.startOn ?? firstOf(order),
      stop: order.stop?.id ?? null,
      photo: null,
    },
    faultsOf(order),
    {
      ...change,
      mutateAsync: async ({ startOn, stop }) => {
        await change.mutateAsync({ ...(timed && { startOn }), ...(needsStop && { stop }) });
        onDone();
      },
    },
    { isLeftFreely: true },
  );
  return (
    <form {...form} className={styles.purchase}>
      <StepHeading>{order.product.name}</StepHeading>
      <Text tone="soft" size="fine">
        {order.product.validity}
      </Text>
      {riders.cards && riders.cards.length > 1 && (
        <RadioGroup
          label="Pour la carte de"
          boxed
          options={riders.cards.map(({ cardnumber, name, relation }) => ({
            value: String(cardnumber),
            label: relation === "self" ? `${name} (ma carte)` : name,
            hint: reasonOf(order, cardnumber),
            disabled: reasonOf(order, cardnumber) !== null,
          }))}
          value={String(order.cardnumber)}
          onValue={(number) =>
            change.mutate(
              { cardnumber: Number(number), startOn: null },
              // What is free for another person is not the same.
              { onSuccess: (next) => set({ startOn: firstOf(next) }) },
            )
          }
        />
      )}
      {order.ineligibility ? (
        <Banner tone="warning" title="Cette carte n’a pas droit à ce titre.">
          {order.ineligibility} <ProofLink offer={order} />
        </Banner>
      ) : barred ? (
        <Banner title={`Rien à acheter pour ${order.holder}.`}>{barred}</Banner>
      ) : (
        <>
          <StartField order={order} {...field("startOn")} />
          {needsStop && (
            <Suspense fallback={<Skeleton height="6rem" />}>
              <StopField idgroup={order.group.idgroup} {...field("stop")} />
            </Suspense>
          )}
          {order.product.needsPhoto && (
            <PhotoField order={order} change={change} error={errorOf("photo")} />
          )}
          <PriceExplained order={order} />
        </>
      )}
      {change.problem && (
        <Refused
          problem={change.problem}
          order={order}
          onStart={(startOn) => set({ startOn })}
          reset={change.reset}
        />
      )}
      {!order.ineligibility && !barred && (
        <FormActions submit="Vérifier l’achat" wide isSending={change.isPending} />
      )}
    </form>
  );
}

/** Days left of a month below which the next one is proposed first. */
const fewDays = 10;

type StartChoice = PassOrder["start"]["choices"][number];
const isNearlyOver = ({ leftDays }: StartChoice): boolean =>
  leftDays !== null && leftDays <= fewDays;

/** The start proposed: the first that is free and not nearly over. */
function firstOf({ start }: PassOrder): string {
  if (start.kind === "day") return start.from;
  const free = start.choices.filter(({ covered }) => !covered);
  return (free.find((choice) => !isNearlyOver(choice)) ?? free[0])?.on ?? "";
}

/** What is to know of a start before it is chosen. */
function aboutStart(choice: StartChoice): string | null {
  if (choice.covered) return "Déjà couvert par un titre";
  if (!isNearlyOver(choice) || choice.leftDays === null) return null;
  return `${plural(choice.leftDays, "jour restant", "jours restants")} seulement, au prix du mois entier`;
}

function StartField({
  order,
  value,
  onValue,
  error,
}: {
  order: PassOrder;
  value: string;
  onValue: (value: string) => void;
  error: ReactNode;
}) {
  const { kind, from, to, choices } = order.start;
  if (kind === "now") return null;
  if (kind === "day") {
    return (
      <Suspense fallback={<Skeleton height="6rem" />}>
        <DateField
          label={order.product.kind === "day" ? "Jour du voyage" : "Premier jour"}
          hint={`Du ${formatDate(from)} au ${formatDate(to)}.`}
          min={from}
          max={to}
          error={error}
          value={value}
          onValue={onValue}
        />
      </Suspense>
    );
  }
  return (
    <RadioGroup
      label={order.product.kind === "month" ? "Mois" : "Année scolaire"}
      boxed
      error={error}
      options={choices.map((choice) => ({
        value: choice.on,
        label: capital(choice.label),
        hint: aboutStart(choice),
        disabled: choice.covered,
      }))}
      value={value === "" ? null : value}
      onValue={onValue}
    />
  );
}

/** The photo that is on the pass: kept by the purchase as soon as it is sent. */
function PhotoField({
  order,
  change,
  error,
}: {
  order: PassOrder;
  change: ReturnType<typeof useChange>;
  error: ReactNode;
}) {
  const files = order.photo ? [order.photo] : [];
  return (
    <Suspense fallback={<Skeleton height="8rem" />}>
      <Upload
        label="Photo du voyageur"
        hint="Le visage de face, sur fond clair."
        error={error}
        files={files}
        max={1}
        onFiles={(next) => {
          const photo = next(files).at(-1)?.id ?? null;
          if (photo !== (order.photo?.id ?? null)) change.send({ photo });
        }}
        send={uploadFile}
      />
    </Suspense>
  );
}

/** What was refused; where a day is free, the way to take it. */
function Refused({
  problem,
  order,
  onStart,
  reset,
}: {
  problem: ApiProblem;
  order: PassOrder;
  onStart: (day: string) => void;
  reset: () => void;
}) {
  if (!problem.definite) {
    return (
      <Banner tone="warning" alert title="Le choix n’a pas pu être enregistré.">
        {problem.message} Réessayez&#8239;: rien n’est payé.
      </Banner>
    );
  }
  const next = freeFrom(order, problem.details["nextOn"]);
  const take = () => {
    onStart(next ?? "");
    reset();
  };
  return (
    <Banner
      tone="danger"
      alert
      title="Cet achat n’est pas possible ainsi."
      actions={
        next !== null && (
          <Button size="small" icon="calendar" onClick={take}>
            Commencer le {formatDate(next)}
          </Button>
        )
      }
    >
      {problem.message}
    </Banner>
  );
}

/** The first start that is possible from a day on, null without one. */
function freeFrom({ start }: PassOrder, day: unknown): string | null {
  if (typeof day !== "string") return null;
  if (start.kind === "choice") return start.choices.find(({ on }) => on >= day)?.on ?? null;
  return day <= start.to ? day : null;
}
