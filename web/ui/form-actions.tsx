// The end of a form: its one way forward and the way out. They stand in the page, after the last
// field: nothing is ever under them.
import type { ComponentProps, ReactNode } from "react";
import { Button } from "./button.tsx";
import "./form.css";

/**
 * `children` is what else may be done, before the two; without `onCancel` there is no way out. `wide`
 * is for a form that is the whole page, `kind` for one on a page that has its primary button elsewhere.
 */
export function FormActions({
  submit,
  isSending,
  cancel = "Annuler",
  onCancel,
  children,
  ...look
}: {
  /** The verb on the button that sends. */
  submit: string;
  isSending: boolean;
  cancel?: string;
  onCancel?: () => void;
  children?: ReactNode;
} & Pick<ComponentProps<typeof Button>, "kind" | "icon" | "iconEnd" | "wide" | "disabled">) {
  return (
    <div className="form-actions">
      {children}
      {onCancel && <Button onClick={onCancel}>{cancel}</Button>}
      <Button kind="primary" {...look} type="submit" loading={isSending}>
        {submit}
      </Button>
    </div>
  );
}
