// What every form field has in common: a label, a hint, an error in words, and their wiring.
import { type ReactNode, useId } from "react";
import "./field.css";
import { Icon } from "./icon.tsx";

export interface FieldText {
  label: string;
  hint?: ReactNode;
  /** The fault and how to mend it, or nothing. */
  error?: ReactNode;
  /** The label is heard alone: a heading above the column shows it. */
  isLabelUnseen?: boolean | undefined;
  /** Adds « (facultatif) » to the label; fields are required unless they say so. */
  optional?: boolean;
}

export interface Wiring {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

/** Hands the control its id and the ids of what describes it. The error is announced as it appears. */
export function Field({
  label,
  hint,
  error,
  optional,
  isLabelUnseen,
  id: customId,
  children,
}: FieldText & { id?: string | undefined; children: (wiring: Wiring) => ReactNode }) {
  const ownId = useId();
  const id = customId ?? ownId;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="field" data-invalid={error ? true : undefined}>
      <FieldLabel {...{ id, label, hint, optional, isLabelUnseen }} />
      {children({
        id,
        ...(described && { "aria-describedby": described }),
        ...(error ? { "aria-invalid": true as const } : {}),
      })}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

/** The label of the control `id`, and its hint under « id-hint ». */
export const FieldLabel = ({
  id,
  label,
  hint,
  optional = false,
  isLabelUnseen = false,
}: Pick<FieldText, "label" | "hint" | "isLabelUnseen"> & {
  id: string;
  optional?: boolean | undefined;
}) => (
  <>
    <label className={isLabelUnseen ? "unseen" : "field-label"} htmlFor={id}>
      {label}
      {optional && <span className="field-optional"> (facultatif)</span>}
    </label>
    {hint && (
      <p className="field-hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </>
);

export function FieldError({ id, error }: { id: string; error: ReactNode }) {
  return (
    <p className="field-error" id={id} aria-live="polite">
      {error ? (
        <>
          <Icon name="danger" size={20} />
          <span>{error}</span>
        </>
      ) : null}
    </p>
  );
}
