// « Proposer une organisation »: a rule by weeks, one guardian as a rule, some days, or halves.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "#contract/api.ts";
import type { CustodyKind, CustodySeen } from "#contract/custody.ts";
import { isRule } from "#contract/custody-words.ts";
import { family as limits } from "#contract/limits.ts";
import { readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { TextInput } from "#web/ui/input.tsx";
import { notify } from "#web/ui/toast.tsx";
import { calledOf, ofName, todayInParis } from "./custody-days.ts";

const kinds: { value: CustodyKind; label: string; hint: string }[] = [
  {
    value: "weeks",
    label: "Une semaine sur deux",
    hint: "Semaines paires avec l’un, impaires avec l’autre, du lundi au dimanche.",
  },
  {
    value: "usual",
    label: "Chez l’un d’habitude",
    hint: "Et chez l’autre les jours que vous conviendrez.",
  },
  { value: "days", label: "Quelques jours", hint: "Une semaine échangée, un week-end, un voyage." },
  {
    value: "halves",
    label: "Des vacances par moitié",
    hint: "La première moitié avec l’un, la seconde avec l’autre.",
  },
];

const whoLabels: Readonly<Record<CustodyKind, string>> = {
  weeks: "Qui a les semaines paires\u202f?",
  usual: "Chez qui d’habitude\u202f?",
  days: "Avec qui ces jours-là\u202f?",
  halves: "Qui a la première moitié\u202f?",
};

interface Props {
  cardnumber: number;
  seen: CustodySeen;
  open: boolean;
  onClose: () => void;
}

export function ProposeDialog({ cardnumber, seen, open, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={`Garde ${ofName(seen.child)}`}>
      <ProposeForm cardnumber={cardnumber} seen={seen} onClose={onClose} />
    </Dialog>
  );
}

function ProposeForm({ cardnumber, seen, onClose }: Omit<Props, "open">) {
  const called = calledOf(seen.guardians);
  const nameOf = (own: boolean) => called[seen.guardians.findIndex((one) => one.own === own)] ?? "";
  const [kind, setKind] = useState<CustodyKind | null>(seen.rule ? "days" : null);
  const [first, setFirst] = useState<"me" | "other" | null>(null);
  const [fromOn, setFromOn] = useState(todayInParis());
  const [toOn, setToOn] = useState("");
  const [tries, setTries] = useState(0);
  const propose = useMutation<{ id: string }, ApiProblem>({
    mutationFn: () => {
      const asked = { cardnumber, kind: kind ?? "weeks", first: first ?? "me", fromOn };
      return call(api.family.proposeCustody, isRule(asked.kind) ? asked : { ...asked, toOn });
    },
    onSuccess: async () => {
      await readAgain(api.family.custody);
      notify({ text: `Proposition envoyée à ${nameOf(false)}.`, kind: "success" });
      onClose();
    },
  });
  const wrong = {
    kind: kind === null && "Choisissez ce que vous proposez.",
    first: kind !== null && first === null && "Choisissez avec qui.",
    from: kind !== null && wrongFrom(fromOn),
    to: kind !== null && !isRule(kind) && wrongTo(fromOn, toOn, kind),
  };
  const isWrong = Object.values(wrong).some(Boolean);
  const form = useFirstError<HTMLFormElement>(isWrong && tries);
  const shown = (name: keyof typeof wrong) => tries > 0 && wrong[name];
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTries(tries + 1);
    if (!isWrong) propose.mutate();
  };
  return (
    <form className="add-member" ref={form} noValidate onSubmit={send}>
      <RadioGroup
        label="Que proposez-vous&#8239;?"
        boxed
        options={kinds}
        value={kind}
        onValue={(next) => {
          setKind(next);
          propose.reset();
        }}
        error={shown("kind")}
      />
      {kind !== null && (
        <>
          <RadioGroup
            label={whoLabels[kind]}
            options={[
              { value: "me", label: `${nameOf(true)} (vous)` },
              { value: "other", label: nameOf(false) },
            ]}
            value={first}
            onValue={setFirst}
            error={shown("first")}
          />
          <TextInput
            label={isRule(kind) ? "À partir du" : "Premier jour"}
            type="date"
            min={todayInParis()}
            value={fromOn}
            onValue={setFromOn}
            error={shown("from")}
          />
          {!isRule(kind) && (
            <TextInput
              label="Dernier jour"
              type="date"
              min={fromOn}
              value={toOn}
              onValue={setToOn}
              error={shown("to")}
            />
          )}
        </>
      )}
      {propose.error && (
        <Banner tone="danger" alert title="La proposition n’est pas partie.">
          {propose.error.message}
        </Banner>
      )}
      <div className="add-member-acts">
        <Button onClick={onClose}>Annuler</Button>
        <Button kind="primary" type="submit" loading={propose.isPending}>
          Envoyer la proposition
        </Button>
      </div>
    </form>
  );
}

const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

function wrongFrom(fromOn: string): string | false {
  if (fromOn === "") return "Indiquez le premier jour.";
  const ahead = daysBetween(todayInParis(), fromOn);
  if (ahead < 0) return "Ce jour est passé. Choisissez à partir d’aujourd’hui.";
  return ahead > limits.custodyAheadDays && "Choisissez un jour de l’année qui vient.";
}

function wrongTo(fromOn: string, toOn: string, kind: CustodyKind): string | false {
  if (toOn === "") return "Indiquez le dernier jour.";
  const days = daysBetween(fromOn, toOn) + 1;
  if (days < 1) return "Le dernier jour vient après le premier.";
  if (kind === "halves" && days < 2) return "Il faut deux jours au moins pour les partager.";
  return (
    days > limits.custodyLongestDays &&
    `Proposez au plus ${limits.custodyLongestDays} jours à la fois.`
  );
}
