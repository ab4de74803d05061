// Meals to come or past: the choice above a list of them.
import { Chips } from "#web/ui/choice.tsx";

export type When = "coming" | "past";

export const WhenChips = ({ value, onValue }: { value: When; onValue: (value: When) => void }) => (
  <Chips
    label="Quels repas"
    options={[
      { value: "coming", label: "À venir" },
      { value: "past", label: "Passés" },
    ]}
    value={[value]}
    onValue={onValue}
  />
);
