// The request for an exemption from the late fee of a school pass: why, with what proves it.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { passes as limits } from "#contract/limits.ts";
import { call } from "#web/app/transport/api.ts";
import { discardFile, uploadFile } from "#web/app/transport/upload.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { TextArea } from "#web/ui/input.tsx";
import { Upload, type UploadedFile } from "#web/ui/upload.tsx";

const shortest = 10;

interface Letter {
  reason: string;
  files: readonly UploadedFile[];
}

export function ExemptionForm({ order, onClose }: { order: string; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const ask = useAction(({ reason, files }: Letter) =>
    call(api.passes.exempt, {
      order,
      reason: reason.trim(),
      documents: files.map(({ id }) => id),
    }),
  );
  const { values, set, field, problem, form } = useForm<Letter>(
    { reason: "", files: [] },
    ({ reason }) => ({
      reason: reason.trim().length < shortest && "Expliquez votre situation en une phrase ou deux.",
    }),
    ask,
  );
  return (
    <form {...form}>
      <TextArea
        label={"Pourquoi la demande est-elle tardive\u202f?"}
        hint="Par exemple un déménagement, avec sa date."
        maxLength={limits.exemptionLetters}
        rows={3}
        {...field("reason")}
      />
      <Upload
        label="Justificatif"
        hint="Bail, facture ou certificat, en photo ou PDF."
        optional
        files={values.files}
        max={limits.exemptionDocuments}
        onFiles={(change) => set(({ files }) => ({ files: change(files) }))}
        onBusy={setBusy}
        onRemove={discardFile}
        send={uploadFile}
      />
      <ProblemBanner problem={problem} title="La demande n’est pas partie." />
      <FormActions
        submit="Demander la dispense"
        kind="secondary"
        isSending={ask.isPending || busy}
        onCancel={onClose}
      />
    </form>
  );
}
