// Dialogs on the browser's own <dialog>: it traps the focus, makes the page inert, closes on Escape
// and gives the focus back, without a line of ours. Where closing would lose what is typed in it, it asks.
import {
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
} from "react";
import { Button, IconButton } from "./button.tsx";
import { hasUnsaved, mayLeave, useRegion } from "./unsaved.tsx";
import "./dialog.css";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children?: ReactNode;
}

function useNative(open: boolean, onClose: () => void, isBusy = false) {
  const element = useRef<HTMLDialogElement>(null);
  const [region, inRegion] = useRegion();
  useEffect(() => {
    const dialog = element.current;
    if (open && dialog && !dialog.open) {
      dialog.showModal();
      // What asked for the focus did so while the dialog was not shown yet, in vain.
      dialog.querySelector<HTMLElement>("[data-focus-first]")?.focus();
    }
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  const close = async () => {
    if (await mayLeave(region)) onClose();
  };
  return {
    close: () => void close(),
    inRegion,
    native: {
      ref: element,
      // The key, and not only what it leads to: a browser asks the page about the first Escape only.
      onKeyDown: (event: KeyboardEvent) => {
        const isOwn = (event.target as Element).closest("dialog") === element.current;
        if (event.key !== "Escape" || event.defaultPrevented || !isOwn || !hasUnsaved(region))
          return;
        event.preventDefault();
        void close();
      },
      onCancel: (event: SyntheticEvent) => {
        if (isBusy) event.preventDefault();
        if (isBusy || !hasUnsaved(region)) return;
        event.preventDefault();
        void close();
      },
      // The event comes in a task of its own: by then the dialog may be open again.
      onClose: () => element.current?.open || onClose(),
    },
  };
}

/** A dialog that a click outside, Escape or its cross closes. On a phone it rises from the bottom. */
export function Dialog({
  open,
  onClose,
  title,
  children,
  actions,
}: Omit<DialogProps, "title"> & { title: ReactNode; actions?: ReactNode }) {
  const { native, close, inRegion } = useNative(open, onClose);
  const id = useId();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is native; the click outside is a shortcut
    <dialog
      {...native}
      className="dialog"
      aria-labelledby={id}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      {open && (
        <div className="dialog-inside">
          <div className="dialog-head">
            <h2 id={id}>{title}</h2>
            <IconButton icon="close" label="Fermer" onClick={close} />
          </div>
          <div className="dialog-body">{inRegion(children)}</div>
          {actions && <div className="dialog-actions">{actions}</div>}
        </div>
      )}
    </dialog>
  );
}

/** A dialog that covers the screen, without a frame: a press anywhere, Escape or its own button closes it. */
export function FullScreen({
  open,
  onClose,
  label,
  children,
}: Omit<DialogProps, "title"> & { label: string }) {
  const { native, close } = useNative(open, onClose);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is native; the press anywhere is a shortcut
    <dialog {...native} className="full-screen" aria-label={label} onClick={close}>
      {open && children}
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
}: DialogProps & {
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
  const { native, inRegion } = useNative(open, onClose, loading);
  const id = useId();
  return (
    <dialog
      {...native}
      className="dialog"
      role="alertdialog"
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
    >
      {open && (
        <div className="dialog-inside">
          <h2 id={id}>{title}</h2>
          <div className="dialog-body" id={`${id}-text`}>
            {inRegion(children)}
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
