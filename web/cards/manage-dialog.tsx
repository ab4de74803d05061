// Everything that may be done with a card in its state. The acts come with the first opening.
import { lazy, Suspense, useState } from "react";
import { type Card, cardCan } from "#contract/cards/rows.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";

const ActList = lazy(async () => ({ default: (await import("./act-list.tsx")).ActList }));
const OppositionDialog = lazy(async () => ({
  default: (await import("./opposition-dialog.tsx")).OppositionDialog,
}));

/**
 * The button « Gérer la carte » and its dialogs; nothing when the card permits nothing. `minor`: the
 * person has a guardian, who alone resumes the card (spec.md 31).
 */
export function ManageCard({
  card,
  own,
  minor = false,
}: {
  card: Card;
  own: boolean;
  minor?: boolean;
}) {
  const [opposing, setOpposing] = useState(false);
  const [asked, setAsked] = useState<"nothing" | "list" | "opposition">("nothing");
  // The browser tells late that a dialog closed: by then the other one may be the one asked for.
  const close = (which: "list" | "opposition") =>
    setAsked((now) => (now === which ? "nothing" : now));
  const possible = cardCan.suspend(card) || cardCan.resume(card) || cardCan.oppose(card);
  return (
    <>
      {possible && (
        <Button icon="tool" aria-haspopup="dialog" onClick={() => setAsked("list")}>
          Gérer
          <span className="unseen"> la carte</span>
        </Button>
      )}
      <Dialog open={asked === "list"} onClose={() => close("list")} title="Gérer la carte">
        <Suspense
          fallback={
            <Loading>
              <Skeleton lines={2} height="5rem" />
            </Loading>
          }
        >
          <ActList
            card={card}
            minor={minor}
            onClose={() => close("list")}
            onOppose={() => {
              setOpposing(true);
              setAsked("opposition");
            }}
          />
        </Suspense>
      </Dialog>
      {opposing && (
        <Suspense>
          <OppositionDialog
            card={card}
            own={own}
            open={asked === "opposition"}
            onClose={() => close("opposition")}
          />
        </Suspense>
      )}
    </>
  );
}
