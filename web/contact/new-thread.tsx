// A new thread: what it is about, the message, its files.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { answerDelay } from "#contract/answer-delay.ts";
import { api } from "#contract/api.ts";
import { type ContactDraft, contactTopicNames, contactTopics } from "#contract/contact/rows.ts";
import { wireSearch } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { once } from "#web/app/transport/intent.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Select } from "#web/ui/choice.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { TextInput } from "#web/ui/input.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Loaded } from "#web/ui/state.tsx";
import { useDraft, useSavedDraft } from "./draft.ts";
import { MessageFields, messageFaults, NotSent } from "./message-fields.tsx";

export function NewThread() {
  const draft = useSavedDraft(null);
  return (
    <Page narrow>
      <PageHeader
        title="Écrire un message"
        lead="Nous répondons ici, et vous prévenons de la réponse."
        back={{ href: paths.contact, label: "Contact" }}
      />
      <Section>
        <Loaded answer={draft} lines={5} height="4.5rem">
          {(first) => <Form first={first} />}
        </Loaded>
      </Section>
    </Page>
  );
}

/** Topics of one kind of account: a family is a holder's, a partnership a professional's. */
const topicsFor = (type: number) =>
  contactTopics
    .filter((topic) => topic !== (type === 1 ? "partner" : "family"))
    .map((value) => ({ value, label: contactTopicNames[value] }));

function Form({ first }: { first: ContactDraft }) {
  const user = useUser();
  const { keep, still, settle } = useDraft(null);
  const [busy, setBusy] = useState(false);
  const send = useOpening(still, settle);
  const message = useForm(
    first,
    (draft) => ({
      topic: draft.topic === null && "Choisissez un sujet.",
      subject: draft.subject.trim() === "" && "Dites en quelques mots de quoi il s’agit.",
      ...messageFaults(draft, busy),
    }),
    send,
    { onValues: keep, isLeftFreely: true },
  );
  const { values, set, field, form } = message;
  return (
    <form {...form}>
      <Select
        label="Sujet"
        placeholder="Choisir un sujet"
        options={topicsFor(user.type)}
        {...field("topic")}
        value={values.topic ?? ""}
        onValue={(topic) => set({ topic: topic || null })}
      />
      <TextInput label="Objet" maxLength={120} autoComplete="off" {...field("subject")} />
      <MessageFields message={message} onBusy={setBusy} />
      {send.problem && <NotSent problem={send.problem} />}
      <FormActions submit="Envoyer le message" icon="send" wide isSending={send.isPending} />
    </form>
  );
}

function useOpening(still: () => Promise<void>, settle: () => void) {
  const navigate = useNavigate();
  return useAction(
    async ({ topic, subject, text, documents }: ContactDraft) => {
      await still();
      const ids = documents.map(({ id }) => id);
      const input = { topic: topic ?? "other", subject, text, documents: ids };
      return await once("contact", input, (key) => call(api.contact.open, input, { key }));
    },
    {
      says: `Votre message est envoyé. Vous recevrez une réponse ${answerDelay("contact")}.`,
      onDone: (thread) => {
        settle();
        queryClient.setQueryData(keyOf(api.contact.thread, { id: thread.id }), thread);
        return navigate({
          to: ".",
          search: wireSearch<"contact">({ thread: thread.id }),
          replace: true,
        });
      },
    },
  );
}
