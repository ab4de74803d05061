// Asks before it acts on a card: what it will do, and what happened.
import { type ReactNode, useRef, useState } from "react";
import type { Action } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { Stack } from "#web/ui/stack.tsx";
import styles from "./card-dialogs.module.css";

export interface ReasonDialogProps<Reason extends string> {
  open: boolean;
  onClose: () => void;
  title: string;
  /** The label of the button that acts. */
  confirm: string;
  danger?: boolean;
  /** Its effects: items of a list. */
  children: ReactNode;
  reasons: readonly { value: Reason; label: string; hint: string }[];
  /** The sentence above a refusal: « L’opposition n’a pas été faite. » */
  failed: string;
  act: Action<Reason>;
}

/** Nothing is sent before a reason is chosen; a refusal is shown inside. */
export function ReasonDialog<Reason extends string>({
  open,
  onClose,
  title,
  confirm,
  danger = false,
  children,
  reasons,
  failed,
  act,
}: ReasonDialogProps<Reason>) {
  const [reason, setReason] = useState<Reason | null>(null);
  const [missing, setMissing] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const close = () => {
    if (act.isPending) return;
    setReason(null);
    setMissing(false);
    act.reset();
    onClose();
  };
  const run = () => {
    if (reason) {
      act.send(reason, close);
      return;
    }
    setMissing(true);
    form.current?.querySelector("input")?.focus();
  };
  return (
    <AlertDialog
      open={open}
      onClose={close}
      title={title}
      confirm={confirm}
      cancel="Garder la carte"
      danger={danger}
      loading={act.isPending}
      onConfirm={run}
    >
      <Stack gap={20} ref={form}>
        <ul className={styles.oppositionEffects} data-danger={danger || undefined}>
          {children}
        </ul>
        <RadioGroup
          label="Que s’est-il passé&#8239;?"
          options={reasons}
          value={reason}
          onValue={(value) => {
            setReason(value);
            setMissing(false);
          }}
          error={missing && "Choisissez ce qui s’est passé."}
        />
        <ProblemBanner problem={act.problem} title={failed} />
      </Stack>
    </AlertDialog>
  );
}
