// Asks before an action, and stays until it is done or given up: a refusal is shown where it was asked.
import type { ComponentProps, ReactNode } from "react";
import type { Action } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";

type Words = Pick<
  ComponentProps<typeof AlertDialog>,
  "title" | "confirm" | "cancel" | "onDecline" | "danger" | "cautious"
>;

/**
 * `input` is what the action is sent with, null while nothing is asked; where the action takes nothing,
 * `open` says it, or the dialog is there only while it is asked. `failed` is the title of a refusal,
 * `children` what the action does.
 */
export function ConfirmAction<Input>({
  act,
  input,
  open = input !== null,
  onClose,
  failed,
  children,
  ...words
}: Words & {
  act: Action<Input>;
  input?: Input | null;
  open?: boolean;
  onClose: () => void;
  failed?: string;
  children?: ReactNode;
}) {
  const close = () => {
    if (act.isPending) return;
    act.reset();
    onClose();
  };
  return (
    <AlertDialog
      {...words}
      open={open}
      onClose={close}
      loading={act.isPending}
      onConfirm={() => act.send(input as Input, onClose)}
    >
      {children}
      <ProblemBanner problem={act.problem} title={failed} />
    </AlertDialog>
  );
}
