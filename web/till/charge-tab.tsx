// Charging a card: the amount, then the code that the person shows or the number of the card. A sale
// bears one id from the first press to its answer: sent again after a lost answer, it is one sale.
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { Input } from "#contract/endpoint.ts";
import { formatMoney } from "#contract/french.ts";
import { loyalty } from "#contract/till/point-limits.ts";
import { discountOf, offlineTill, till as limits } from "#contract/till/limits.ts";
import type { TillCounter, TillSale } from "#contract/till/rows.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { Camera, hasCamera } from "#web/signed-codes/camera.tsx";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { noteAnswer, useServerUnreachable } from "#web/app/transport/server-answers.ts";
import { signal } from "#web/signed-codes/verdict-signal.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox, Chips } from "#web/ui/choice.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { Verdict } from "#web/ui/verdict.tsx";
import type { StoredCharge } from "./offline-charges.ts";
import { ChargeResult } from "./charge-result.tsx";
import { termsOf, verdictToneOf } from "./till-words.ts";
import { noSearch } from "./sale-search.ts";
import { keepSale } from "./use-till.ts";
import styles from "./till.module.css";

const OfflineChargeResult = lazy(async () => ({
  default: (await import("./offline-charge-result.tsx")).OfflineChargeResult,
}));

type ChargeInput = Input<typeof api.till.charge>;
/** `offline`: kept on this device, to be charged once the network is back. */
type ChargeRequest = ChargeInput & { offline: boolean };
type ReadMethod = "number" | "camera";
const ways: readonly { value: ReadMethod; label: string }[] = [
  { value: "number", label: "Lecteur ou numéro" },
  { value: "camera", label: "Appareil photo" },
];

/** A charge that takes longer says that it is under way. */
const slowAfterMs = 1000;

/** The typed values of the next sale. */
export interface TypedSale {
  amountCents: number | null;
  label: string;
  usePoints: boolean;
}
export const emptySale: TypedSale = { amountCents: null, label: "", usePoints: false };

export function ChargeTab({
  counter,
  typed,
  onTyped,
}: {
  counter: TillCounter;
  typed: TypedSale;
  onTyped: (typed: TypedSale) => void;
}) {
  const { amountCents, label, usePoints } = typed;
  const [showErrors, setShowErrors] = useState(false);
  const [way, setWay] = useState<ReadMethod>("number");
  const [sold, setSold] = useState<TillSale | StoredCharge | null>(null);
  const form = useRef<HTMLDivElement>(null);
  const online = !useServerUnreachable();
  const charging = useCharging(counter, setSold);
  const fault = faultOf(amountCents, online);
  const read = (text: string) => {
    setShowErrors(true);
    if (fault !== null || amountCents === null || charging.isPending || text.trim() === "") {
      if (fault !== null) form.current?.querySelector("input")?.focus();
      return;
    }
    const number = Number(text.replaceAll(/\s/g, ""));
    charging.mutate({
      offline: !online,
      id: crypto.randomUUID(),
      partner: counter.id,
      amountCents,
      ...(label.trim() && { label: label.trim() }),
      ...(usePoints && online && { usePoints }),
      ...(Number.isSafeInteger(number) ? { cardnumber: number } : { token: text.trim() }),
    });
  };
  const next = () => {
    charging.reset();
    setSold(null);
    onTyped(emptySale);
    setShowErrors(false);
    // The field is there again once this is drawn.
    requestAnimationFrame(() => form.current?.querySelector("input")?.focus());
  };
  if (sold) return <SoldAny sold={sold} onNext={next} />;
  return (
    <Section>
      <Charging charging={charging} />
      <div ref={form}>
        <AmountInput
          label="Montant"
          cents={amountCents}
          onCents={(cents) => onTyped({ ...typed, amountCents: cents })}
          error={showErrors && fault}
          hint={termsOf(counter)}
        />
      </div>
      {amountCents !== null && counter.discountPercent > 0 && !fault && (
        <Price amountCents={amountCents} percent={counter.discountPercent} />
      )}
      <TextInput
        label="Objet"
        optional
        value={label}
        onValue={(text) => onTyped({ ...typed, label: text })}
        maxLength={80}
      />
      {counter.takesPoints && online && (
        <Checkbox
          label="Utiliser ses points"
          hint={`1 point enlève ${formatMoney(loyalty.pointCents)}. Demandez d’abord à la personne.`}
          checked={usePoints}
          onChecked={(checked) => onTyped({ ...typed, usePoints: checked })}
        />
      )}
      <Chips
        label="Lire la carte"
        options={ways.filter(({ value }) => hasCamera() || value !== "camera")}
        value={[way]}
        onValue={setWay}
      />
      {way === "camera" && !fault && !charging.isPending && (
        <Camera onCode={read} instead="ou tapez le numéro de la carte" />
      )}
      {way === "camera" && fault && <Text tone="soft">Indiquez d’abord le montant.</Text>}
      {way === "number" && (
        <ByText
          isSending={charging.isPending}
          onText={read}
          hint={
            online
              ? "Un lecteur tape le code. Avec un numéro, la personne confirme sur son téléphone."
              : "Hors connexion, seul le QR code de la carte sert."
          }
        />
      )}
    </Section>
  );
}

type Charging = ReturnType<typeof useCharging>;

/** That the last charge was refused, or that it takes long; the form stays below. */
function Charging({ charging }: { charging: Charging }) {
  const { isPending, submittedAt, error } = charging;
  const [slow, setSlow] = useState(0);
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => setSlow(submittedAt), slowAfterMs);
    return () => clearTimeout(timer);
  }, [isPending, submittedAt]);
  if (error) return <Refused charging={charging} error={error} />;
  return isPending && slow === submittedAt ? (
    <Verdict news={submittedAt} words="Encaissement en cours…" />
  ) : null;
}

function useCharging(counter: TillCounter, onSold: (sold: TillSale | StoredCharge) => void) {
  return useMutation<TillSale | StoredCharge, ApiProblem, ChargeRequest>({
    mutationFn: async ({ offline, ...input }) =>
      offline
        ? (await import("./offline-charges.ts")).chargeOffline(counter, input)
        : call(api.till.charge, input),
    onSuccess: (sold) => {
      signal("charge" in sold ? "success" : verdictToneOf(sold));
      onSold(sold);
      if (!("charge" in sold)) keepSale(sold);
    },
    onError: (problem, { offline }) => {
      signal(problem.isUnknown ? "warning" : "danger");
      if (!offline) noteAnswer(problem);
    },
  });
}

/** Why nothing is charged; without an answer nobody knows: the same sale is sent again, or kept for later. */
function Refused({ charging, error }: { charging: Charging; error: ApiProblem }) {
  const { variables, submittedAt } = charging;
  const [, change] = useSearchParameters<"till">();
  const retried = error.definite ? undefined : variables;
  const keepable = retried?.token && retried.amountCents <= offlineTill.chargeCents;
  return (
    <Verdict
      news={submittedAt}
      tone={error.isUnknown ? "warning" : "danger"}
      words={error.isUnknown ? "Pas de réponse" : "Rien n’est encaissé"}
      help={
        <span>
          {error.isUnknown
            ? "L’achat est peut-être encaissé. Renvoyez la demande : il ne l’est qu’une fois."
            : error.message}
        </span>
      }
    >
      {error.code === "till_waiting" && (
        <Button wide onClick={() => change({ ...noSearch, tab: "ventes" })}>
          Voir la demande
        </Button>
      )}
      {retried && (
        <Stack gap={12}>
          <Button
            wide
            icon="refresh"
            onClick={() => charging.mutate({ ...retried, offline: false })}
          >
            Renvoyer la même demande
          </Button>
          {keepable && (
            <Button
              wide
              icon="wifiOff"
              onClick={() => charging.mutate({ ...retried, offline: true })}
            >
              Encaisser hors connexion
            </Button>
          )}
        </Stack>
      )}
    </Verdict>
  );
}

const SoldAny = ({ sold, onNext }: { sold: TillSale | StoredCharge; onNext: () => void }) =>
  "charge" in sold ? (
    <Suspense>
      <OfflineChargeResult sold={sold} onNext={onNext} />
    </Suspense>
  ) : (
    <ChargeResult id={sold.id} onNext={onNext} />
  );

function faultOf(cents: number | null, online: boolean): string | null {
  if (cents === null) return "Indiquez le montant de l’achat.";
  if (cents < limits.minCents) return `Le montant commence à ${formatMoney(limits.minCents)}.`;
  if (!online && cents > offlineTill.chargeCents) {
    return `Hors connexion, un achat ne dépasse pas ${formatMoney(offlineTill.chargeCents)}.`;
  }
  return cents > limits.maxCents
    ? `Un achat ne dépasse pas ${formatMoney(limits.maxCents)}.`
    : null;
}

function Price({ amountCents, percent }: { amountCents: number; percent: number }) {
  const discountCents = discountOf(amountCents, percent);
  return (
    <p className={styles.price}>
      <span>
        À payer après la remise de <Money cents={discountCents} />
      </span>
      <Money cents={amountCents - discountCents} size="large" />
    </p>
  );
}

function ByText({
  isSending,
  onText,
  hint,
}: {
  isSending: boolean;
  onText: (text: string) => void;
  hint: string;
}) {
  const [typed, setTyped] = useState("");
  const send = () => {
    onText(typed);
    setTyped("");
  };
  return (
    <Stack gap={12}>
      <TextInput
        label="Code de la carte, ou son numéro"
        hint={hint}
        value={typed}
        onValue={setTyped}
        // A hand reader ends what it types with this key.
        onKeyDown={({ key }) => key === "Enter" && send()}
        autoComplete="off"
        enterKeyHint="go"
      />
      <Button kind="primary" icon="check" wide loading={isSending} onClick={send}>
        Encaisser
      </Button>
    </Stack>
  );
}
