// The words and the files of a message, and what is said when it could not be sent.
import type { ContactDraft } from "#contract/contact/rows.ts";
import { RefusedBanner } from "#web/app/shared/refused-banner.tsx";
import { discardFile, uploadFile } from "#web/app/transport/upload.ts";
import type { Faults, useForm } from "#web/ui/form.ts";
import { TextArea } from "#web/ui/input.tsx";
import { Upload } from "#web/ui/upload.tsx";

/** `busy` while files are on their way. */
export const messageFaults = ({ text }: ContactDraft, busy: boolean): Faults<ContactDraft> => ({
  text: text.trim() === "" && "Écrivez votre message.",
  documents: busy && "Attendez que les fichiers soient ajoutés.",
});

export function MessageFields({
  message: { values, set, field, errorOf },
  onBusy,
}: {
  message: Pick<ReturnType<typeof useForm<ContactDraft>>, "values" | "set" | "field" | "errorOf">;
  onBusy: (busy: boolean) => void;
}) {
  return (
    <>
      <TextArea label="Votre message" rows={6} maxLength={4000} {...field("text")} />
      <Upload
        label="Fichiers joints"
        optional
        files={values.documents}
        error={errorOf("documents")}
        send={uploadFile}
        onBusy={onBusy}
        onRemove={discardFile}
        onFiles={(change) => set(({ documents }) => ({ documents: [...change(documents)] }))}
      />
    </>
  );
}

/** A refusal, or no answer: then sending again is safe. */
export const NotSent = ({ problem }: { problem: Error }) => (
  <RefusedBanner
    problem={problem}
    title="Votre message n’est pas parti."
    unknown="Nous ne savons pas encore si votre message est parti."
    retry="envoyer de nouveau"
    again="votre message ne partira qu’une fois"
  />
);
