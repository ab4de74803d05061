// « Envoyer un justificatif »: whom it is about, what it is, what it says, and its files.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import {
  type Proof,
  type ProofDeclaration,
  type ProofKind,
  proofKinds,
  proofRules,
  type RightsOf,
} from "#contract/entitlements.ts";
import { proofNames, proofPapers } from "#contract/proof-words.ts";
import { readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { discardFile, uploadFile } from "#web/app/upload.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { RadioGroup, Select } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { TextInput } from "#web/ui/input.tsx";
import { notify } from "#web/ui/toast.tsx";
import { Upload, type UploadedFile } from "#web/ui/upload.tsx";
import { todayInParis } from "./custody-days.ts";
import type { Wanted } from "./proof-asking.tsx";

interface Props {
  people: readonly RightsOf[];
  wanted: Wanted;
  open: boolean;
  onClose: () => void;
}

export function ProofDialog({ people, wanted, open, onClose }: Props) {
  const title =
    wanted.kind === "quotient" ? "Déclarer mon quotient familial" : "Envoyer un justificatif";
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <ProofForm people={people} wanted={wanted} onClose={onClose} />
    </Dialog>
  );
}

/** The fields as they are typed. */
interface Typed {
  quotient: string;
  writtenOn: string;
  bornOn: string;
  expiresOn: string;
}
const nothing: Typed = { quotient: "", writtenOn: "", bornOn: "", expiresOn: "" };

function ProofForm({ people, wanted, onClose }: Omit<Props, "open">) {
  const [about, setAbout] = useState(String(wanted.cardnumber));
  const [kind, setKind] = useState<ProofKind | null>(wanted.kind);
  const [typed, setTyped] = useState(nothing);
  const [documents, setDocuments] = useState<readonly UploadedFile[]>([]);
  const [busy, setBusy] = useState(false);
  const [tries, setTries] = useState(0);
  useForgotten(documents);
  const person = people.find(({ cardnumber }) => String(cardnumber) === about) ?? people[0];
  const send = useMutation<Proof, ApiProblem, ProofDeclaration>({
    mutationFn: (declared) => call(api.entitlements.send, declared),
    onSuccess: () => {
      setDocuments([]);
      notify({ text: "Justificatif envoyé. Nous vous répondons ici.", kind: "success" });
      onClose();
    },
    // A lost answer may have been a good one: what is there now is shown either way.
    onSettled: () => readAgain(api.entitlements.list),
  });
  const wrong = wrongOf(kind, typed, { documents, busy });
  const isWrong = Object.values(wrong).some(Boolean);
  const form = useFirstError<HTMLFormElement>(isWrong && tries);
  const shown = (name: keyof typeof wrong) => tries > 0 && wrong[name];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTries(tries + 1);
    if (isWrong || kind === null) return;
    send.mutate(declarationOf(kind, Number(about), typed, documents));
  };
  const write = (name: keyof Typed) => (value: string) => setTyped({ ...typed, [name]: value });
  return (
    <form className="add-member" ref={form} noValidate onSubmit={submit}>
      {wanted.kind === null && people.length > 1 && (
        <Select
          label="Pour qui"
          options={people.map(({ cardnumber, name, own }) => ({
            value: String(cardnumber),
            label: own ? `${name} (vous)` : name,
          }))}
          value={about}
          onValue={(next) => {
            setAbout(next);
            setKind(null);
          }}
        />
      )}
      {wanted.kind === null && (
        <RadioGroup
          label="Quel justificatif&#8239;?"
          boxed
          options={kindsFor(person?.own ?? false)}
          value={kind}
          onValue={setKind}
          error={shown("kind")}
        />
      )}
      {kind !== null && <Asked kind={kind} typed={typed} write={write} shown={shown} />}
      {kind !== null && (
        <Upload
          label="Le document"
          hint={`${proofPapers[kind]} Photo ou PDF, 5 fichiers au plus.`}
          files={documents}
          onFiles={setDocuments}
          onBusy={setBusy}
          onRemove={discardFile}
          send={uploadFile}
          error={shown("documents")}
        />
      )}
      {send.error && (
        <Banner tone="danger" alert title="Le justificatif n’a pas été envoyé.">
          {send.error.message}
        </Banner>
      )}
      <div className="add-member-acts">
        <Button onClick={onClose}>Annuler</Button>
        <Button kind="primary" type="submit" loading={send.isPending}>
          Envoyer
        </Button>
      </div>
    </form>
  );
}

// What was added and not sent is forgotten with the form; the server keeps what a proof has.
function useForgotten(documents: readonly UploadedFile[]): void {
  const kept = useRef(documents);
  useEffect(() => {
    kept.current = documents;
  });
  useEffect(() => () => kept.current.forEach(discardFile), []);
}

const kindsFor = (own: boolean) =>
  proofKinds
    .filter((kind) => kind !== "quotient" && (own || !proofRules[kind].household))
    .map((kind) => ({ value: kind, label: proofNames[kind], hint: proofPapers[kind] }));

interface AskedProps {
  kind: ProofKind;
  typed: Typed;
  write: (name: keyof Typed) => (value: string) => void;
  shown: (name: keyof Typed) => string | false;
}

function Asked({ kind, typed, write, shown }: AskedProps) {
  const { asks } = proofRules[kind];
  return (
    <>
      {asks.includes("quotient") && (
        <TextInput
          label="Quotient familial"
          hint="En euros, sans les centimes, comme sur l’attestation."
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          value={typed.quotient}
          onValue={write("quotient")}
          error={shown("quotient")}
        />
      )}
      {asks.includes("writtenOn") && (
        <TextInput
          label="Date du document"
          type="date"
          max={todayInParis()}
          value={typed.writtenOn}
          onValue={write("writtenOn")}
          error={shown("writtenOn")}
        />
      )}
      {asks.includes("bornOn") && (
        <TextInput
          label="Date de naissance"
          type="date"
          max={todayInParis()}
          value={typed.bornOn}
          onValue={write("bornOn")}
          error={shown("bornOn")}
        />
      )}
      {asks.includes("expiresOn") && (
        <TextInput
          label="Fin de validité"
          hint="Vide si le document n’en a pas."
          type="date"
          optional
          min={todayInParis()}
          value={typed.expiresOn}
          onValue={write("expiresOn")}
          error={shown("expiresOn")}
        />
      )}
    </>
  );
}

interface Joined {
  documents: readonly UploadedFile[];
  busy: boolean;
}

function wrongOf(kind: ProofKind | null, typed: Typed, { documents, busy }: Joined) {
  const asks = kind === null ? [] : proofRules[kind].asks;
  const today = todayInParis();
  const past = (value: string, missing: string) =>
    value === "" ? missing : value > today && "Cette date est à venir. Vérifiez-la.";
  return {
    kind: kind === null && "Choisissez le justificatif.",
    quotient:
      asks.includes("quotient") &&
      !/^\d{1,5}$/.test(typed.quotient.trim()) &&
      "Indiquez un nombre entier, par exemple 640.",
    writtenOn:
      asks.includes("writtenOn") &&
      past(typed.writtenOn, "Indiquez la date écrite sur le document."),
    bornOn: asks.includes("bornOn") && past(typed.bornOn, "Indiquez la date de naissance."),
    expiresOn:
      asks.includes("expiresOn") &&
      typed.expiresOn !== "" &&
      typed.expiresOn < today &&
      "Ce document n’est plus valable. Envoyez-en un autre.",
    documents:
      kind !== null &&
      (busy
        ? "Attendez que le fichier soit ajouté."
        : documents.length === 0 && "Joignez le document."),
  };
}

function declarationOf(
  kind: ProofKind,
  cardnumber: number,
  typed: Typed,
  documents: readonly UploadedFile[],
): ProofDeclaration {
  const { asks } = proofRules[kind];
  const dates = (["writtenOn", "bornOn", "expiresOn"] as const)
    .filter((name) => asks.includes(name) && typed[name] !== "")
    .map((name) => [name, typed[name]]);
  return {
    cardnumber,
    kind,
    documents: documents.map(({ id }) => id),
    ...Object.fromEntries(dates),
    ...(asks.includes("quotient") ? { quotient: Number(typed.quotient.trim()) } : {}),
  };
}
