// The form of a child's limits: how much by day, by week, and where.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "#contract/api.ts";
import type { LimitsSeen, MemberLimits } from "#contract/family.ts";
import { parseMoney } from "#contract/french.ts";
import { keyOf, queryClient } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox, RadioGroup } from "#web/ui/choice.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { TextInput } from "#web/ui/input.tsx";
import { notify } from "#web/ui/toast.tsx";

const written = (cents: number | null): string =>
  cents === null ? "" : (cents / 100).toFixed(cents % 100 === 0 ? 0 : 2).replace(".", ",");
const most = 1_000_000;

/** What a typed limit means: null for none, undefined when it is no amount. */
function readLimit(typed: string): number | null | undefined {
  if (typed.trim() === "") return null;
  const cents = parseMoney(typed);
  return cents === null || cents > most ? undefined : cents;
}

const wrongAmount = "Indiquez un montant en euros, par exemple 5 ou 7,50, au plus 10 000 €.";

export function LimitsForm({
  cardnumber,
  limits,
  onClose,
}: {
  cardnumber: number;
  limits: LimitsSeen;
  onClose: () => void;
}) {
  const [day, setDay] = useState(written(limits.dayCents));
  const [week, setWeek] = useState(written(limits.weekCents));
  const [where, setWhere] = useState<"all" | "some">(limits.groups === null ? "all" : "some");
  const [groups, setGroups] = useState<readonly number[]>(limits.groups ?? []);
  const [tries, setTries] = useState(0);
  const save = useMutation<LimitsSeen, ApiProblem, MemberLimits>({
    mutationFn: (wanted) => call(api.family.setLimits, { cardnumber, limits: wanted }),
    onSuccess: (seen) => {
      queryClient.setQueryData(keyOf(api.family.limits, { cardnumber }), seen);
      notify({ text: "Plafonds enregistrés.", kind: "success" });
      onClose();
    },
  });
  const dayCents = readLimit(day);
  const weekCents = readLimit(week);
  const tooMuch = (dayCents ?? 0) > (weekCents ?? Number.POSITIVE_INFINITY);
  const wrong = {
    day:
      dayCents === undefined
        ? wrongAmount
        : tooMuch && "Le plafond du jour ne peut pas dépasser celui de la semaine.",
    week: weekCents === undefined && wrongAmount,
    where: where === "some" && groups.length === 0 && "Choisissez au moins un lieu.",
  };
  const isWrong = Object.values(wrong).some(Boolean);
  const form = useFirstError<HTMLFormElement>(isWrong && tries);
  const shown = (name: keyof typeof wrong) => tries > 0 && wrong[name];
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTries(tries + 1);
    if (isWrong || dayCents === undefined || weekCents === undefined) return;
    save.mutate({ dayCents, weekCents, groups: where === "all" ? null : [...groups] });
  };
  const toggle = (idgroup: number, on: boolean) =>
    setGroups(on ? [...groups, idgroup] : groups.filter((one) => one !== idgroup));
  return (
    <form className="add-member" ref={form} noValidate onSubmit={send}>
      <TextInput
        label="Par jour, en euros"
        hint="Achats, repas et envois d’argent. Vide : sans plafond."
        optional
        inputMode="decimal"
        autoComplete="off"
        value={day}
        onValue={setDay}
        error={shown("day")}
      />
      <TextInput
        label="Par semaine, en euros"
        hint="Du lundi au dimanche."
        optional
        inputMode="decimal"
        autoComplete="off"
        value={week}
        onValue={setWeek}
        error={shown("week")}
      />
      <RadioGroup
        label="Où la carte paie"
        options={[
          { value: "all", label: "Partout où elle est acceptée" },
          {
            value: "some",
            label: "Seulement dans certains lieux",
            hint: "Elle ne peut alors plus envoyer d’argent elle-même.",
          },
        ]}
        value={where}
        onValue={setWhere}
        error={shown("where")}
      />
      {where === "some" && (
        <fieldset className="limit-choices">
          <legend className="unseen">Lieux</legend>
          {limits.places.map(({ idgroup, name, rule }) => (
            <Checkbox
              key={idgroup}
              label={name}
              hint={rule}
              checked={groups.includes(idgroup)}
              onChecked={(on) => toggle(idgroup, on)}
            />
          ))}
        </fieldset>
      )}
      {save.error && (
        <Banner tone="danger" alert title="Les plafonds n’ont pas été enregistrés.">
          {save.error.message}
        </Banner>
      )}
      <div className="add-member-acts">
        <Button onClick={onClose}>Annuler</Button>
        <Button kind="primary" type="submit" loading={save.isPending}>
          Enregistrer les plafonds
        </Button>
      </div>
    </form>
  );
}
