// « Envoyer un justificatif »: whom it is about, what it is, what it says, and its files.
import { type ReactNode, useState } from "react";
import { answerDelay } from "#contract/answer-delay.ts";
import { api } from "#contract/api.ts";
import {
  type ProofDeclaration,
  type ProofKind,
  proofKinds,
  proofRules,
  type RightsOf,
} from "#contract/entitlements/rows.ts";
import { proofNames } from "#contract/entitlements/words.ts";
import { call } from "#web/app/transport/api.ts";
import { discardFile, uploadFile, useDiscardOnUnmount } from "#web/app/transport/upload.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { RadioGroup, Select } from "#web/ui/choice.tsx";
import { DateField } from "#web/ui/date-field.tsx";
import { dayFault } from "#web/ui/days.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Upload, type UploadedFile } from "#web/ui/upload.tsx";
import { todayInParis } from "#contract/days.ts";
import { acceptedDocuments } from "./proof-words.ts";

/** The subject of a new proof: a person, and the kind where it is known. */
export interface ProofSubject {
  cardnumber: number;
  kind: ProofKind | null;
}

interface Props {
  people: readonly RightsOf[];
  subject: ProofSubject;
  open: boolean;
  onClose: () => void;
}

export function ProofDialog({ people, subject, open, onClose }: Props) {
  const title =
    subject.kind === "quotient" ? "Déclarer mon quotient familial" : "Envoyer un justificatif";
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <ProofForm people={people} subject={subject} onClose={onClose} />
    </Dialog>
  );
}

/** The fields as they are typed. */
interface Typed {
  about: string;
  kind: ProofKind | null;
  quotient: string;
  writtenOn: string;
  bornOn: string;
  expiresOn: string;
  documents: readonly UploadedFile[];
}

function ProofForm({ people, subject, onClose }: Omit<Props, "open">) {
  const [busy, setBusy] = useState(false);
  const send = useAction((typed: Typed) => call(api.entitlements.send, declarationOf(typed)), {
    says: `Justificatif envoyé. Vous recevrez une réponse ${answerDelay("proof")}.`,
    onDone: () => {
      set({ documents: [] });
      onClose();
    },
  });
  const { values, set, field, errorOf, problem, form } = useForm<Typed>(
    {
      about: String(subject.cardnumber),
      kind: subject.kind,
      quotient: "",
      writtenOn: "",
      bornOn: "",
      expiresOn: "",
      documents: [],
    },
    (typed) => faultsOf(typed, busy),
    send,
  );
  const { about, kind, documents } = values;
  useDiscardOnUnmount(documents);
  const person = people.find(({ cardnumber }) => String(cardnumber) === about) ?? people[0];
  return (
    <form {...form}>
      {subject.kind === null && people.length > 1 && (
        <Select
          label="Pour qui"
          options={people.map(({ cardnumber, name, own }) => ({
            value: String(cardnumber),
            label: own ? `${name} (vous)` : name,
          }))}
          value={about}
          onValue={(next) => set({ about: next, kind: null })}
        />
      )}
      {subject.kind === null && (
        <RadioGroup
          label="Quel justificatif&#8239;?"
          boxed
          options={kindsFor(person?.own ?? false)}
          {...field("kind")}
        />
      )}
      {kind !== null && <ProofFields kind={kind} field={field} />}
      {kind !== null && (
        <Upload
          label="Le document"
          hint={`${acceptedDocuments[kind]} Photo ou PDF, 5 fichiers au plus.`}
          files={documents}
          onFiles={(change) => set((now) => ({ documents: change(now.documents) }))}
          onBusy={setBusy}
          onRemove={discardFile}
          send={uploadFile}
          error={errorOf("documents")}
        />
      )}
      <ProblemBanner problem={problem} title="Le justificatif n’a pas été envoyé." />
      <FormActions submit="Envoyer" isSending={send.isPending} onCancel={onClose} />
    </form>
  );
}

const kindsFor = (own: boolean) =>
  proofKinds
    .filter((kind) => kind !== "quotient" && (own || !proofRules[kind].household))
    .map((kind) => ({ value: kind, label: proofNames[kind], hint: acceptedDocuments[kind] }));

type DateName = "writtenOn" | "bornOn" | "expiresOn";

interface ProofFieldsProps {
  kind: ProofKind;
  field: (name: DateName | "quotient") => {
    value: string;
    onValue: (value: string) => void;
    error: ReactNode;
  };
}

function ProofFields({ kind, field }: ProofFieldsProps) {
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
          {...field("quotient")}
        />
      )}
      {asks.includes("writtenOn") && (
        <DateField label="Date du document" max={todayInParis()} {...field("writtenOn")} />
      )}
      {asks.includes("bornOn") && (
        <DateField label="Date de naissance" max={todayInParis()} {...field("bornOn")} />
      )}
      {asks.includes("expiresOn") && (
        <DateField
          label="Fin de validité"
          hint="Vide si le document n’en a pas."
          optional
          min={todayInParis()}
          {...field("expiresOn")}
        />
      )}
    </>
  );
}

/** The faults of the fields that the kind of proof asks; `busy` while a file is on its way. */
function faultsOf({ kind, documents, ...typed }: Typed, busy: boolean): Faults<Typed> {
  if (kind === null) return { kind: "Choisissez le justificatif." };
  const { asks } = proofRules[kind];
  const today = todayInParis();
  const past = (name: DateName, missing: string) =>
    asks.includes(name) &&
    (dayFault(typed[name], { missing }) ||
      (typed[name] > today && "Cette date est à venir. Vérifiez-la."));
  return {
    quotient:
      asks.includes("quotient") &&
      !/^\d{1,5}$/.test(typed.quotient.trim()) &&
      "Indiquez un nombre entier, par exemple 640.",
    writtenOn: past("writtenOn", "Indiquez la date écrite sur le document."),
    bornOn: past("bornOn", "Indiquez la date de naissance."),
    expiresOn:
      asks.includes("expiresOn") &&
      (dayFault(typed.expiresOn) ||
        (typed.expiresOn !== "" &&
          typed.expiresOn < today &&
          "Ce document n’est plus valable. Envoyez-en un autre.")),
    documents: busy
      ? "Attendez que le fichier soit ajouté."
      : documents.length === 0 && "Joignez le document.",
  };
}

function declarationOf({ about, kind, documents, ...typed }: Typed): ProofDeclaration {
  const sent = kind ?? "quotient";
  const { asks } = proofRules[sent];
  const dates = (["writtenOn", "bornOn", "expiresOn"] as const)
    .filter((name) => asks.includes(name) && typed[name] !== "")
    .map((name) => [name, typed[name]]);
  return {
    cardnumber: Number(about),
    kind: sent,
    documents: documents.map(({ id }) => id),
    ...Object.fromEntries(dates),
    ...(asks.includes("quotient") ? { quotient: Number(typed.quotient.trim()) } : {}),
  };
}
