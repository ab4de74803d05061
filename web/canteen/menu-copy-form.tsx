// Copying a week's menus onto a week to come.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { MenuWeek } from "#contract/canteen/menus.ts";
import { addDays, startOfWeek } from "#contract/days.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Select } from "#web/ui/choice.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { notify } from "#web/ui/toast.tsx";
import { weekWords } from "./menu-week.ts";

const weeksAhead = 12;

export function MenuCopyForm({
  from,
  today,
  onCopied,
  onClose,
}: {
  from: string;
  today: string;
  onCopied: (week: MenuWeek) => void;
  onClose: () => void;
}) {
  const weeks = Array.from({ length: weeksAhead }, (_, index) =>
    addDays(startOfWeek(today), 7 * index),
  ).filter((monday) => monday !== from);
  const [refused, setRefused] = useState("");
  const copy = useMutation<MenuWeek, ApiProblem, { to: string }>({
    // Sent again after that refusal, it is confirmed.
    mutationFn: ({ to }) =>
      call(api.canteen.copyMenus, { from, to, replace: refused === "menu_there" }),
    onError: ({ code }) => setRefused(code),
    onSuccess: (week) => {
      notify({ text: "Menus copiés. Publiez-les quand ils sont prêts.", kind: "success" });
      onCopied(week);
    },
  });
  const after = weeks.find((monday) => monday > from) ?? weeks[0] ?? "";
  const { values, set, problem, form } = useForm({ to: after }, () => ({}), copy);
  return (
    <form {...form}>
      <Select
        label="Vers"
        options={weeks.map((value) => ({ value, label: weekWords(value) }))}
        value={values.to}
        onValue={(to) => {
          copy.reset();
          setRefused("");
          set({ to });
        }}
      />
      <ProblemBanner problem={problem} />
      <FormActions
        submit={refused === "menu_there" ? "Remplacer les menus" : "Copier les menus"}
        isSending={copy.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
