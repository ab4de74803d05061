// Refusing what a family asked or ordered: the reason that the family will read.
import type { ReactNode } from "react";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { TextArea } from "#web/ui/input.tsx";

export function RefusalForm({
  label = "Raison",
  hint = "La famille la lira.",
  submit,
  refuse,
  onDone,
  onClose,
  children,
}: {
  label?: string;
  hint?: string;
  submit: string;
  /** Sends the refusal and gives what the server says of it. */
  refuse: (reason: string) => Promise<{ message: string }>;
  onDone?: () => void;
  onClose: () => void;
  /** What follows from the refusal. */
  children?: ReactNode;
}) {
  const sending = useAction(({ reason }: { reason: string }) => refuse(reason), {
    says: ({ message }) => message,
    onDone: () => {
      onClose();
      onDone?.();
    },
  });
  const { field, problem, form } = useForm(
    { reason: "" },
    ({ reason }) => ({
      reason: reason.trim() === "" && "Dites pourquoi\u202f: la famille le lira.",
    }),
    sending,
  );
  return (
    <form {...form}>
      {children}
      <TextArea label={label} hint={hint} maxLength={300} {...field("reason")} />
      <ProblemBanner problem={problem} />
      <FormActions kind="danger" submit={submit} isSending={sending.isPending} onCancel={onClose} />
    </form>
  );
}
