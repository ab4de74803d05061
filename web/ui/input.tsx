// Text inputs, each a whole field: label, hint, control, error.
import { type InputHTMLAttributes, type TextareaHTMLAttributes, useRef, useState } from "react";
import { formatCardnumber } from "#contract/french.ts";
import { caretAfterDigits } from "./caret.ts";
import { Field, type FieldText } from "./field.tsx";
import { Icon } from "./icon.tsx";

type Native = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange" | "size">;

interface Valued {
  value: string;
  onValue: (value: string) => void;
}

export function TextInput({
  label,
  hint,
  error,
  optional,
  id,
  value,
  onValue,
  className = "",
  ...native
}: FieldText & Valued & Native) {
  return (
    <Field {...{ label, hint, error, id }} optional={optional ?? false}>
      {(wiring) => (
        <input
          type="text"
          required={!optional}
          {...native}
          {...wiring}
          className={`input ${className}`}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  error,
  optional,
  id,
  value,
  onValue,
  rows = 4,
  ...native
}: FieldText & Valued & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "value" | "onChange">) {
  return (
    <Field {...{ label, hint, error, id }} optional={optional ?? false}>
      {(wiring) => (
        <textarea
          required={!optional}
          {...native}
          {...wiring}
          rows={rows}
          className="input"
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  );
}

/** A password that can be shown. Pasting is allowed, and password managers know what it is. */
export function PasswordInput({
  label,
  hint,
  error,
  id,
  value,
  onValue,
  autoComplete = "current-password",
  ...native
}: FieldText & Valued & Native) {
  const [isVisible, setIsVisible] = useState(false);
  return (
    <Field {...{ label, hint, error, id }}>
      {(wiring) => (
        <div className="input-frame">
          <input
            required
            {...native}
            {...wiring}
            data-focus-first={native.autoFocus || undefined}
            className="input"
            type={isVisible ? "text" : "password"}
            autoComplete={autoComplete}
            autoCapitalize="none"
            spellCheck={false}
            value={value}
            onChange={(event) => onValue(event.target.value)}
          />
          <button
            type="button"
            className="input-end"
            aria-pressed={isVisible}
            aria-label="Afficher le mot de passe"
            onClick={() => setIsVisible(!isVisible)}
          >
            <Icon name={isVisible ? "eyeOff" : "eye"} />
          </button>
        </div>
      )}
    </Field>
  );
}

/** A card number: `value` holds digits alone; the screen groups them as they are typed or pasted. */
export function CardNumberInput({
  label,
  hint,
  error,
  optional,
  id,
  value,
  onValue,
  ...native
}: FieldText & Valued & Native) {
  const control = useRef<HTMLInputElement>(null);
  const type = (typed: string, caret: number | null) => {
    onValue(typed.replaceAll(/\D/g, "").slice(0, 10));
    const place = caretAfterDigits(formatCardnumber(typed), typed.slice(0, caret ?? typed.length));
    // React writes the grouped value after this event; the caret is put back once it has.
    requestAnimationFrame(() => control.current?.setSelectionRange(place, place));
  };
  return (
    <Field {...{ label, hint, error, id }} optional={optional ?? false}>
      {(wiring) => (
        <input
          required={!optional}
          autoComplete="off"
          {...native}
          {...wiring}
          ref={control}
          className="input input-number"
          type="text"
          inputMode="numeric"
          value={formatCardnumber(value)}
          onChange={(event) => type(event.target.value, event.target.selectionStart)}
        />
      )}
    </Field>
  );
}
