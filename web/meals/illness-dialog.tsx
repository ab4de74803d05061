// « Signaler un enfant malade »: who, which days, what is given back and what stays due, then the certificate
// where the canteen asks one.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { IllnessPreview, IllnessView } from "#contract/meals/illness.ts";
import { daysBetween, todayInParis } from "#contract/days.ts";
import {
  firstName,
  formatDate,
  formatDayInWords,
  formatMoney,
  ofName,
  thin,
} from "#contract/french.ts";
import { illness as limits } from "#contract/meals/limits.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { DateField } from "#web/ui/date-field.tsx";
import { dayFault } from "#web/ui/days.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import { CertificateForm } from "./certificate-form.tsx";

export interface Eater {
  cardnumber: number;
  name: string;
  /** The first day proposed (ISO). */
  day: string;
}

interface Props {
  people: readonly Eater[];
  onClose: () => void;
}

const namesOf = (people: readonly Eater[]) => people.map(({ name }) => name);

export function IllnessDialog({ people, onClose }: Props) {
  const [illness, setIllness] = useState<IllnessView | null>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      title={illness ? "Joindre le certificat" : "Signaler un enfant malade"}
    >
      {illness ? (
        <CertificateForm
          illness={illness}
          lead={`L’absence ${ofName(firstName(illness.name, namesOf(people)))} est signalée.`}
          cancel="Plus tard"
          onClose={onClose}
        />
      ) : (
        <IllnessForm people={people} onClose={onClose} onAwaited={setIllness} />
      )}
    </Dialog>
  );
}

interface Typed {
  cardnumber: string;
  from: string;
  to: string;
}

const endFault = ({ from, to }: Typed) =>
  dayFault(to, { missing: "Indiquez le dernier jour." }) ||
  (to < from && "Le dernier jour vient après le premier. Vérifiez les dates.") ||
  (daysBetween(from, to) >= limits.max &&
    `Une absence dure ${limits.max} jours au plus. Rapprochez les dates.`);

const faultsOf = (typed: Typed) => ({
  from:
    dayFault(typed.from, { missing: "Indiquez le premier jour." }) ||
    (typed.from < todayInParis() && "Ce jour est passé. Commencez aujourd’hui ou plus tard."),
  to: endFault(typed),
});

function IllnessForm({
  people,
  onClose,
  onAwaited,
}: Props & { onAwaited: (illness: IllnessView) => void }) {
  const [first] = people;
  const day = first?.day ?? todayInParis();
  const [typed, setTyped] = useState<Typed>({
    cardnumber: String(first?.cardnumber ?? ""),
    from: day,
    to: day,
  });
  const faults = faultsOf(typed);
  const whole = !faults.from && !faults.to;
  const preview = useAnswer(api.canteen.illnessPreview, toInput(typed), { enabled: whole });
  const announce = useAction(
    (sent: Typed) =>
      call(api.canteen.announceIllness, {
        ...toInput(sent),
        dueCents: preview.data?.dueCents ?? 0,
        proofCents: preview.data?.proofCents ?? 0,
      }),
    {
      says: "L’absence est signalée, la cantine est prévenue.",
      onDone: ({ items }) => {
        const awaited = items.find(({ state }) => state === "awaited");
        if (awaited) onAwaited(awaited);
        else onClose();
      },
    },
  );
  const { field, problem, form } = useForm<Typed>(typed, faultsOf, announce, {
    onValues: setTyped,
  });
  const person = people.find(({ cardnumber }) => String(cardnumber) === typed.cardnumber);
  return (
    <form {...form}>
      {people.length > 1 && (
        <RadioGroup
          label="Qui est malade&#8239;?"
          options={people.map(({ cardnumber, name }) => ({
            value: String(cardnumber),
            label: firstName(name, namesOf(people)),
          }))}
          {...field("cardnumber")}
        />
      )}
      <DateField label="Premier jour" min={todayInParis()} {...field("from")} />
      <DateField label="Dernier jour" min={typed.from} {...field("to")} />
      {whole && preview.isPending && (
        <Loading label="Calcul de ce qui est rendu…">
          <Skeleton lines={2} />
        </Loading>
      )}
      {whole && preview.data && <Sums preview={preview.data} />}
      {whole && preview.error && <ProblemBanner problem={preview.error} />}
      <ProblemBanner problem={problem} title="L’absence n’a pas été signalée." />
      <FormActions
        submit={person ? `Signaler ${firstName(person.name, namesOf(people))} malade` : "Signaler"}
        isSending={announce.isPending}
        disabled={!whole || !preview.data}
        onCancel={onClose}
      />
    </form>
  );
}

const toInput = ({ cardnumber, from, to }: Typed) => ({ cardnumber: Number(cardnumber), from, to });

/** What is given back, what stays due, and what waits for a certificate. */
function Sums({ preview }: { preview: IllnessPreview }) {
  const { meals, freeCents, dueCents, proofCents, certificateUntil } = preview;
  const dueDays = meals.filter(({ terms }) => terms === "due").map(({ day }) => day);
  return (
    <Stack gap={20} aria-live="polite">
      <DefinitionList
        items={[
          { label: "Repas annulés", value: meals.length },
          { label: "Rendus tout de suite", value: formatMoney(freeCents) },
          dueCents > 0
            ? {
                label: dueDays.length > 1 ? "Premiers jours, dus" : "Premier jour, dû",
                value: `${formatMoney(dueCents)} (${dueDays.map(formatDayInWords).join(", ")})`,
              }
            : null,
          proofCents > 0
            ? { label: "Rendus avec un certificat", value: formatMoney(proofCents) }
            : null,
        ]}
      />
      {certificateUntil && (
        <Banner tone="info" title="Un certificat médical est demandé.">
          Vous pourrez le joindre ensuite, avant le {formatDate(certificateUntil)}. Sans lui, ces{" "}
          {formatMoney(proofCents)} restent dus{thin}: l’argent est gardé de côté d’ici là.
        </Banner>
      )}
    </Stack>
  );
}
