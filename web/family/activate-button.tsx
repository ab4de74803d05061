// A child's card that was sent, first or replacement, is activated by a guardian.
import { lazy, Suspense, useState } from "react";
import { type Card, cardCan } from "#contract/cards/rows.ts";
import { Button } from "#web/ui/button.tsx";

const ActivationDialog = lazy(async () => ({
  default: (await import("#web/cards/activation-dialog.tsx")).ActivationDialog,
}));

/** Nothing while no card of this member waits to be activated. */
export function ActivateButton({ card }: { card: Card }) {
  const [dialog, setDialog] = useState<"never" | "open" | "closed">("never");
  const ready = cardCan.activate(card)
    ? card.cardnumber
    : card.replacement && cardCan.activate(card.replacement)
      ? card.replacement.cardnumber
      : null;
  if (ready === null) return null;
  return (
    <>
      <Button icon="check" aria-haspopup="dialog" onClick={() => setDialog("open")}>
        Activer la carte reçue
      </Button>
      {dialog !== "never" && (
        <Suspense>
          <ActivationDialog
            cardnumber={ready}
            own={false}
            first={ready === card.cardnumber}
            open={dialog === "open"}
            onClose={() => setDialog("closed")}
          />
        </Suspense>
      )}
    </>
  );
}
