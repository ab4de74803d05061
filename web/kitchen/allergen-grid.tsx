// The allergens of a dish: not declared, none, or those of the fourteen that are pressed. Taking the last one away
// leaves them not declared: « aucun » is always pressed by somebody.
import type { KeyboardEvent } from "react";
import { type Allergen, allergenNames, allergens } from "#contract/allergies/rows.ts";
import { Chip } from "#web/ui/choice.tsx";
import styles from "./menu-editor.module.css";

const steps: Readonly<Record<string, 1 | -1>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

export function AllergenGrid({
  label,
  value,
  onValue,
}: {
  label: string;
  value: readonly Allergen[] | null;
  onValue: (value: readonly Allergen[] | null) => void;
}) {
  const toggle = (one: Allergen) => {
    const held = value ?? [];
    const next = held.includes(one) ? held.filter((other) => other !== one) : [...held, one];
    onValue(next.length > 0 ? next : null);
  };
  const move = (event: KeyboardEvent<HTMLFieldSetElement>) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const chips = [...event.currentTarget.querySelectorAll("button")];
    const at = chips.indexOf(document.activeElement as HTMLButtonElement);
    chips[(at + step + chips.length) % chips.length]?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move among its buttons
    <fieldset className={styles.allergenGrid} onKeyDown={move}>
      <legend className="unseen">{label}</legend>
      <Chip pressed={value === null} onPress={() => onValue(null)}>
        Non renseigné
      </Chip>
      <Chip pressed={value?.length === 0} onPress={() => onValue([])}>
        Aucun
      </Chip>
      {allergens.map((one) => (
        <Chip key={one} pressed={value?.includes(one) ?? false} onPress={() => toggle(one)}>
          {allergenNames[one]}
        </Chip>
      ))}
    </fieldset>
  );
}
