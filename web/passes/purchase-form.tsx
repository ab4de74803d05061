// First step of a purchase: for which card, from when, from which stop.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { Input } from "#contract/endpoint.ts";
import { formatDate } from "#contract/french.ts";
import type { PassOrder } from "#contract/passes.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { uploadFile } from "#web/app/upload.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { Combobox } from "#web/ui/combobox.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { TextInput } from "#web/ui/input.tsx";
import { ErrorState } from "#web/ui/state.tsx";
import { Upload } from "#web/ui/upload.tsx";
import { useRiders } from "./cards.ts";
import { PriceExplained } from "./price-explained.tsx";

type Change = Omit<Input<typeof api.passes.change>, "order">;

/** Writes a change; the answer is at once what every part of the screen reads. */
function useChange(order: PassOrder) {
  return useMutation<PassOrder, ApiProblem, Change>({
    mutationFn: (change) => call(api.passes.change, { order: order.id, ...change }),
    onSuccess: (next) =>
      queryClient.setQueryData(keyOf(api.passes.order, { order: next.id }), next),
  });
}

export function PurchaseForm({ order, onDone }: { order: PassOrder; onDone: () => void }) {
  const riders = useRiders();
  const change = useChange(order);
  const only = order.start.choices.length === 1 ? order.start.choices[0]?.on : undefined;
  const [startOn, setStartOn] = useState(order.startOn ?? only ?? firstOf(order));
  const [stop, setStop] = useState(order.stop?.id ?? null);
  const [tries, setTries] = useState(0);
  const tried = tries > 0;
  const timed = order.start.kind !== "now";
  const { needsStop } = order.product;
  const wrong = {
    startOn: tried && timed && startOn === "" && "Choisissez quand le titre commence.",
    stop: tried && needsStop && stop === null && "Choisissez l’arrêt de montée.",
  };
  // At each try that is refused here, not at each choice.
  const form = useFirstError<HTMLFormElement>(tries);
  const submit = () => {
    setTries(tries + 1);
    const unsaid =
      (timed && startOn === "") ||
      (needsStop && stop === null) ||
      (order.product.needsPhoto && order.photo === null);
    if (unsaid || change.isPending) return;
    const wanted = { ...(timed && { startOn }), ...(needsStop && { stop }) };
    change.mutate(wanted, { onSuccess: onDone });
  };
  return (
    <form
      ref={form}
      className="purchase"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <h2 className="purchase-heading">{order.product.name}</h2>
      <p className="offer-note">{order.product.validity}</p>
      {riders.cards && riders.cards.length > 1 && (
        <RadioGroup
          label="Pour la carte de"
          boxed
          options={riders.cards.map(({ cardnumber, name, relation }) => ({
            value: String(cardnumber),
            label: relation === "self" ? `${name} (ma carte)` : name,
          }))}
          value={String(order.cardnumber)}
          onValue={(number) => change.mutate({ cardnumber: Number(number), startOn: null })}
        />
      )}
      {order.barred ? (
        <Banner tone="warning" title="Cette carte n’a pas droit à ce titre.">
          {order.barred}
        </Banner>
      ) : (
        <>
          <StartField order={order} value={startOn} onValue={setStartOn} error={wrong.startOn} />
          {needsStop && (
            <StopField
              idgroup={order.group.idgroup}
              value={stop}
              onValue={setStop}
              error={wrong.stop}
            />
          )}
          {order.product.needsPhoto && (
            <PhotoField order={order} change={change} missing={tried && order.photo === null} />
          )}
          <PriceExplained order={order} />
        </>
      )}
      {change.error && (
        <Refused problem={change.error} order={order} onStart={setStartOn} reset={change.reset} />
      )}
      {!order.barred && (
        <Button type="submit" kind="primary" wide loading={change.isPending}>
          Vérifier l’achat
        </Button>
      )}
    </form>
  );
}

const firstOf = ({ start }: PassOrder): string => (start.kind === "day" ? start.from : "");

function StartField({
  order,
  value,
  onValue,
  error,
}: {
  order: PassOrder;
  value: string;
  onValue: (value: string) => void;
  error: string | false;
}) {
  const { kind, from, to, choices } = order.start;
  if (kind === "now") return null;
  if (kind === "day") {
    return (
      <TextInput
        type="date"
        label={order.product.kind === "day" ? "Jour du voyage" : "Premier jour"}
        hint={`Du ${formatDate(from)} au ${formatDate(to)}.`}
        min={from}
        max={to}
        error={error}
        value={value}
        onValue={onValue}
      />
    );
  }
  return (
    <RadioGroup
      label={order.product.kind === "month" ? "Mois" : "Année scolaire"}
      boxed
      error={error}
      options={choices.map(({ on, label }) => ({ value: on, label: capital(label) }))}
      value={value === "" ? null : value}
      onValue={onValue}
    />
  );
}

/** The photo that is on the pass: kept by the purchase as soon as it is sent. */
function PhotoField({
  order,
  change,
  missing,
}: {
  order: PassOrder;
  change: ReturnType<typeof useChange>;
  missing: boolean;
}) {
  const files = order.photo ? [order.photo] : [];
  return (
    <Upload
      label="Photo du voyageur"
      hint="Le visage de face, sur fond clair."
      error={missing && "Ajoutez une photo du voyageur."}
      files={files}
      most={1}
      onFiles={(next) => {
        const photo = next(files).at(-1)?.id ?? null;
        if (photo !== (order.photo?.id ?? null)) change.mutate({ photo });
      }}
      send={uploadFile}
    />
  );
}

/** Stops of the group, found by typing. */
function StopField({
  idgroup,
  value,
  onValue,
  error,
}: {
  idgroup: number;
  value: number | null;
  onValue: (stop: number | null) => void;
  error: string | false;
}) {
  const stops = useAnswer(api.transit.stops, { group: idgroup });
  if (stops.isError) {
    return (
      <ErrorState
        title="Les arrêts n’ont pas pu être chargés."
        message={stops.error.message}
        retrying={stops.isFetching}
        onRetry={() => void stops.refetch()}
      />
    );
  }
  return (
    <Combobox
      label="Arrêt de montée"
      hint="Tapez le début de son nom."
      error={error}
      options={(stops.data?.items ?? []).map(({ id, name }) => ({
        value: String(id),
        label: name,
      }))}
      value={value === null ? null : String(value)}
      onValue={(chosen) => onValue(chosen === null ? null : Number(chosen))}
    />
  );
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

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
