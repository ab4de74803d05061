// Adds the persons of a CSV file: chosen, read by the server, confirmed. With one fault nobody is added.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { joinedName, plural } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { save } from "#web/app/shared/save.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { FileFaults } from "#web/ui/file-faults.tsx";
import { FileField } from "#web/ui/file-field.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import { notify } from "#web/ui/toast.tsx";
import type { DraftState } from "./person-form.tsx";
import { useDraft } from "./use-draft.ts";

type Read = Output<typeof api.cardOrders.readFile>;

export function PersonsFile({ keep, onClose }: { keep: DraftState; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const read = useAction((chosen: File) =>
    call(
      api.cardOrders.readFile,
      {},
      { file: new Blob([chosen], { type: "application/octet-stream" }), draft: true },
    ),
  );
  const write = useDraft(api.cardOrders.persons);
  const found = read.data?.persons ?? [];
  const sending = {
    ...write,
    mutateAsync: async () => {
      await write.mutateAsync({ ...keep, persons: [...keep.persons, ...found] });
      notify({ text: `${plural(found.length, "personne ajoutée", "personnes ajoutées")}.` });
      onClose();
    },
  };
  const { problem, form } = useForm({}, () => ({}), sending);
  return (
    <form {...form}>
      <p>
        Un fichier CSV de votre tableur, une personne par ligne, avec les titres prenom, nom, et si
        vous voulez email et telephone.
      </p>
      <div>
        <Button size="small" icon="download" onClick={saveModel}>
          Télécharger un modèle
        </Button>
      </div>
      <FileField
        label="Fichier de personnes"
        hint="CSV, séparé par des points-virgules, des virgules ou des tabulations."
        accept=".csv,.txt,text/csv"
        file={file}
        onFile={(chosen) => {
          setFile(chosen);
          write.reset();
          read.send(chosen);
        }}
      />
      {read.isPending && (
        <Loading label="Lecture du fichier…">
          <Skeleton lines={3} height="2.5rem" />
        </Loading>
      )}
      <ProblemBanner problem={read.problem} title="Ce fichier ne convient pas." />
      {read.data && !read.isPending && <Found read={read.data} />}
      <ProblemBanner problem={problem} title="Personne n’a été ajouté." />
      <FormActions
        submit={found.length > 0 ? `Ajouter ${plural(found.length, "personne")}` : "Ajouter"}
        isSending={write.isPending}
        disabled={found.length === 0 || read.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

function Found({ read: { persons, faults, stopped } }: { read: Read }) {
  if (faults.length === 0) {
    const names = persons.slice(0, 5).map(joinedName);
    const more = persons.length - names.length;
    return (
      <output>
        <strong>{plural(persons.length, "personne")}</strong>&#8239;: {names.join(", ")}
        {more > 0 && ` et ${plural(more, "autre")}`}.
      </output>
    );
  }
  return (
    <FileFaults faults={faults} stopped={stopped}>
      Personne n’est ajouté tant qu’il en reste. Corrigez le fichier, puis choisissez-le à nouveau.
    </FileFaults>
  );
}

/** A file to fill in, as a French spreadsheet opens it by a double click. */
function saveModel(): void {
  const lines = [
    "prenom;nom;email;telephone",
    "Awa;Diallo;awa.diallo@entreprise.fr;06 12 34 56 78",
    "Yann;Le Goff;;",
  ];
  const blob = new Blob([`\ufeff${lines.join("\r\n")}\r\n`], { type: "text/csv" });
  save({ blob, filename: "cartes-pro-modele.csv" });
}
