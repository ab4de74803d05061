// The end of a form: its one way forward and the way out. They stand in the page, after the last
// field: nothing is ever under them.
import type { ComponentProps, ReactNode } from "react";
import { Button } from "./button.tsx";
import "./form.css";

/**
 * `children` is what else may be done, before the two; without `onCancel` there is no way out. `wide`
 * is for a step that has the page to itself.
 */
export function FormActions({
  submit,
  isSending,
  danger = false,
  cancel = "Annuler",
  onCancel,
  children,
  ...look
}: {
  /** The verb on the button that sends. */
  submit: string;
  isSending: boolean;
  danger?: boolean;
  cancel?: string;
  onCancel?: () => void;
  children?: ReactNode;
} & Pick<ComponentProps<typeof Button>, "icon" | "iconEnd" | "wide" | "disabled">) {
  return (
    <div className="form-actions">
      {children}
      {onCancel && <Button onClick={onCancel}>{cancel}</Button>}
      <Button {...look} kind={danger ? "danger" : "primary"} type="submit" loading={isSending}>
        {submit}
      </Button>
    </div>
  );
}
