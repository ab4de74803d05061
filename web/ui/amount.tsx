// An amount of money, typed as people write it, given back in integer cents.
import { useState } from "react";
import { formatMoney, parseMoney } from "#contract/french.ts";
import { Chips } from "./choice.tsx";
import { Field, type FieldText } from "./field.tsx";

const none: readonly number[] = [];

const written = (cents: number | null) =>
  cents === null ? "" : (cents / 100).toFixed(cents % 100 === 0 ? 0 : 2).replace(".", ",");

/**
 * `cents` is null while what is typed is no amount. `presetsCents` are chips that fill the field.
 * Limits are told by the caller in `hint` and `error`: the field itself refuses nothing.
 */
export function AmountInput({
  label,
  hint,
  error,
  cents,
  onCents,
  presetsCents = none,
  autoFocus = false,
}: FieldText & {
  cents: number | null;
  onCents: (cents: number | null) => void;
  presetsCents?: readonly number[];
  autoFocus?: boolean;
}) {
  const [typed, setTyped] = useState(written(cents));
  // What is typed stays as typed; only a value that came from elsewhere replaces it.
  const shown = parseMoney(typed) === cents || cents === null ? typed : written(cents);
  const type = (value: string) => {
    const kept = value.replaceAll(/[^\d,.\s€]/g, "");
    setTyped(kept);
    onCents(parseMoney(kept));
  };
  return (
    <div className="amount">
      <Field {...{ label, hint, error }}>
        {(wiring) => (
          <div className="input-frame">
            <input
              {...wiring}
              className="input amount-input"
              type="text"
              inputMode="decimal"
              autoComplete="off"
              required
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- only where the amount is the screen
              autoFocus={autoFocus}
              value={shown}
              onChange={(event) => type(event.target.value)}
            />
            <span className="input-end amount-unit" aria-hidden="true">
              €
            </span>
          </div>
        )}
      </Field>
      {presetsCents.length > 0 && (
        <Chips
          label="Montants proposés"
          options={presetsCents.map((preset) => ({
            value: String(preset),
            label: formatMoney(preset).replace(",00", ""),
          }))}
          value={[String(cents)]}
          onValue={(preset) => type(written(Number(preset)))}
        />
      )}
    </div>
  );
}
