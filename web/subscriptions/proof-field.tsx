// One proof of an application: uploaded, then given at once, so that it is there on every device.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import {
  subscriptionProofHints,
  type SubscriptionProofKind,
  subscriptionProofNames,
} from "#contract/subscriptions/states.ts";
import type { SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { discardFile, uploadFile } from "#web/app/transport/upload.ts";
import { Skeleton } from "#web/ui/state.tsx";
import type { UploadedFile } from "#web/ui/upload.tsx";
import { useStep } from "./use-application.ts";
import styles from "./subscriptions.module.css";

// Loaded when a document is asked for: most formulas ask for none.
const Upload = lazy(async () => ({ default: (await import("#web/ui/upload.tsx")).Upload }));

export function ProofField({
  application,
  kind,
  missing,
  onBusy,
}: {
  application: SubscriptionApplication;
  kind: SubscriptionProofKind;
  /** It was asked to go on without it. */
  missing: boolean;
  onBusy: (busy: boolean) => void;
}) {
  const { id } = application;
  const saved = application.proofs.find((one) => one.kind === kind)?.document ?? null;
  const [files, setFiles] = useState<readonly UploadedFile[]>(saved ? [saved] : []);
  const give = useStep(api.subscriptions.addProof);
  const take = useStep(api.subscriptions.removeProof);
  const change = (next: readonly UploadedFile[]) => {
    setFiles(next);
    const added = next.find((one) => !files.some((before) => before.id === one.id));
    if (!added) return;
    give.mutate(
      { id, kind, document: added.id },
      {
        onError: () => {
          setFiles(files);
          discardFile(added);
        },
      },
    );
  };
  const problem = give.error ?? take.error;
  return (
    <div className={styles.proof}>
      <Suspense fallback={<Skeleton height="8rem" />}>
        <Upload
          label={subscriptionProofNames[kind]}
          hint={subscriptionProofHints[kind]}
          error={problem?.message ?? (missing && files.length === 0 && "Ajoutez ce document.")}
          files={files}
          max={1}
          onFiles={(next) => change(next(files))}
          onBusy={onBusy}
          onRemove={() => take.send({ id, kind })}
          send={uploadFile}
        />
      </Suspense>
    </div>
  );
}
