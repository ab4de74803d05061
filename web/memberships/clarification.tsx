// The operator asks for a clarification: the question, the parts to write again, the answer.
import { lazy, useState } from "react";
import { api } from "#contract/api.ts";
import { formatDate } from "#contract/french.ts";
import type { Membership, MembershipPage } from "#contract/memberships/rows.ts";
import type { MembershipPart } from "#contract/memberships/states.ts";
import { membershipPartNames } from "#contract/memberships/words.ts";
import { discardFile, uploadFile } from "#web/app/upload.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { TextArea } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { notify } from "#web/ui/toast.tsx";
import type { UploadedFile } from "#web/ui/upload.tsx";
import styles from "./memberships.module.css";
import { askedPart, useGo } from "./navigation.ts";
import { CodeStep, CompanyStep, DocumentsStep, RepresentativeStep } from "./steps.ts";
import { Summary } from "./summary.tsx";
import { refusalOf, useStep } from "./use-membership.ts";

const Upload = lazy(async () => ({ default: (await import("#web/ui/upload.tsx")).Upload }));

interface Props {
  page: MembershipPage;
  membership: Membership;
}

export function Clarification({ page, membership, step }: Props & { step: string | undefined }) {
  const go = useGo();
  const part = askedPart(membership, step);
  const place = useFocusAtStep(part ?? "question");
  const question = membership.exchanges.findLast(({ from }) => from === "team");
  if (part) {
    return (
      <div ref={place}>
        <Section>
          <div className={styles.step}>
            <div>
              <Button kind="ghost" size="small" icon="back" onClick={() => go(null)}>
                Revenir à la question
              </Button>
            </div>
            <Part part={part} page={page} onDone={() => go(null)} />
          </div>
        </Section>
      </div>
    );
  }
  return (
    <div ref={place}>
      <Section title="Une précision vous est demandée">
        <div className={styles.step}>
          {question && (
            <Banner tone="warning" title={`Notre question du ${formatDate(question.at)}`}>
              <span className={styles.text}>{question.text}</span>
            </Banner>
          )}
          {membership.asked.length > 0 && (
            <Summary page={page} parts={membership.asked} verb="Corriger" onWrite={go} />
          )}
          {membership.asked.includes("representative") && !membership.proved ? (
            <CodeStep page={page} onDone={() => go(null)} />
          ) : (
            <AnswerForm page={page} membership={membership} />
          )}
        </div>
      </Section>
    </div>
  );
}

function Part({
  part,
  ...props
}: {
  part: MembershipPart;
  page: MembershipPage;
  onDone: () => void;
}) {
  const submit = `Enregistrer\u202f: ${membershipPartNames[part].toLowerCase()}`;
  if (part === "company") return <CompanyStep {...props} submit={submit} />;
  if (part === "representative") return <RepresentativeStep {...props} submit={submit} />;
  return <DocumentsStep {...props} submit="Terminer" />;
}

interface Fields {
  text: string;
  documents: readonly UploadedFile[];
}

function AnswerForm({ page, membership }: Props) {
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
