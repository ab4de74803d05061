// Another day's menu taken as the beginning of this one: of this week and of the two before, in one choice.
import { type MouseEvent, useState } from "react";
import { api } from "#contract/api.ts";
import type { Dish } from "#contract/kitchen/menus.ts";
import { addDays, startOfWeek } from "#contract/days.ts";
import { formatDayInWords } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { Row } from "#web/ui/stack.tsx";
import { dishesText, type MenuLine, menuText } from "./menu-lines.ts";

interface Copy {
  from: string;
  before: readonly MenuLine[];
  /** What the copied dishes say (`menuText`). */
  text: string;
}

export function CopiedDay({
  day,
  lines,
  isWritten,
  onCopied,
  onUndone,
}: {
  day: string;
  lines: readonly MenuLine[];
  /** Whether the lines hold dishes, which the copy replaces. */
  isWritten: boolean;
  onCopied: (dishes: readonly Dish[]) => void;
  onUndone: (lines: readonly MenuLine[]) => void;
}) {
  const monday = startOfWeek(day);
  const weeks = [0, -7, -14].map((by) => addDays(monday, by)) as [string, string, string];
  const [week, lastWeek, weekBefore] = weeks;
  const answers = [
    useAnswer(api.canteen.menuWeek, { day: week }),
    useAnswer(api.canteen.menuWeek, { day: lastWeek }),
    useAnswer(api.canteen.menuWeek, { day: weekBefore }),
  ];
  const [copy, setCopy] = useState<Copy | null>(null);
  // Once something was changed of it, the copy is a menu of its own: undoing it would lose that.
  const copied = copy !== null && dishesText(lines) === copy.text ? copy : null;
  const menus = answers
    .flatMap(({ data }) => data?.items ?? [])
    .filter((menu) => menu.day !== day && menu.dishes.length > 0);
  // The same day of last week, most often the one that is meant, then the nearest.
  const sameDay = addDays(day, -7);
  const ordered = menus.toSorted(
    (one, other) =>
      Number(other.day === sameDay) - Number(one.day === sameDay) || (one.day < other.day ? 1 : -1),
  );
  if (ordered.length === 0) return null;
  const take = (from: string) => {
    const menu = menus.find((one) => one.day === from);
    if (!menu) return;
    // The arrows of a closed list take each day that they pass: undoing goes back before the first.
    const before = copied?.before ?? lines;
    setCopy({ from, before, text: menuText({ note: "", dishes: menu.dishes }) });
    onCopied(menu.dishes);
  };
  const undo = (event: MouseEvent<HTMLElement>) => {
    if (copied) onUndone(copied.before);
    setCopy(null);
    // The button goes.
    event.currentTarget.parentElement?.querySelector("select")?.focus();
  };
  return (
    <Row>
      <Select
        label={
          isWritten ? "Remplacer par le menu d’un autre jour" : "Reprendre le menu d’un autre jour"
        }
        required={false}
        options={ordered.map((menu) => ({
          value: menu.day,
          label: `${formatDayInWords(menu.day)}\u202f: ${menu.dishes.map(({ name }) => name).join(", ")}`,
        }))}
        value={copied?.from ?? ""}
        placeholder="Choisir un jour"
        onValue={take}
      />
      {copied && (
        <Button size="small" icon="back" onClick={undo}>
          Annuler la reprise
        </Button>
      )}
    </Row>
  );
}
