// The request for an exemption from the late fee of a school pass: why, and what proves it.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { passes as limits } from "#contract/limits.ts";
import type { PassOrder } from "#contract/passes/rows.ts";
import { readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { discardFile, uploadFile } from "#web/app/upload.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { TextArea } from "#web/ui/input.tsx";
import { Upload, type UploadedFile } from "#web/ui/upload.tsx";
import styles from "./passes.module.css";

const shortest = 10;

export function ExemptionForm({ order, onClose }: { order: string; onClose: () => void }) {
  const [words, setWords] = useState("");
  const [wrong, setWrong] = useState(false);
  const [files, setFiles] = useState<readonly UploadedFile[]>([]);
  const [busy, setBusy] = useState(false);
  const ask = useMutation<PassOrder, ApiProblem>({
    mutationFn: () =>
      call(api.passes.exempt, {
        order,
        reason: words.trim(),
        documents: files.map(({ id }) => id),
      }),
    onSuccess: () => readAgain(api.passes.one, api.passes.order, api.passes.list),
  });
  const send = () => {
    const short = words.trim().length < shortest;
    setWrong(short);
    if (!short && !busy) ask.mutate();
  };
  return (
    <form
      className={styles.lateLetter}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        label={"Pourquoi la demande est-elle tardive\u202f?"}
        hint="Par exemple un déménagement, avec sa date."
        error={wrong && "Expliquez votre situation en une phrase ou deux."}
        maxLength={limits.exemptionLetters}
        rows={3}
        value={words}
        onValue={setWords}
      />
      <Upload
        label="Justificatif"
        hint="Bail, facture ou certificat, en photo ou PDF."
        optional
        files={files}
        most={limits.exemptionDocuments}
        onFiles={setFiles}
        onBusy={setBusy}
        onRemove={discardFile}
        send={uploadFile}
      />
      {ask.error && (
        <Banner tone="danger" alert title="La demande n’est pas partie.">
          {ask.error.message}
        </Banner>
      )}
      <div className={styles.passActs}>
        <Button type="submit" loading={ask.isPending || busy}>
          Demander la dispense
        </Button>
        <Button kind="ghost" onClick={onClose}>
          Annuler
        </Button>
      </div>
    </form>
  );
}
