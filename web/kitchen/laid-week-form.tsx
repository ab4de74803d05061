// Dishes laid on the days of a week, from another week or a template: what each day has, what is ordered, what would
// change; the person says which days are replaced.
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { allergenNames } from "#contract/allergies/rows.ts";
import type { LaidDay, LaidWeek, MenuWeek } from "#contract/kitchen/menus.ts";
import { formatDayInWords, plural } from "#contract/french.ts";
import type { ApiProblem } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { type Change, ChangeList } from "./change-list.tsx";
import styles from "./laid-week.module.css";

interface Confirmed {
  replace: string[];
  fingerprint: string;
  undeclared: boolean;
}
interface Laying {
  submit: string;
  lay: (confirmed: Confirmed) => Promise<MenuWeek>;
  onLaid: (week: MenuWeek) => void;
  onClose: () => void;
}

export function LaidWeekForm({
  preview,
  ...laying
}: Laying & { preview: UseQueryResult<LaidWeek, ApiProblem> }) {
  if (preview.data) return <Form week={preview.data} {...laying} />;
  return <NotLoaded answer={preview} label="Lecture de la semaine…" lines={3} height="3rem" />;
}

interface Typed {
  replace: readonly string[];
}

const isThere = ({ there }: LaidDay) => there !== "nothing";

function Form({ week, submit, lay, onLaid, onClose }: Laying & { week: LaidWeek }) {
  const [isUndeclared, setIsUndeclared] = useState(false);
  const sending = useAction(
    ({ replace: days }: Typed) =>
      // Sent again after that refusal, it is confirmed.
      lay({ replace: [...days], fingerprint: week.fingerprint, undeclared: isUndeclared }),
    {
      says: (_, { replace: days }) =>
        week.days.some(({ day, there }) =>
          there === "published" ? false : there === "nothing" || days.includes(day),
        )
          ? "Menus copiés. Publiez-les quand ils sont prêts."
          : "Menus remplacés. Les familles voient le changement.",
      onDone: onLaid,
      onRefused: ({ code }) => setIsUndeclared(code === "menu_undeclared"),
    },
  );
  const { values, set, problem, form } = useForm<Typed>({ replace: [] }, () => ({}), sending);
  const { replace } = values;
  const there = week.days.filter(isThere);
  const written = week.days.length - there.length + replace.length;
  const change = (days: readonly string[]) => {
    setIsUndeclared(false);
    sending.reset();
    set({ replace: days });
  };
  return (
    <form {...form}>
      {there.length > 1 && (
        <Checkbox
          label="Remplacer tous les jours déjà écrits"
          checked={replace.length === there.length}
          onChecked={(all) => change(all ? there.map(({ day }) => day) : [])}
        />
      )}
      <ol className={styles.days} aria-label="Jours de la semaine">
        {week.days.map((day) => (
          <Day
            key={day.day}
            day={day}
            isReplaced={replace.includes(day.day)}
            onReplaced={(isReplaced) =>
              change(
                isReplaced ? [...replace, day.day] : replace.filter((other) => other !== day.day),
              )
            }
          />
        ))}
      </ol>
      {there.length > 0 && (
        <Text tone="soft" size="small">
          Un jour qui n’est pas coché garde son menu. Un jour publié reste publié{"\u202f"}: les
          familles voient le changement, et celles qui ont commandé sont prévenues si un allergène
          qu’elles ont déclaré arrive au menu.
        </Text>
      )}
      <ProblemBanner problem={problem} title="Rien n’a été écrit." />
      <FormActions
        submit={isUndeclared ? "Publier ainsi" : submit}
        isSending={sending.isPending}
        disabled={written === 0}
        onCancel={onClose}
      />
    </form>
  );
}

const states = {
  nothing: { tone: "neutral", words: "Nouveau" },
  draft: { tone: "warning", words: "Brouillon" },
  published: { tone: "success", words: "Publié" },
} as const;

function Day({
  day: one,
  isReplaced,
  onReplaced,
}: {
  day: LaidDay;
  isReplaced: boolean;
  onReplaced: (isReplaced: boolean) => void;
}) {
  const { tone, words } = states[one.there];
  const name = formatDayInWords(one.day);
  return (
    <li>
      <span className={styles.head}>
        <strong>{name}</strong>
        <Badge tone={tone}>{words}</Badge>
        {one.ordered > 0 && (
          <Badge>{plural(one.ordered, "repas commandé", "repas commandés")}</Badge>
        )}
      </span>
      {isThere(one) ? (
        <>
          <Changes day={one} />
          <Checkbox
            label={`Remplacer le menu du ${name}`}
            checked={isReplaced}
            onChecked={onReplaced}
          />
        </>
      ) : (
        <Text as="span" tone="soft" size="small">
          {one.dishes.map(({ name: dish }) => dish).join(", ")}
        </Text>
      )}
    </li>
  );
}

/** The changes to the menu of a day. */
function Changes({ day }: { day: LaidDay }) {
  const { leaving, coming, newAllergens, note } = day;
  const facts: Change[] = [
    ["Plats retirés", leaving.join(", ")],
    ["Plats ajoutés", coming.join(", ")],
    ["Allergènes en plus", newAllergens.map((one) => allergenNames[one].toLowerCase()).join(", ")],
    ["Note retirée", note],
  ];
  const changes = facts.filter(([, what]) => what !== "");
  if (changes.length === 0)
    return (
      <Text as="span" tone="soft" size="small">
        Les mêmes plats.
      </Text>
    );
  return <ChangeList changes={changes} />;
}
