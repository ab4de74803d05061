// Reads a CSV of cards and amounts; with one fault nothing is taken over.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatMoney, plural } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { save } from "#web/app/shared/save.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { FileFaults } from "#web/ui/file-faults.tsx";
import { FileField } from "#web/ui/file-field.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import styles from "./grants.module.css";

type Read = Output<typeof api.grants.readFile>;

export function GrantFile({
  onRead,
  onClose,
}: {
  onRead: (cards: Read["cards"]) => void;
  onClose: () => void;
}) {
  const [file, setFile] = useState<File | null>(null);
  const read = useAction((chosen: File) =>
    call(
      api.grants.readFile,
      {},
      { file: new Blob([chosen], { type: "application/octet-stream" }), draft: true },
    ),
  );
  const cards = read.data?.cards ?? [];
  const total = cards.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return (
    <Stack gap={20}>
      <p>Un fichier CSV de votre tableur, une carte par ligne, avec les titres carte et montant.</p>
      <div>
        <Button size="small" icon="download" onClick={saveModel}>
          Télécharger un modèle
        </Button>
      </div>
      <FileField
        label="Fichier de montants"
        hint="CSV, séparé par des points-virgules, des virgules ou des tabulations."
        accept=".csv,.txt,text/csv"
        file={file}
        onFile={(chosen) => {
          setFile(chosen);
          read.send(chosen);
        }}
      />
      {read.isPending && (
        <Loading label="Lecture du fichier…">
          <Skeleton lines={3} height="2.5rem" />
        </Loading>
      )}
      <ProblemBanner problem={read.problem} title="Ce fichier ne convient pas." />
      {read.data && read.data.faults.length > 0 && !read.isPending && (
        <FileFaults faults={read.data.faults} stopped={read.data.stopped}>
          Rien n’est repris tant qu’il en reste. Corrigez le fichier, puis choisissez-le à nouveau.
        </FileFaults>
      )}
      {cards.length > 0 && !read.isPending && (
        <output>
          <strong>{plural(cards.length, "carte")}</strong>, {formatMoney(total)} en tout.
        </output>
      )}
      <div className={styles.acts}>
        <Button
          kind="primary"
          disabled={cards.length === 0 || read.isPending}
          onClick={() => onRead(cards)}
        >
          Reprendre ces montants
        </Button>
        <Button onClick={onClose}>Annuler</Button>
      </div>
    </Stack>
  );
}

/** A file to fill in, as a French spreadsheet opens it by a double click. */
function saveModel(): void {
  const lines = ["carte;montant;nom", "2000000071;45,00;Awa Diallo"];
  const blob = new Blob([`\ufeff${lines.join("\r\n")}\r\n`], { type: "text/csv" });
  save({ blob, filename: "dotation-modele.csv" });
}
