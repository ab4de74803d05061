// The late fee of a school pass, and the request for an exemption.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
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

interface Late {
  order: string;
  feeCents: number;
  exemption: PassOrder["exemption"]["state"];
  answer: string | null;
}

const shortest = 10;

/** The state of the request, or the button to make it. */
export function LateFee({ late }: { late: Late }) {
  const [asking, setAsking] = useState(false);
  const fee = formatMoney(late.feeCents);
  if (late.exemption === "asked") {
    return (
      <Banner title="Dispense des frais de retard demandée">
        Nous étudions votre demande. La réponse arrivera dans vos notifications.
      </Banner>
    );
  }
  if (late.exemption === "accepted") {
    return <Banner tone="success" title="Vous êtes dispensé des frais de retard." />;
  }
  if (late.exemption === "refused") {
    return (
      <Banner tone="warning" title={`Les frais de retard de ${fee} sont maintenus.`}>
        {late.answer}
      </Banner>
    );
  }
  if (asking) return <ExemptionForm order={late.order} onClose={() => setAsking(false)} />;
  return (
    <Banner
      title={`Dont ${fee} de frais de retard`}
      actions={
        <Button size="small" onClick={() => setAsking(true)}>
          Demander une dispense
        </Button>
      }
    >
      Un déménagement ou une inscription tardive peut vous en dispenser.
    </Banner>
  );
}

function ExemptionForm({ order, onClose }: { order: string; onClose: () => void }) {
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
