// An amount of money, typed as people write it, given back in integer cents.
import { useState } from "react";
import { formatMoney, formatTypedMoney, parseMoney } from "#contract/french.ts";
import { Chips } from "./choice.tsx";
import { Field, type FieldText } from "./field.tsx";

const none: readonly number[] = [];

const written = (cents: number | null) => (cents === null ? "" : formatTypedMoney(cents));

const unreadable = "Ce montant ne se lit pas. Écrivez-le ainsi\u202f: 12,50.";

/**
 * `cents` is null while what is typed is no amount. `presetsCents` are chips that fill the field.
 * Limits are told by the caller in `hint` and `error`. What is typed stays as it is: a sign that is taken
 * away would make another amount of it. Once there is an `error`, a text that is no amount is told as such.
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
  const display = parseMoney(typed) === cents || cents === null ? typed : written(cents);
  const isUnreadable = display.trim() !== "" && parseMoney(display) === null;
  const type = (value: string) => {
    setTyped(value);
    onCents(parseMoney(value));
  };
  return (
    <div className="amount">
      <Field {...{ label, hint }} error={error && isUnreadable ? unreadable : error}>
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
              value={display}
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
