// « Contrôle des billets » : the door of an event. Each ticket is admitted once, whoever of the company
// reads it; what was read last stays in sight.
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatTime, plural } from "#contract/french.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { Camera, hasCamera } from "#web/app/camera.tsx";
import { useOnline } from "#web/app/use-observed.ts";
import { signal } from "#web/app/verdict-signal.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Verdict } from "#web/ui/verdict.tsx";
import styles from "./door.module.css";

type Admission = Output<typeof api.tickets.scan>;
type Way = "camera" | "reader";
const ways: readonly { value: Way; label: string }[] = [
  { value: "reader", label: "Lecteur" },
  { value: "camera", label: "Appareil photo" },
];

/** What was read on this device since the screen was opened. */
interface Reading {
  at: string;
  admission: Admission | null;
  problem: string | null;
}

const mostShown = 20;

export function DoorPage() {
  const online = useOnline();
  const [way, setWay] = useState<Way>("reader");
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  const keep = (one: Omit<Reading, "at">) => {
    signal(one.admission ? "success" : "danger");
    setReadings((before) => [{ ...one, at: new Date().toISOString() }, ...before]);
  };
  const reading = useMutation<Admission, ApiProblem, string>({
    mutationFn: (token) => call(api.tickets.scan, { token }),
    onSuccess: (admission) => keep({ admission, problem: null }),
    onError: ({ message }) => keep({ admission: null, problem: message }),
  });
  const read = (text: string) => {
    const token = text.trim();
    if (token !== "" && !reading.isPending) reading.mutate(token);
  };
  const admitted = readings.filter(({ admission }) => admission).length;
  return (
    <Page narrow>
      <PageHeader
        title="Contrôle des billets"
        lead={
          readings.length > 0
            ? plural(admitted, "entrée sur cet appareil", "entrées sur cet appareil")
            : "Lisez le code de chaque billet à l’entrée de votre événement."
        }
      />
      {!online && (
        <Banner tone="warning" title="Sans réseau, aucun billet ne peut être contrôlé ici.">
          Un billet n’entre qu’une fois{"\u202f"}: chaque code est vérifié auprès du serveur.
        </Banner>
      )}
      <Last reading={readings[0] ?? null} isReading={reading.isPending} />
      <Section>
        <Chips
          label="Lire les billets"
          options={ways.filter(({ value }) => hasCamera() || value !== "camera")}
          value={[way]}
          onValue={setWay}
        />
        {way === "camera" ? (
          <Camera onCode={read} instead="ou branchez un lecteur de codes" />
        ) : (
          <Reader isReading={reading.isPending} onText={read} />
        )}
      </Section>
      {readings.length > 1 && (
        <Section title="Avant">
          <ul className={styles.readings}>
            {readings.slice(1, mostShown).map(({ at, admission, problem }) => (
              <li key={at}>
                <span>
                  <strong>{admission?.holder ?? "Refusé"}</strong>{" "}
                  <span className={styles.soft}>
                    {formatTime(at)} · {admission ? admission.category : problem}
                  </span>
                </span>
                <Badge tone={admission ? "success" : "danger"}>
                  {admission ? "Entré" : "Refusé"}
                </Badge>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Page>
  );
}

function Last({ reading, isReading }: { reading: Reading | null; isReading: boolean }) {
  if (!reading) {
    return <Verdict words={isReading ? "Vérification…" : "Présentez le code d’un billet."} />;
  }
  const { admission, problem } = reading;
  return (
    <Verdict
      tone={admission ? "success" : "danger"}
      words={admission ? "Entrée" : "Refusé"}
      help={
        admission ? (
          <>
            <span>
              {admission.holder} · {admission.category}
            </span>
            <span>
              {admission.title}, {formatTime(admission.startsAt)} · billet {admission.reference}
            </span>
          </>
        ) : (
          <span>{problem}</span>
        )
      }
    />
  );
}

/** A hand reader types the code and ends it with Enter; the field is ready for the next one. */
function Reader({ isReading, onText }: { isReading: boolean; onText: (text: string) => void }) {
  const [typed, setTyped] = useState("");
  const field = useRef<HTMLDivElement>(null);
  const send = () => {
    onText(typed);
    setTyped("");
    field.current?.querySelector("input")?.focus();
  };
  return (
    <div ref={field} className={styles.reader}>
      <TextInput
        label="Code du billet"
        value={typed}
        onValue={setTyped}
        onKeyDown={({ key }) => key === "Enter" && send()}
        autoComplete="off"
        enterKeyHint="go"
      />
      <Button kind="primary" icon="check" wide loading={isReading} onClick={send}>
        Contrôler
      </Button>
    </div>
  );
}
