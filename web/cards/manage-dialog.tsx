// The actions that are permitted on a card in its state. Their code loads with the first opening.
import { lazy, Suspense, useState } from "react";
import { type Card, cardCan } from "#contract/cards/rows.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";

const ActionList = lazy(async () => ({ default: (await import("./action-list.tsx")).ActionList }));
const OppositionDialog = lazy(async () => ({
  default: (await import("./opposition-dialog.tsx")).OppositionDialog,
}));

const DamageDialog = lazy(async () => ({
  default: (await import("./damage-dialog.tsx")).DamageDialog,
}));

/** The button « Gérer la carte » and its dialogs; nothing when the card permits nothing. */
export function ManageCard({ card, own }: { card: Card; own: boolean }) {
  // The dialog asked for last stays while it closes.
  const [question, setQuestion] = useState<"damage" | "opposition" | null>(null);
  const [dialog, setDialog] = useState<"nothing" | "list" | "question">("nothing");
  // The browser tells late that a dialog closed: by then the other one may be the one asked for.
  const close = (which: "list" | "question") =>
    setDialog((now) => (now === which ? "nothing" : now));
  const ask = (which: "damage" | "opposition") => {
    setQuestion(which);
    setDialog("question");
  };
  const closing = { open: dialog === "question", onClose: () => close("question") };
  const possible = cardCan.suspend(card) || cardCan.resume(card) || cardCan.oppose(card);
  return (
    <>
      {possible && (
        <Button icon="tool" aria-haspopup="dialog" onClick={() => setDialog("list")}>
          Gérer
          <span className="unseen"> la carte</span>
        </Button>
      )}
      <Dialog open={dialog === "list"} onClose={() => close("list")} title="Gérer la carte">
        <Suspense
          fallback={
            <Loading>
              <Skeleton lines={2} height="5rem" />
            </Loading>
          }
        >
          <ActionList
            card={card}
            onClose={() => close("list")}
            onDamage={() => ask("damage")}
            onOppose={() => ask("opposition")}
          />
        </Suspense>
      </Dialog>
      <Suspense>
        {question === "opposition" && <OppositionDialog card={card} own={own} {...closing} />}
        {question === "damage" && <DamageDialog card={card} {...closing} />}
      </Suspense>
    </>
  );
}
