// A new thread: what it is about, the message, its files.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api } from "#contract/api.ts";
import {
  type ContactConversation,
  type ContactDraft,
  contactTopicNames,
  contactTopics,
} from "#contract/contact/rows.ts";
import { keyOf, queryClient, readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { once } from "#web/app/intent.ts";
import { useUser } from "#web/app/use-observed.ts";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { TextInput } from "#web/ui/input.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { notify } from "#web/ui/toast.tsx";
import { useDraft, useKeptDraft } from "./draft.ts";
import { type Faults, MessageFields, NotSent, waitForFiles } from "./message-fields.tsx";
import styles from "./contact.module.css";

export function NewThread() {
  const kept = useKeptDraft(null);
  return (
    <Page narrow>
      <PageHeader
        title="Écrire un message"
        lead="Nous répondons ici, et vous prévenons de la réponse."
        back={{ href: "/contact", label: "Contact" }}
      />
      <Section>
        {kept.isPending && (
          <Loading>
            <Skeleton lines={5} height="4.5rem" />
          </Loading>
        )}
        {kept.isError && !kept.data && (
          <ErrorState
            message={kept.error.message}
            retrying={kept.isFetching}
            onRetry={() => void kept.refetch()}
          />
        )}
        {kept.data && <Form first={kept.data} />}
      </Section>
    </Page>
  );
}

/** Topics of one kind of account: a family is a holder's, a partnership a professional's. */
const topicsFor = (type: number) =>
  contactTopics
    .filter((topic) => topic !== (type === 1 ? "partner" : "family"))
    .map((value) => ({ value, label: contactTopicNames[value] }));

function faultsOf(draft: ContactDraft, busy: boolean): Faults | null {
  const faults: Faults = {
    ...(draft.topic === null && { topic: "Choisissez un sujet." }),
    ...(draft.subject.trim() === "" && { subject: "Dites en quelques mots de quoi il s’agit." }),
    ...(draft.text.trim() === "" && { text: "Écrivez votre message." }),
    ...(busy && { files: waitForFiles }),
  };
  return Object.keys(faults).length > 0 ? faults : null;
}

function Form({ first }: { first: ContactDraft }) {
  const user = useUser();
  const { draft, change, still, settle } = useDraft(null, first);
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Faults | null>(null);
  const place = useFirstError<HTMLFormElement>(faults);
  const send = useOpening(still, settle);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOf(draft, busy);
    setFaults(found);
    if (!found && !send.isPending) send.mutate(draft);
  };
  return (
    <form ref={place} className={styles.contactForm} noValidate onSubmit={submit}>
      <Select
        label="Sujet"
        placeholder="Choisir un sujet"
        options={topicsFor(user.type)}
        value={draft.topic ?? ""}
        error={faults?.topic}
        onValue={(topic) => change(() => ({ topic: topic || null }))}
      />
      <TextInput
        label="Objet"
        maxLength={120}
        autoComplete="off"
        value={draft.subject}
        error={faults?.subject}
        onValue={(subject) => change(() => ({ subject }))}
      />
      <MessageFields draft={draft} faults={faults} onChange={change} onBusy={setBusy} />
      {send.error && <NotSent problem={send.error} />}
      <Button kind="primary" type="submit" icon="send" wide loading={send.isPending}>
        Envoyer le message
      </Button>
    </form>
  );
}

function useOpening(still: () => Promise<void>, settle: () => void) {
  const navigate = useNavigate();
  return useMutation<ContactConversation, ApiProblem, ContactDraft>({
    mutationFn: async ({ topic, subject, text, documents }) => {
      await still();
      const ids = documents.map(({ id }) => id);
      const input = { topic: topic ?? "other", subject, text, documents: ids };
      return await once("contact", input, (key) => call(api.contact.open, input, { key }));
    },
    onSuccess: async (thread) => {
      settle();
      queryClient.setQueryData(keyOf(api.contact.thread, { id: thread.id }), thread);
      void readAgain(api.contact.threads);
      await navigate({ to: ".", search: { fil: thread.id }, replace: true });
      notify({ text: "Votre message est envoyé.", kind: "success" });
    },
  });
}
