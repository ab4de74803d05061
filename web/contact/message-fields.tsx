// The words and the files of a message, and what is said when it could not be sent.
import type { ContactDraft } from "#contract/contact.ts";
import { ApiProblem } from "#web/app/api.ts";
import { discardFile, uploadFile } from "#web/app/upload.ts";
import { Banner } from "#web/ui/banner.tsx";
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
export function NotSent({ problem }: { problem: Error }) {
  if (problem instanceof ApiProblem && problem.definite) {
    return (
      <Banner tone="danger" alert title="Votre message n’est pas parti.">
        {problem.message}
      </Banner>
    );
  }
  return (
    <Banner tone="warning" alert title="Nous n’avons pas reçu de réponse.">
      {problem.message} Vous pouvez envoyer de nouveau sans crainte&#8239;: votre message ne partira
      qu’une fois.
    </Banner>
  );
}
