// « Contrôle des billets et des titres » : the door of an event, or of a bus. Each ticket is admitted once,
// whoever of the company reads it; a pass is told as it is now. What was read last stays in sight.
import { useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatDate, formatTime, plural } from "#contract/french.ts";
import { codeKinds } from "#contract/signed-codes/kinds.ts";
import { call } from "#web/app/transport/api.ts";
import { hasCamera } from "#web/signed-codes/camera-permission.ts";
import { Camera } from "#web/signed-codes/camera.tsx";
import { ForRoles } from "#web/app/shared/own-roles.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { useOnline } from "#web/app/transport/use-observed.ts";
import { signal } from "#web/signed-codes/verdict-signal.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { Verdict, type VerdictTone } from "#web/ui/verdict.tsx";
import styles from "./door.module.css";

type Admission = Output<typeof api.tickets.scan>;
type Control = Output<typeof api.passes.control>;
type ReadMethod = "camera" | "reader";
const ways: readonly { value: ReadMethod; label: string }[] = [
  { value: "reader", label: "Lecteur" },
  { value: "camera", label: "Appareil photo" },
];

/** The verdict on a code. */
interface Said {
  /** Null for what was refused. */
  kind: "ticket" | "pass" | null;
  tone: VerdictTone;
  words: string;
  who: string | null;
  /** The price of a ticket, the name of a pass, or why it is refused. */
  about: string;
  more?: string;
  /** The control just before of the same pass. */
  again?: string | null;
}

/** A code that was read on this device since the screen was opened. */
interface Reading extends Said {
  at: string;
}

const maxVisible = 20;

export const DoorPage = () => (
  <ForRoles may="charge" title="Contrôle des billets et des titres">
    <CodeControl />
  </ForRoles>
);

function CodeControl() {
  const online = useOnline();
  const [way, setWay] = useState<ReadMethod>("reader");
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  const keep = (one: Said) => {
    signal(one.tone);
    setReadings((before) => [{ ...one, at: new Date().toISOString() }, ...before]);
  };
  const reading = useAction(readCode, {
    onDone: keep,
    onRefused: (problem) => keep((problem.definite ? refusal : undecided)(problem.message)),
  });
  const read = (text: string) => {
    const token = text.trim();
    if (token !== "" && !reading.isPending) reading.send(token);
  };
  return (
    <Page narrow>
      <PageHeader
        title="Contrôle des billets et des titres"
        lead={
          readings.length > 0
            ? countOf(readings)
            : "Lisez le code de chaque billet de votre événement, ou de chaque titre de votre réseau."
        }
      />
      {!online && (
        <Banner tone="warning" title="Sans réseau, aucun code ne peut être contrôlé ici.">
          Un billet n’entre qu’une fois et un titre peut être suspendu{"\u202f"}: chaque code est
          vérifié auprès du serveur.
        </Banner>
      )}
      <Last
        reading={readings[0] ?? null}
        verifiedSince={reading.isPending ? reading.submittedAt : null}
      />
      <Section>
        <Chips
          label="Lire les codes"
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
            {readings.slice(1, maxVisible).map(({ at, tone, words, who, about }) => (
              <li key={at}>
                <span>
                  <strong>{who ?? "Code lu"}</strong>{" "}
                  <Text as="span" tone="soft">
                    {formatTime(at)} · {about}
                  </Text>
                </span>
                <Badge tone={tone}>{words}</Badge>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Page>
  );
}

/** The mark that a code begins with says what it is of; the server judges the rest. */
async function readCode(token: string): Promise<Said> {
  return token.startsWith(codeKinds.pass)
    ? controlled(await call(api.passes.control, { token }))
    : admitted(await call(api.tickets.scan, { token }));
}

const admitted = ({ holder, category, title, startsAt, reference }: Admission): Said => ({
  kind: "ticket",
  tone: "success",
  words: "Entré",
  who: holder,
  about: category,
  more: `${title}, ${formatTime(startsAt)} · billet ${reference}`,
});

function controlled(pass: Control): Said {
  const until =
    pass.kind === "single"
      ? `jusqu’à ${formatTime(pass.validUntil)}`
      : `jusqu’au ${formatDate(pass.lastDay)} inclus`;
  const from = pass.stop === null ? "" : ` · arrêt ${pass.stop}`;
  const again =
    pass.controlledAt === null ? null : `Déjà contrôlé à ${formatTime(pass.controlledAt)}.`;
  return {
    kind: "pass",
    tone: again === null ? "success" : "warning",
    words: "Valable",
    who: pass.holder,
    about: pass.name,
    more: `${pass.groupName}${from} · ${until}`,
    again,
  };
}

const refusal = (message: string): Said => ({
  kind: null,
  tone: "danger",
  words: "Refusé",
  who: null,
  about: message,
});

/** No answer, or none that decides: the code may have been accepted all the same. */
const undecided = (message: string): Said => ({
  kind: null,
  tone: "warning",
  words: "Sans réponse",
  who: null,
  about: message,
  more: "Lisez ce code de nouveau\u202f: un billet accepté à l’instant donne l’heure de son entrée.",
});

/** « 1 entrée · 2 titres valables sur cet appareil ». */
function countOf(readings: readonly Reading[]): string {
  const of = (readingKind: Said["kind"]) =>
    readings.filter(({ kind }) => kind === readingKind).length;
  const entries = plural(of("ticket"), "entrée");
  const passes = plural(of("pass"), "titre valable", "titres valables");
  if (of("pass") === 0) return `${entries} sur cet appareil`;
  return `${of("ticket") === 0 ? passes : `${entries} · ${passes}`} sur cet appareil`;
}

/** `verifiedSince` in milliseconds: the verdict of the code before is not the one of this code. */
function Last({
  reading,
  verifiedSince,
}: {
  reading: Reading | null;
  verifiedSince: number | null;
}) {
  if (verifiedSince !== null) return <Verdict news={verifiedSince} words="Vérification…" />;
  if (!reading) return <Verdict news={undefined} words="Présentez un code." />;
  const { kind, tone, words, who, about, more, again } = reading;
  return (
    <Verdict
      news={reading.at}
      tone={tone}
      words={kind === "ticket" ? "Entrée" : words}
      help={
        <>
          {again && <span>{again}</span>}
          <span>{who === null ? about : `${who} · ${about}`}</span>
          {more && <span>{more}</span>}
        </>
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
    <Stack ref={field} gap={12}>
      <TextInput
        label="Code du billet ou du titre"
        value={typed}
        onValue={setTyped}
        onKeyDown={({ key }) => key === "Enter" && send()}
        autoComplete="off"
        enterKeyHint="go"
      />
      <Button kind="primary" icon="check" wide loading={isReading} onClick={send}>
        Contrôler
      </Button>
    </Stack>
  );
}
