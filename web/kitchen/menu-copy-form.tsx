// Copying a week's menus onto a week to come.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { MenuWeek } from "#contract/kitchen/menus.ts";
import { addDays, startOfWeek } from "#contract/days.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { Select } from "#web/ui/choice.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { LaidWeekForm } from "./laid-week-form.tsx";
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
  const [to, setTo] = useState(() => weeks.find((monday) => monday > from) ?? weeks[0] ?? "");
  const preview = useAnswer(api.canteen.previewCopy, { from, to }, { atOnce: true });
  return (
    <Stack gap={20}>
      <Select
        label="Vers"
        options={weeks.map((value) => ({ value, label: weekWords(value) }))}
        value={to}
        onValue={setTo}
      />
      <LaidWeekForm
        key={to}
        preview={preview}
        submit="Copier les menus"
        lay={(confirmed) => call(api.canteen.copyMenus, { from, to, ...confirmed })}
        onLaid={onCopied}
        onClose={onClose}
      />
    </Stack>
  );
}
