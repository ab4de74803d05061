// Opens the form of a proof, fetched when it is first asked for.
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { RightsOf } from "#contract/entitlements/rows.ts";
import type { ProofSubject } from "./proof-dialog.tsx";

const ProofDialog = lazy(async () => ({
  default: (await import("./proof-dialog.tsx")).ProofDialog,
}));

/** Returns the function that opens the form, and the form to put on the screen. */
export function useProofDialog(people: readonly RightsOf[] | undefined): {
  ask: (subject: ProofSubject) => void;
  dialog: ReactNode;
} {
  const [subject, setSubject] = useState<ProofSubject | null>(null);
  const [open, setOpen] = useState(false);
  return {
    ask: (next) => {
      setSubject(next);
      setOpen(true);
    },
    dialog: subject && people && (
      <Suspense>
        <ProofDialog people={people} subject={subject} open={open} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  };
}
