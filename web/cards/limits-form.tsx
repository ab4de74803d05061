// The form of a card's limits: how much by day, by week, and where.
import type { LimitsView, MemberLimits } from "#contract/family/rows.ts";
import { formatTypedMoney, parseMoney } from "#contract/french.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Checkbox, RadioGroup } from "#web/ui/choice.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Stack } from "#web/ui/stack.tsx";

const written = (cents: number | null): string => (cents === null ? "" : formatTypedMoney(cents));
const max = 1_000_000;

/** The fields as they are typed. */
interface Typed {
  day: string;
  week: string;
  where: "all" | "some";
  groups: readonly number[];
}

/** The limit that is typed: null for none, undefined when it is no amount. */
function readLimit(typed: string): number | null | undefined {
  if (typed.trim() === "") return null;
  const cents = parseMoney(typed);
  return cents === null || cents > max ? undefined : cents;
}

const wrongAmount = "Indiquez un montant en euros, par exemple 5 ou 7,50, au plus 10 000 €.";

function faultsOf({ day, week, where, groups }: Typed): Faults<Typed> {
  const dayCents = readLimit(day);
  const weekCents = readLimit(week);
  const isOverWeek = (dayCents ?? 0) > (weekCents ?? Number.POSITIVE_INFINITY);
  return {
    day:
      dayCents === undefined
        ? wrongAmount
        : isOverWeek && "Le plafond du jour ne peut pas dépasser celui de la semaine.",
    week: weekCents === undefined && wrongAmount,
    where: where === "some" && groups.length === 0 && "Choisissez au moins un lieu.",
  };
}

export function LimitsForm({
  limits,
  send,
  onSaved,
  onClose,
}: {
  limits: LimitsView;
  send: (limits: MemberLimits) => Promise<LimitsView>;
  /** Keeps what the server answered where it was read. */
  onSaved?: (limits: LimitsView) => void;
  onClose: () => void;
}) {
  const save = useAction(
    ({ day, week, where, groups }: Typed) => {
      const newLimits: MemberLimits = {
        dayCents: readLimit(day) ?? null,
        weekCents: readLimit(week) ?? null,
        groups: where === "all" ? null : [...groups],
      };
      return send(newLimits);
    },
    {
      says: "Plafonds enregistrés.",
      onDone: (seen) => {
        onSaved?.(seen);
        onClose();
      },
    },
  );
  const { values, set, field, problem, form } = useForm<Typed>(
    {
      day: written(limits.dayCents),
      week: written(limits.weekCents),
      where: limits.groups === null ? "all" : "some",
      groups: limits.groups ?? [],
    },
    faultsOf,
    save,
  );
  const { where, groups } = values;
  return (
    <form {...form}>
      <TextInput
        label="Par jour, en euros"
        hint="Achats, repas et envois d’argent. Vide : sans plafond."
        optional
        inputMode="decimal"
        autoComplete="off"
        {...field("day")}
      />
      <TextInput
        label="Par semaine, en euros"
        hint="Du lundi au dimanche."
        optional
        inputMode="decimal"
        autoComplete="off"
        {...field("week")}
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
        {...field("where")}
      />
      {where === "some" && (
        <Stack as="fieldset" gap={4}>
          <legend className="unseen">Lieux</legend>
          {limits.places.map(({ idgroup, name, rule }) => (
            <Checkbox
              key={idgroup}
              label={name}
              hint={rule}
              checked={groups.includes(idgroup)}
              onChecked={(on) =>
                set({ groups: on ? [...groups, idgroup] : groups.filter((one) => one !== idgroup) })
              }
            />
          ))}
        </Stack>
      )}
      <ProblemBanner problem={problem} title="Les plafonds n’ont pas été enregistrés." />
      <FormActions
        submit="Enregistrer les plafonds"
        isSending={save.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
