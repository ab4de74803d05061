// The answer to a question of the operator, with files.
import { lazy, useState } from "react";
import { api } from "#contract/api.ts";
import type { Membership, MembershipPage } from "#contract/memberships/rows.ts";
import { discardFile, uploadFile } from "#web/app/transport/upload.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { TextArea } from "#web/ui/input.tsx";
import { notify } from "#web/ui/toast.tsx";
import type { UploadedFile } from "#web/ui/upload.tsx";
import { refusalOf, useStep } from "./use-membership.ts";

const Upload = lazy(async () => ({ default: (await import("#web/ui/upload.tsx")).Upload }));

interface Fields {
  text: string;
  documents: readonly UploadedFile[];
}

export function AnswerForm({ page, membership }: { page: MembershipPage; membership: Membership }) {
  const [busy, setBusy] = useState(false);
  const answer = useStep(api.memberships.answer, {
    onDone: () => notify({ text: "Votre réponse est envoyée.", kind: "success" }),
  });
  const sending = {
    ...answer,
    error: refusalOf(answer.error),
    mutateAsync: ({ text, documents }: Fields) =>
      answer.mutateAsync({
        service: page.service.code,
        version: membership.version,
        text,
        documents: documents.map(({ id }) => id),
      }),
  };
  const { values, set, field, errorOf, problem, form } = useForm<Fields>(
    { text: "", documents: [] },
    ({ text }) => ({
      text: text.trim() === "" && "Écrivez votre réponse.",
      documents: busy && "Attendez que les fichiers soient ajoutés.",
    }),
    sending,
    { draft: { name: `membership-answer-${membership.number}`, fields: ["text"] } },
  );
  return (
    <form {...form}>
      <TextArea label="Votre réponse" rows={5} maxLength={2000} {...field("text")} />
      <Upload
        label="Fichiers joints"
        optional
        files={values.documents}
        error={errorOf("documents")}
        send={uploadFile}
        onBusy={setBusy}
        onRemove={discardFile}
        onFiles={(change) => set(({ documents }) => ({ documents: change(documents) }))}
      />
      <ProblemBanner problem={problem} title="Votre réponse n’est pas partie." />
      <FormActions submit="Envoyer ma réponse" icon="send" isSending={answer.isPending} />
    </form>
  );
}
