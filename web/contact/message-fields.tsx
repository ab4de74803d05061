// The words and the files of a message, and what is said when it could not be sent.
import type { ContactDraft } from "#contract/contact/rows.ts";
import { RefusedBanner } from "#web/app/refused-banner.tsx";
import { discardFile, uploadFile } from "#web/app/upload.ts";
import { TextArea } from "#web/ui/input.tsx";
import { Upload } from "#web/ui/upload.tsx";

export interface Faults {
  topic?: string;
  subject?: string;
  text?: string;
  files?: string;
}

export const waitForFiles = "Attendez que les fichiers soient ajoutés.";

export function MessageFields({
  draft,
  faults,
  onChange,
  onBusy,
}: {
  draft: ContactDraft;
  faults: Faults | null;
  onChange: (changes: (now: ContactDraft) => Partial<ContactDraft>) => void;
  onBusy: (busy: boolean) => void;
}) {
  return (
    <>
      <TextArea
        label="Votre message"
        rows={6}
        maxLength={4000}
        value={draft.text}
        error={faults?.text}
        onValue={(text) => onChange(() => ({ text }))}
      />
      <Upload
        label="Fichiers joints"
        optional
        files={draft.documents}
        error={faults?.files}
        send={uploadFile}
        onBusy={onBusy}
        onRemove={discardFile}
        onFiles={(change) => onChange(({ documents }) => ({ documents: [...change(documents)] }))}
      />
    </>
  );
}

/** A refusal, or no answer: then sending again is safe. */
export const NotSent = ({ problem }: { problem: Error }) => (
  <RefusedBanner
    problem={problem}
    title="Votre message n’est pas parti."
    unknown="Nous n’avons pas reçu de réponse."
    retry="envoyer de nouveau"
    again="votre message ne partira qu’une fois"
  />
);
