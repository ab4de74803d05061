// The certificate of an illness, sent to the canteen.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { IllnessView } from "#contract/meals/illness.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { discardFile, uploadFile, useDiscardOnUnmount } from "#web/app/transport/upload.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { Upload, type UploadedFile } from "#web/ui/upload.tsx";

interface Typed {
  documents: readonly UploadedFile[];
}

export function CertificateForm({
  illness,
  lead,
  cancel = "Annuler",
  onClose,
}: {
  illness: IllnessView;
  lead?: string;
  cancel?: string;
  onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const send = useAction(
    ({ documents }: Typed) =>
      call(api.canteen.proveIllness, {
        illness: illness.id,
        documents: documents.map(({ id }) => id),
      }),
    {
      says: ({ message }) => message,
      onDone: () => {
        set({ documents: [] });
        onClose();
      },
    },
  );
  const { values, set, errorOf, problem, form } = useForm<Typed>(
    { documents: [] },
    ({ documents }) => ({
      documents: busy
        ? "Attendez que le fichier soit ajouté."
        : documents.length === 0 && "Joignez le certificat.",
    }),
    send,
  );
  useDiscardOnUnmount(values.documents);
  const { proofCents, certificateUntil } = illness;
  return (
    <form {...form}>
      <p>
        {lead && `${lead} `}
        {illness.canteen} rend {formatMoney(proofCents)} avec un certificat médical
        {certificateUntil && `, à envoyer avant le ${formatDate(certificateUntil)}`}.
      </p>
      <Upload
        label="Le certificat"
        hint="Photo ou PDF, 5 fichiers au plus. Seuls les parents et la cantine le lisent."
        files={values.documents}
        onFiles={(change) => set((now) => ({ documents: change(now.documents) }))}
        onBusy={setBusy}
        onRemove={discardFile}
        send={uploadFile}
        error={errorOf("documents")}
      />
      <ProblemBanner problem={problem} title="Le certificat n’a pas été envoyé." />
      <FormActions
        submit="Envoyer le certificat"
        isSending={send.isPending}
        cancel={cancel}
        onCancel={onClose}
      />
    </form>
  );
}
