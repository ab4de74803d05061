// Dialogs on the browser's own <dialog>: it traps the focus, makes the page inert, closes on Escape
// and gives the focus back, without a line of ours.
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button, IconButton } from "./button.tsx";
import "./dialog.css";

interface Shown {
  open: boolean;
  onClose: () => void;
  title: string;
  children?: ReactNode;
}

function useNative(open: boolean) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (open && dialog && !dialog.open) {
      dialog.showModal();
      // What asked for the focus did so while the dialog was not shown yet, in vain.
      dialog.querySelector<HTMLElement>("[data-focus-first]")?.focus();
    }
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  return element;
}

/** A dialog that a click outside, Escape or its cross closes. On a phone it rises from the bottom. */
export function Dialog({
  open,
  onClose,
  title,
  children,
  actions,
}: Shown & { actions?: ReactNode }) {
  const element = useNative(open);
  const id = useId();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is native; the click outside is a shortcut
    <dialog
      ref={element}
      className="dialog"
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {open && (
        <div className="dialog-inside">
          <div className="dialog-head">
            <h2 id={id}>{title}</h2>
            <IconButton icon="close" label="Fermer" onClick={onClose} />
          </div>
          <div className="dialog-body">{children}</div>
          {actions && <div className="dialog-actions">{actions}</div>}
        </div>
      )}
    </dialog>
  );
}

/** Asks before something that matters. The focus starts on the way out, never on the act. */
export function AlertDialog({
  open,
  onClose,
  title,
  children,
  confirm,
  cancel = "Annuler",
  onConfirm,
  onDecline = onClose,
  danger = false,
  cautious = false,
  loading = false,
}: Shown & {
  /** The verb of the act, e.g. « Opposer la carte ». */
  confirm: string;
  cancel?: string;
  onConfirm: () => void;
  /** What the way out does where it is an answer too; Escape only closes. */
  onDecline?: () => void;
  danger?: boolean;
  /** The way out is what most should take: it has the accent. */
  cautious?: boolean;
  loading?: boolean;
}) {
  const element = useNative(open);
  const id = useId();
  return (
    <dialog
      ref={element}
      className="dialog"
      role="alertdialog"
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
      onClose={onClose}
      onCancel={(event) => loading && event.preventDefault()}
    >
      {open && (
        <div className="dialog-inside">
          <h2 id={id}>{title}</h2>
          <div className="dialog-body" id={`${id}-text`}>
            {children}
          </div>
          <footer className="dialog-actions">
            <Button
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the safe choice has the focus
              autoFocus
              kind={cautious ? "primary" : "secondary"}
              disabled={loading}
              onClick={onDecline}
            >
              {cancel}
            </Button>
            <Button
              kind={danger ? "danger" : cautious ? "secondary" : "primary"}
              loading={loading}
              onClick={onConfirm}
            >
              {confirm}
            </Button>
          </footer>
        </div>
      )}
    </dialog>
  );
}
