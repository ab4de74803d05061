// A template week over a period: who, which weekdays, from when to when. Made for three taps: what most
// families want is chosen already.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { CanteenRegistration } from "#contract/meals/registrations.ts";
import { addDays, addMonths, schoolYearEnd, todayInParis } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { firstName, formatDate, formatMoney, plural } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox, Chips } from "#web/ui/choice.tsx";
import { DateField } from "#web/ui/date-field.tsx";
import { dayFault } from "#web/ui/days.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./family-meals.module.css";

const weekdays = ["lundi", "mardi", "mercredi", "jeudi", "vendredi"] as const;
type Weekday = (typeof weekdays)[number];

interface Typed {
  registrations: string[];
  weekdays: Weekday[];
  from: string;
  to: string;
  otherGuardianToo: boolean;
}

export function WeeksDialog({
  idgroup,
  registrations,
  custody,
  onSee,
  onClose,
}: {
  idgroup: number;
  registrations: readonly CanteenRegistration[];
  /** A child is shared by two guardians: only one's own days are chosen unless more is wanted. */
  custody: boolean;
  /** To all that is chosen; `day` is the first one. */
  onSee: (day: string) => void;
  onClose: () => void;
}) {
  const accepted = registrations.filter(({ state }) => state === "accepted");
  const canteens = new Set(accepted.map(({ canteen }) => canteen.id));
  const today = todayInParis();
  // Until the last of these registrations ends; a period is a year at most.
  const ends = accepted.flatMap(({ untilOn }) => untilOn ?? []).toSorted();
  const lastDay = ends.at(-1) ?? schoolYearEnd(today);
  const yearLater = addMonths(today, 12);
  const [first] = useState<Typed>({
    // Of a child at several canteens the one it has been at for longest: it seldom eats at two.
    registrations: accepted
      .filter(({ cardnumber, canteen }) => {
        const own = accepted.filter((one) => one.cardnumber === cardnumber);
        const earliest = own.reduce((one, other) =>
          other.requestedAt < one.requestedAt ? other : one,
        );
        return earliest.canteen.id === canteen.id;
      })
      .map(({ id }) => id),
    weekdays: ["lundi", "mardi", "jeudi", "vendredi"],
    from: addDays(today, 1),
    to: lastDay < yearLater ? lastDay : yearLater,
    otherGuardianToo: false,
  });
  const choose = useAction((values: Typed) =>
    call(api.canteen.chooseWeeks, {
      idgroup,
      registrations: values.registrations,
      weekdays: values.weekdays.map((name) => weekdays.indexOf(name)),
      from: values.from,
      to: values.to,
      otherGuardianToo: values.otherGuardianToo,
    }),
  );
  const { values, set, field, errorOf, problem, form } = useForm<Typed>(
    first,
    (now) => ({
      registrations: now.registrations.length === 0 && "Choisissez au moins une personne.",
      weekdays: now.weekdays.length === 0 && "Choisissez au moins un jour.",
      from: dayFault(now.from, { min: today }),
      to: dayFault(now.to, { min: now.from }),
    }),
    choose,
  );
  const names = accepted.map(({ name }) => name);
  const toggled = <T,>(list: readonly T[], one: T): T[] =>
    list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
  return (
    <Dialog open onClose={onClose} title="Commander par semaines">
      {choose.data ? (
        <Added answer={choose.data} onSee={onSee} onClose={onClose} />
      ) : (
        <form {...form}>
          <div>
            <p className={styles.group}>Pour qui</p>
            <Chips
              label="Pour qui"
              options={accepted.map(({ id, name, canteen, fromOn }) => ({
                value: id,
                label: [
                  firstName(name, names),
                  canteens.size > 1 && canteen.name,
                  fromOn && `dès le ${formatDate(fromOn)}`,
                ]
                  .filter(Boolean)
                  .join(", "),
              }))}
              value={values.registrations}
              onValue={(id) => set({ registrations: toggled(values.registrations, id) })}
            />
            <p className="field-error" role="alert">
              {errorOf("registrations")}
            </p>
          </div>
          <div>
            <p className={styles.group}>Quels jours</p>
            <Chips
              label="Quels jours"
              options={weekdays.map((name) => ({ value: name, label: name }))}
              value={values.weekdays}
              onValue={(name) => set({ weekdays: toggled(values.weekdays, name) })}
            />
            <p className="field-error" role="alert">
              {errorOf("weekdays")}
            </p>
          </div>
          <DateField label="Du" min={today} {...field("from")} />
          <DateField label="Au" min={values.from} {...field("to")} />
          {custody && (
            <Checkbox
              label="Aussi les jours où l’enfant est chez l’autre responsable"
              hint="Sinon, seuls vos jours de garde sont commandés."
              checked={values.otherGuardianToo}
              onChecked={(otherGuardianToo) => set({ otherGuardianToo })}
            />
          )}
          <Text tone="soft" size="small">
            Vacances, jours fériés et fermetures sont laissés de côté. Rien n’est réservé avant la
            commande.
          </Text>
          <ProblemBanner problem={problem} />
          <FormActions submit="Ajouter à mon choix" isSending={choose.isPending} />
        </form>
      )}
    </Dialog>
  );
}

function Added({
  answer: { added, leftOut, request },
  onSee,
  onClose,
}: {
  answer: Output<typeof api.canteen.chooseWeeks>;
  onSee: (day: string) => void;
  onClose: () => void;
}) {
  const first = request?.lines[0]?.day;
  return (
    <Stack gap={20}>
      <Banner
        tone={added > 0 ? "success" : "warning"}
        alert
        title={`${plural(added, "repas ajouté", "repas ajoutés")}.`}
      >
        {request &&
          `Votre choix : ${plural(request.lines.length, "repas", "repas")}, ${formatMoney(request.totalCents)}.`}
      </Banner>
      {leftOut.length > 0 && (
        <>
          <p>Laissés de côté :</p>
          <Stack as="ul" gap={8}>
            {leftOut.map(({ why, count }) => (
              <li key={why}>
                {why} : {plural(count, "repas", "repas")}
              </li>
            ))}
          </Stack>
        </>
      )}
      {first !== undefined && (
        <Button kind="primary" onClick={() => onSee(first)}>
          Voir mon choix
        </Button>
      )}
      <Button onClick={onClose}>{first === undefined ? "Fermer" : "Continuer à choisir"}</Button>
    </Stack>
  );
}
