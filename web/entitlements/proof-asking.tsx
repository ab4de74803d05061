// Opens the form of a proof, fetched when it is first asked for.
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { RightsOf } from "#contract/entitlements/rows.ts";
import type { Wanted } from "./proof-dialog.tsx";

const ProofDialog = lazy(async () => ({
  default: (await import("./proof-dialog.tsx")).ProofDialog,
}));

/** Gives how to ask for the form, and the form to put on the screen. */
export function useProofDialog(people: readonly RightsOf[] | undefined): {
  ask: (wanted: Wanted) => void;
  dialog: ReactNode;
} {
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [open, setOpen] = useState(false);
  return {
    ask: (next) => {
      setWanted(next);
      setOpen(true);
    },
    dialog: wanted && people && (
      <Suspense>
        <ProofDialog people={people} wanted={wanted} open={open} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  };
}
