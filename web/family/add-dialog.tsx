// « Ajouter un membre »: an invitation to a card number, or the code printed for a card without phone.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "#contract/api.ts";
import { isCardnumber } from "#contract/endpoint.ts";
import type { Member } from "#contract/family.ts";
import { readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { type Option, RadioGroup, Select } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { CardNumberInput, TextInput } from "#web/ui/input.tsx";
import { notify } from "#web/ui/toast.tsx";
import { readFamilyAgain } from "./invitations.tsx";

type Way = "code" | "child" | "first" | "guardian" | "relative";

const ways = (hasChild: boolean): Option<Way>[] => [
  {
    value: "code",
    label: "Mon enfant, qui n’a pas de téléphone",
    hint: "Avec le code à 8 chiffres imprimé dans le courrier de sa carte.",
  },
  {
    value: "child",
    label: "Mon enfant, qui a un téléphone ou un e-mail",
    hint: "Il accepte lui-même, ou son responsable actuel.",
  },
  {
    value: "first",
    label: "Mon enfant, qui n’a pas encore de carte",
    hint: "Nous étudions la demande, puis la carte est fabriquée et envoyée.",
  },
  ...(hasChild
    ? [
        {
          value: "guardian" as const,
          label: "L’autre responsable de mon enfant",
          hint: "Il verra la carte de l’enfant. Vos cartes à vous restent séparées.",
        },
      ]
    : []),
  {
    value: "relative",
    label: "Un proche",
    hint: "Pour vous envoyer de l’argent. Il ne voit pas votre solde, ni vous le sien.",
  },
];

interface Props {
  open: boolean;
  onClose: () => void;
  /** The children of whom another guardian can be named. */
  childCards: readonly Member[];
}

export function AddDialog({ open, onClose, childCards }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="Ajouter un membre">
      <AddForm onClose={onClose} childCards={childCards} />
    </Dialog>
  );
}

function AddForm({ onClose, childCards }: Omit<Props, "open">) {
  const [way, setWay] = useState<Way | null>(null);
  const [number, setNumber] = useState("");
  const [code, setCode] = useState("");
  const only = childCards.length === 1 ? String(childCards[0]?.cardnumber) : "";
  const [child, setChild] = useState(only);
  const [firstName, setFirstName] = useState("");
  const [lastName, setLastName] = useState("");
  const [bornOn, setBornOn] = useState("");
  const [tries, setTries] = useState(0);
  const cardnumber = Number(number);
  const add = useMutation<string, ApiProblem, Way>({
    mutationFn: async (chosen) => {
      if (chosen === "code") {
        const member = await call(api.family.join, { cardnumber, code });
        return `${member.name} est maintenant dans votre famille.`;
      }
      if (chosen === "first") {
        const asked = await call(api.enrolment.ask, { firstName, lastName, bornOn });
        await readAgain(api.enrolment.list);
        return `La première carte de ${asked.name} est demandée.`;
      }
      const named = chosen === "guardian" ? { child: Number(child) } : {};
      await call(api.family.invite, { cardnumber, role: chosen, ...named });
      return "Invitation envoyée. Elle attend la réponse de cette carte.";
    },
    onSuccess: async (text) => {
      await readFamilyAgain();
      notify({ text, kind: "success" });
      onClose();
    },
  });
  const wrong = {
    way: way === null && "Choisissez qui vous ajoutez.",
    first: way === "first" && firstName.trim() === "" && "Indiquez le prénom.",
    last: way === "first" && lastName.trim() === "" && "Indiquez le nom.",
    born: way === "first" && bornOn === "" && "Indiquez la date de naissance.",
    number:
      way !== "first" && !isCardnumber(cardnumber) && "Vérifiez le numéro : il compte 10 chiffres.",
    code: way === "code" && !/^\d{8}$/.test(code) && "Le code compte 8 chiffres.",
    child: way === "guardian" && child === "" && "Choisissez l’enfant.",
  };
  const isWrong = Object.values(wrong).some(Boolean);
  // At each try that is refused here, not at each key.
  const form = useFirstError<HTMLFormElement>(isWrong && tries);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTries(tries + 1);
    if (way !== null && !isWrong) add.mutate(way);
  };
  const shown = (name: keyof typeof wrong) => tries > 0 && wrong[name];
  return (
    <form className="add-member" ref={form} noValidate onSubmit={send}>
      <RadioGroup
        label="Qui ajoutez-vous&#8239;?"
        boxed
        options={ways(childCards.length > 0)}
        value={way}
        onValue={(next) => {
          setWay(next);
          add.reset();
        }}
        error={shown("way")}
      />
      {way === "guardian" && childCards.length > 1 && (
        <Select
          label="Enfant"
          placeholder="Choisissez"
          options={childCards.map((one) => ({ value: String(one.cardnumber), label: one.name }))}
          value={child}
          onValue={setChild}
          error={shown("child")}
        />
      )}
      {way === "first" ? (
        <>
          <TextInput
            label="Prénom de l’enfant"
            autoComplete="off"
            maxLength={60}
            value={firstName}
            onValue={setFirstName}
            error={shown("first")}
          />
          <TextInput
            label="Nom de l’enfant"
            autoComplete="off"
            maxLength={60}
            value={lastName}
            onValue={setLastName}
            error={shown("last")}
          />
          <TextInput
            label="Date de naissance"
            type="date"
            value={bornOn}
            onValue={setBornOn}
            error={shown("born")}
          />
        </>
      ) : (
        <CardNumberInput
          label="Numéro de carte"
          value={number}
          onValue={setNumber}
          error={shown("number")}
        />
      )}
      {way === "code" && (
        <TextInput
          label="Code imprimé"
          hint="8 chiffres, dans le courrier reçu avec la carte."
          inputMode="numeric"
          autoComplete="off"
          value={code.replace(/^(\d{4})(?=\d)/, "$1 ")}
          onValue={(typed) => setCode(typed.replaceAll(/\D/g, "").slice(0, 8))}
          error={shown("code")}
        />
      )}
      {add.error && (
        <Banner tone="danger" alert title="Rien n’a été fait.">
          {add.error.message}
        </Banner>
      )}
      <div className="add-member-acts">
        <Button onClick={onClose}>Annuler</Button>
        <Button kind="primary" type="submit" loading={add.isPending}>
          {way === "code"
            ? "Rattacher la carte"
            : way === "first"
              ? "Demander la carte"
              : "Envoyer l’invitation"}
        </Button>
      </div>
    </form>
  );
}
