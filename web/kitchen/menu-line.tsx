// One line of the menu editor: a dish with its course, name and allergens; what is seldom set unfolds under it.
import { type KeyboardEvent, useRef } from "react";
import { allergenWords } from "#contract/kitchen/dish-allergens.ts";
import { dietWords } from "#contract/kitchen/served-dishes.ts";
import {
  courseNames,
  courses,
  dietNames,
  dishDiets,
  dishLabelNames,
  dishLabels,
} from "#contract/kitchen/states.ts";
import { capital, formatDayInWords } from "#contract/french.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Chips, Select } from "#web/ui/choice.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { SuggestInput } from "#web/ui/suggest-input.tsx";
import { Text } from "#web/ui/text.tsx";
import { AllergenGrid } from "./allergen-grid.tsx";
import { namedDish, useDishSuggestions } from "./dish-suggestions.ts";
import styles from "./menu-editor.module.css";
import {
  type MenuLine,
  nameFault,
  priceFault,
  renamed,
  takenDish,
  withAllergens,
} from "./menu-lines.ts";

/** What unfolds under a line. */
export type LinePart = "allergens" | "details";

/** What the keys of a line do to the lines. */
export interface LineKeys {
  /** Enter: on to the next line, which is made where there is none. */
  onNext: () => void;
  onErase: () => void;
  onStep: (by: 1 | -1) => void;
  onMove: (by: 1 | -1) => void;
}

interface Shown {
  line: MenuLine;
  place: number;
  /** Names of the dishes of the other lines. */
  others: readonly string[];
  isChecked: boolean;
  open: LinePart | null;
  onOpen: (part: LinePart | null) => void;
  onChange: (part: Partial<MenuLine>) => void;
  onRemove: () => void;
  opensList: () => boolean;
}

const toggled = <T extends string>(all: readonly T[], one: T) =>
  all.includes(one) ? all.filter((other) => other !== one) : [...all, one];

export function MenuLineFields({ keys, ...shown }: Shown & { keys: LineKeys }) {
  const { line, place, others, isChecked, open, onOpen, onChange, onRemove, opensList } = shown;
  const suggestions = useDishSuggestions(line, others);
  /** The first name of a dish is typed whose allergens are declared already. */
  const isNaming = useRef(false);
  const rename = (typed: string) => {
    if (line.name.trim() === "" && line.allergens !== null) isNaming.current = true;
    onChange(isNaming.current ? { name: typed } : renamed(line, typed));
  };
  const take = (dish: Parameters<typeof takenDish>[0]) => {
    const taken = takenDish(dish);
    // What is declared now is of the dish that was taken, also where the keyboard stays on the last line.
    isNaming.current = false;
    onChange(taken);
    if (taken.declarations && taken.declarations.length > 0) onOpen("allergens");
    else keys.onNext();
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    act();
  };
  const actOf = (event: KeyboardEvent): (() => void) | undefined => {
    const { key, altKey, ctrlKey, metaKey, repeat } = event;
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : null;
    if (step !== null) return () => (altKey ? keys.onMove(step) : keys.onStep(step));
    // Held, Backspace erases no line, and Enter makes one.
    if (key === "Backspace" && line.name === "") return repeat ? () => {} : keys.onErase;
    if (key !== "Enter" || ctrlKey || metaKey) return undefined;
    if (repeat) return () => {};
    // Whoever has said that they are not declared is not answered by the past.
    const isOpen = line.isRenamed && line.allergens === null;
    const known = isOpen ? namedDish(suggestions, line.name) : undefined;
    return () => (known ? take(known) : keys.onNext());
  };
  const name = line.name.trim() || `le plat ${place}`;
  return (
    <li className={styles.line} data-line={line.key}>
      <div className={styles.fields}>
        <Select
          label={`Service du plat ${place}`}
          isLabelUnseen
          options={courses.map((value) => ({ value, label: courseNames[value] }))}
          value={line.course}
          onValue={(course) => onChange({ course })}
        />
        <SuggestInput
          label={`Nom du plat ${place}`}
          isLabelUnseen
          placeholder={courseNames[line.course]}
          maxLength={160}
          value={line.name}
          onValue={rename}
          onLeave={() => {
            isNaming.current = false;
          }}
          suggestions={suggestions}
          onTake={take}
          onKey={press}
          opensOnFocus={opensList}
          error={isChecked && nameFault(line)}
        />
        <button
          type="button"
          className={styles.allergens}
          data-undeclared={line.allergens === null || undefined}
          aria-expanded={open === "allergens"}
          onClick={() => onOpen(open === "allergens" ? null : "allergens")}
        >
          <span className="unseen">
            Allergènes du plat {place}
            {"\u202f"}:{" "}
          </span>
          {allergensOf(line)}
        </button>
        <IconButton
          icon="more"
          label={`Labels, régimes et prix du plat ${place}`}
          aria-expanded={open === "details"}
          onClick={() => onOpen(open === "details" ? null : "details")}
        />
        <IconButton icon="trash" label={`Retirer ${name}`} onClick={onRemove} />
      </div>
      {detailsOf(line) && (
        <Text tone="soft" size="small">
          {detailsOf(line)}
        </Text>
      )}
      {open === "allergens" && <AllergensPart {...shown} onDone={keys.onNext} />}
      {(open === "details" || (isChecked && priceFault(line))) && (
        <DetailsPart {...shown} keys={keys} />
      )}
    </li>
  );
}

function allergensOf({ allergens, name }: MenuLine): string {
  if (allergens === null) return name.trim() === "" ? "Allergènes" : "Non renseignés";
  return allergens.length === 0 ? "Aucun" : capital(allergenWords({ allergens }));
}

/**
 * Closes on Escape, with the keyboard back on the name of the line. Enter that is still held from the line answers
 * nothing here.
 */
const closing =
  (close: () => void) =>
  (event: KeyboardEvent<HTMLElement>): void => {
    const isHeld = event.repeat && event.key === "Enter";
    if (!isHeld && event.key !== "Escape") return;
    event.preventDefault();
    if (!isHeld) close();
  };

function AllergensPart({ line, onOpen, onChange, onDone }: Shown & { onDone: () => void }) {
  const { name, declarations, allergens, before } = line;
  const dish = name.trim() || "ce plat";
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes what the button above opened
    <div className={styles.part} data-part onKeyDown={closing(() => onOpen(null))}>
      {declarations.length > 0 && (
        <Stack as="fieldset" gap={8}>
          <legend className={styles.question}>
            Les allergènes de «{"\u00a0"}
            {dish}
            {"\u00a0"}» ont changé d’un jour à l’autre. Lesquels cette fois{"\u202f"}?
          </legend>
          <Actions>
            {declarations.map(({ allergens: declared, lastDay }) => (
              <Button
                key={lastDay + declared.join(" ")}
                size="small"
                onClick={() => {
                  onChange(withAllergens(declared));
                  onDone();
                }}
              >
                {capital(allergenWords({ allergens: declared }))}, comme le{" "}
                {formatDayInWords(lastDay)}
              </Button>
            ))}
          </Actions>
        </Stack>
      )}
      <AllergenGrid
        label={`Allergènes de ${dish}`}
        value={allergens}
        onValue={(value) => onChange(withAllergens(value))}
      />
      {allergens === null && before && (
        <Actions>
          <Button
            size="small"
            onClick={() => {
              onChange(withAllergens(before.allergens));
              onDone();
            }}
          >
            Comme avant le changement de nom{"\u202f"}: {allergenWords(before)}
          </Button>
        </Actions>
      )}
      {allergens === null && (
        <Text tone="soft" size="fine">
          Non renseigné{"\u202f"}: les familles qui ont déclaré un allergène sont averties, comme
          s’il y était.
        </Text>
      )}
    </div>
  );
}

function DetailsPart({
  line,
  place,
  isChecked,
  onOpen,
  onChange,
  keys,
}: Shown & { keys: LineKeys }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes what the button above opened
    <div className={styles.part} data-part onKeyDown={closing(() => onOpen(null))}>
      <Text weight="strong" size="fine">
        Labels
      </Text>
      <Chips
        label={`Labels du plat ${place}`}
        options={dishLabels.map((value) => ({ value, label: dishLabelNames[value] }))}
        value={line.labels}
        onValue={(label) => onChange({ labels: toggled(line.labels, label) })}
      />
      <Text weight="strong" size="fine">
        Pour un régime
      </Text>
      <Chips
        label={`Régimes du plat ${place}`}
        options={dishDiets.map((value) => ({ value, label: dietNames[value] }))}
        value={line.diets}
        onValue={(diet) => onChange({ diets: toggled(line.diets, diet) })}
      />
      <Text tone="soft" size="fine">
        À ces enfants, il est servi à la place des autres plats du même service.
      </Text>
      <TextInput
        label="Prix, en euros"
        hint="Seulement si le plat se vend seul."
        optional
        inputMode="decimal"
        autoComplete="off"
        value={line.price}
        onValue={(price) => onChange({ price })}
        error={isChecked && priceFault(line)}
      />
      <Actions>
        <Button size="small" icon="up" onClick={() => keys.onMove(-1)}>
          Monter
        </Button>
        <Button size="small" icon="down" onClick={() => keys.onMove(1)}>
          Descendre
        </Button>
      </Actions>
    </div>
  );
}

/** What is set beside name and allergens, so that nobody unfolds it to see. */
const detailsOf = ({ labels, diets, price }: MenuLine): string =>
  [
    ...labels.map((label) => dishLabelNames[label]),
    ...(diets.length > 0 ? [`servi aux régimes\u202f: ${dietWords({ diets })}`] : []),
    ...(price.trim() === "" ? [] : [`${price} €`]),
  ].join(" · ");
