// One paper of a file: uploaded, then given at once, so that it is there on every device.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { paperHints, type PaperKind, paperNames } from "#contract/subscription-states.ts";
import type { SubscriptionFile } from "#contract/subscriptions.ts";
import { discardFile, uploadFile } from "#web/app/upload.ts";
import { Upload, type UploadedFile } from "#web/ui/upload.tsx";
import { useStep } from "./use-file.ts";

export function PaperField({
  file,
  kind,
  missing,
  onBusy,
}: {
  file: SubscriptionFile;
  kind: PaperKind;
  /** It was asked to go on without it. */
  missing: boolean;
  onBusy: (busy: boolean) => void;
}) {
  const { id } = file;
  const kept = file.papers.find((one) => one.kind === kind)?.document ?? null;
  const [files, setFiles] = useState<readonly UploadedFile[]>(kept ? [kept] : []);
  const give = useStep(api.subscriptions.givePaper);
  const take = useStep(api.subscriptions.takePaper);
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
    <div className="paper">
      <Upload
        label={paperNames[kind]}
        hint={paperHints[kind]}
        error={problem?.message ?? (missing && files.length === 0 && "Ajoutez ce document.")}
        files={files}
        most={1}
        onFiles={(next) => change(next(files))}
        onBusy={onBusy}
        onRemove={() => take.mutate({ id, kind })}
        send={uploadFile}
      />
    </div>
  );
}
