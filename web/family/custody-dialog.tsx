// « Proposer une organisation »: a rule by weeks, one guardian as a rule, some days, or halves.
import { daysBetween, todayInParis } from "#contract/days.ts";
import { api } from "#contract/api.ts";
import type { CustodyKind, CustodyView } from "#contract/family/custody.ts";
import { isRule } from "#contract/family/custody-words.ts";
import { family as limits } from "#contract/limits.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { DateField } from "#web/ui/date-field.tsx";
import { dayFault, isDay } from "#web/ui/days.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { ofName } from "#contract/french.ts";
import { calledOf } from "./custody-days.ts";

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
  seen: CustodyView;
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

interface Proposal {
  kind: CustodyKind | null;
  first: "me" | "other" | null;
  fromOn: string;
  toOn: string;
}

function ProposeForm({ cardnumber, seen, onClose }: Omit<Props, "open">) {
  const called = calledOf(seen.guardians);
  const nameOf = (own: boolean) => called[seen.guardians.findIndex((one) => one.own === own)] ?? "";
  const propose = useAction(
    ({ kind, first, fromOn, toOn }: Proposal) => {
      const proposal = { cardnumber, kind: kind ?? "weeks", first: first ?? "me", fromOn };
      return call(
        api.family.proposeCustody,
        isRule(proposal.kind) ? proposal : { ...proposal, toOn },
      );
    },
    { says: `Proposition envoyée à ${nameOf(false)}.`, onDone: onClose },
  );
  const { values, field, problem, form, discard } = useForm<Proposal>(
    { kind: seen.rule ? "days" : null, first: null, fromOn: todayInParis(), toOn: "" },
    faultsOf,
    propose,
    { draft: { name: `custody ${cardnumber}`, fields: ["kind", "first", "fromOn", "toOn"] } },
  );
  const { kind } = values;
  return (
    <form {...form}>
      <RadioGroup label="Que proposez-vous&#8239;?" boxed options={kinds} {...field("kind")} />
      {kind !== null && (
        <>
          <RadioGroup
            label={whoLabels[kind]}
            options={[
              { value: "me", label: `${nameOf(true)} (vous)` },
              { value: "other", label: nameOf(false) },
            ]}
            {...field("first")}
          />
          <DateField
            label={isRule(kind) ? "À partir du" : "Premier jour"}
            min={todayInParis()}
            {...field("fromOn")}
          />
          {!isRule(kind) && (
            <DateField
              label="Dernier jour"
              min={isDay(values.fromOn) ? values.fromOn : undefined}
              {...field("toOn")}
            />
          )}
        </>
      )}
      <ProblemBanner problem={problem} title="La proposition n’est pas partie." />
      <FormActions
        submit="Envoyer la proposition"
        isSending={propose.isPending}
        onCancel={() => {
          discard();
          onClose();
        }}
      />
    </form>
  );
}

function faultsOf({ kind, first, fromOn, toOn }: Proposal): Faults<Proposal> {
  if (kind === null) return { kind: "Choisissez ce que vous proposez." };
  return {
    first: first === null && "Choisissez avec qui.",
    fromOn: faultOfStart(fromOn),
    toOn: !isRule(kind) && faultOfEnd(fromOn, toOn, kind),
  };
}

function faultOfStart(fromOn: string): string | false {
  const fault = dayFault(fromOn, { missing: "Indiquez le premier jour." });
  if (fault) return fault;
  const ahead = daysBetween(todayInParis(), fromOn);
  if (ahead < 0) return "Ce jour est passé. Choisissez à partir d’aujourd’hui.";
  return ahead > limits.custodyAheadDays && "Choisissez un jour de l’année qui vient.";
}

function faultOfEnd(fromOn: string, toOn: string, kind: CustodyKind): string | false {
  const fault = dayFault(toOn, { missing: "Indiquez le dernier jour." });
  if (fault) return fault;
  const days = daysBetween(fromOn, toOn) + 1;
  if (days < 1) return "Le dernier jour vient après le premier.";
  if (kind === "halves" && days < 2) return "Il faut deux jours au moins pour les partager.";
  return (
    days > limits.custodyLongestDays &&
    `Proposez au plus ${limits.custodyLongestDays} jours à la fois.`
  );
}
