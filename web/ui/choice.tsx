// Choices: native controls, drawn by the portal's own style.
import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from "react";
import "./choice.css";
import { Field, FieldError, type FieldText } from "./field.tsx";
import { Icon } from "./icon.tsx";

export interface Option<T extends string = string> {
  value: T;
  label: string;
  hint?: ReactNode;
  disabled?: boolean;
}

type NativeInput = Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "type" | "checked">;

interface Toggle {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChecked: (checked: boolean) => void;
}

export function Checkbox({
  label,
  hint,
  error,
  checked,
  mixed = false,
  onChecked,
  ...native
}: Toggle & {
  error?: ReactNode;
  /** It stands for several things, some of which are checked; `checked` is then false. */
  mixed?: boolean;
} & NativeInput) {
  const id = useId();
  return (
    <div className="choice-field">
      <label className="choice" htmlFor={id}>
        <input
          {...native}
          ref={(input) => {
            if (input) input.indeterminate = mixed;
          }}
          id={id}
          type="checkbox"
          checked={checked}
          aria-describedby={`${id}-hint ${id}-error`}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChecked(event.target.checked)}
        />
        <span className="choice-text">
          <span className="choice-label">{label}</span>
          <span className="field-hint" id={`${id}-hint`}>
            {hint}
          </span>
        </span>
      </label>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

/** An on/off setting that acts at once. What is stored with a button is a Checkbox. */
export function Switch({ label, hint, checked, onChecked, ...native }: Toggle & NativeInput) {
  const id = useId();
  return (
    <label className="choice choice-switch" htmlFor={id}>
      <span className="choice-text">
        <span className="choice-label">{label}</span>
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      </span>
      <input
        {...native}
        id={id}
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox says it is checked
        role="switch"
        checked={checked}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChecked(event.target.checked)}
      />
    </label>
  );
}

/** One of a few, all visible. `boxed` draws each as a box, for choices that carry an explanation. */
export function RadioGroup<T extends string>({
  label,
  hint,
  error,
  options,
  value,
  onValue,
  boxed = false,
}: FieldText & {
  options: readonly Option<T>[];
  value: T | null;
  onValue: (value: T) => void;
  boxed?: boolean;
}) {
  const id = useId();
  return (
    <fieldset
      className="choice-group"
      aria-describedby={`${id}-error`}
      data-invalid={Boolean(error) || undefined}
    >
      <legend className="choice-legend">{label}</legend>
      {hint && <p className="field-hint">{hint}</p>}
      {options.map((option) => (
        <label
          key={option.value}
          className="choice"
          data-boxed={boxed || undefined}
          htmlFor={`${id}-${option.value}`}
        >
          <input
            id={`${id}-${option.value}`}
            type="radio"
            name={id}
            value={option.value}
            checked={value === option.value}
            disabled={option.disabled}
            aria-describedby={option.hint ? `${id}-${option.value}-hint` : undefined}
            onChange={() => onValue(option.value)}
          />
          <span className="choice-text">
            <span className="choice-label">{option.label}</span>
            {option.hint && (
              <span className="field-hint" id={`${id}-${option.value}-hint`}>
                {option.hint}
              </span>
            )}
          </span>
        </label>
      ))}
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
}

/** One of many, with the device's own list: the best there is on a phone. */
export function Select<T extends string>({
  label,
  hint,
  error,
  optional,
  isLabelUnseen,
  id,
  options,
  value,
  onValue,
  placeholder,
  ...native
}: FieldText & {
  options: readonly Option<T>[];
  value: T | "";
  onValue: (value: T) => void;
  placeholder?: string;
} & Omit<SelectHTMLAttributes<HTMLSelectElement>, "value" | "onChange">) {
  return (
    <Field {...{ label, hint, error, id, isLabelUnseen }} optional={optional ?? false}>
      {(wiring) => (
        <div className="input-frame">
          <select
            required={!optional}
            {...native}
            {...wiring}
            className="input select"
            value={value}
            onChange={(event) => onValue(event.target.value as T)}
          >
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <span className="input-end select-mark">
            <Icon name="down" size={20} />
          </span>
        </div>
      )}
    </Field>
  );
}

/** One chip: pressed or not. While `busy` it keeps its focus and ignores presses. */
export function Chip({
  pressed,
  busy = false,
  disabled = false,
  count,
  onPress,
  children,
}: {
  pressed: boolean;
  busy?: boolean;
  disabled?: boolean | undefined;
  count?: number | undefined;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      className="chip"
      aria-pressed={pressed}
      aria-disabled={busy || undefined}
      disabled={disabled}
      onClick={() => !busy && onPress()}
    >
      {children}
      {count !== undefined && <span className="chip-count">{count}</span>}
    </button>
  );
}

/** Filters as chips. `onValue` says which was pressed; the caller decides whether several may be on. */
export function Chips<T extends string>({
  label,
  options,
  value,
  onValue,
}: {
  label: string;
  options: readonly { value: T; label: string; count?: number; disabled?: boolean }[];
  value: readonly T[];
  onValue: (value: T) => void;
}) {
  return (
    <fieldset className="chips">
      <legend className="unseen">{label}</legend>
      {options.map((option) => (
        <Chip
          key={option.value}
          pressed={value.includes(option.value)}
          disabled={option.disabled}
          count={option.count}
          onPress={() => onValue(option.value)}
        >
          {option.label}
        </Chip>
      ))}
    </fieldset>
  );
}
