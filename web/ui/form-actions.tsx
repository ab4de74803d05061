// The end of a form: its one way forward and the way out. They stand in the page, after the last
// field: nothing is ever under them.
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import "./form.css";

/** `children` is what else may be done, before the two; without `onCancel` there is no way out. */
export function FormActions({
  submit,
  isSending,
  danger = false,
  cancel = "Annuler",
  onCancel,
  children,
}: {
  /** The verb on the button that sends. */
  submit: string;
  isSending: boolean;
  danger?: boolean;
  cancel?: string;
  onCancel?: () => void;
  children?: ReactNode;
}) {
  return (
    <div className="form-actions">
      {children}
      {onCancel && <Button onClick={onCancel}>{cancel}</Button>}
      <Button kind={danger ? "danger" : "primary"} type="submit" loading={isSending}>
        {submit}
      </Button>
    </div>
  );
}
