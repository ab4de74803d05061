// One thread: what was said on both sides, and the next message.
import { useState } from "react";
import { api } from "#contract/api.ts";
import {
  type ContactConversation,
  type ContactDraft,
  type ContactMessage,
  contactTopicNames,
  threadCan,
  type ThreadState,
} from "#contract/contact/rows.ts";
import type { Document } from "#contract/documents/rows.ts";
import { formatBytes, formatDateTime } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { placeId } from "#contract/places.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useDownload } from "#web/app/shared/download-button.tsx";
import { AnswerDelay } from "#web/app/shared/answer-delay.tsx";
import { once } from "#web/app/transport/intent.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { Badge, Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Loaded, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { notify } from "#web/ui/toast.tsx";
import { emptyDraft, useDraft, useSavedDraft } from "./draft.ts";
import { MessageFields, messageFaults, NotSent } from "./message-fields.tsx";
import styles from "./contact.module.css";

const badges = {
  open: { tone: "info", label: "En attente" },
  answered: { tone: "success", label: "Réponse reçue" },
  closed: { tone: "neutral", label: "Terminée" },
} as const;

export const ThreadBadge = ({ state }: { state: ThreadState }) => (
  <Badge tone={badges[state].tone}>{badges[state].label}</Badge>
);

const back = { href: paths.contact, label: "Contact" };

/** One header from the first moment on: the heading that has the focus stays when the thread comes. */
export function ThreadView({ id }: { id: string }) {
  const answer = useAnswer(api.contact.thread, { id });
  const { data, error } = answer;
  const answered = data?.messages.findLast(({ from }) => from !== "me");
  if (!data && (error?.status === 404 || error?.status === 400)) return <NotFound />;
  return (
    <Page narrow>
      <PageHeader
        title={data?.subject ?? "Contact"}
        lead={data ? <Lead thread={data} /> : "\u00a0"}
        back={back}
      />
      {data ? (
        <>
          <ol className={styles.contactMessages} aria-label="Messages">
            {data.messages.map((message) => (
              <li key={message.id} className={styles.contactMessage} data-from={message.from}>
                <Message message={message} answers={message === answered ? id : null} />
              </li>
            ))}
          </ol>
          {data.waitingSince && (
            <AnswerDelay banner what="contact" requestedAt={data.waitingSince} />
          )}
          <Reply thread={data} />
        </>
      ) : (
        <NotLoaded
          answer={answer}
          label="Chargement de la demande…"
          lines={3}
          height="7rem"
          failed="Cette demande n’a pas pu être chargée."
        />
      )}
    </Page>
  );
}

const Lead = ({ thread: { state, topic, number } }: { thread: ContactConversation }) => (
  <span className={styles.contactLead}>
    <ThreadBadge state={state} />
    <span>{contactTopicNames[topic]}</span>
    <span>Demande n°&nbsp;{number}</span>
  </span>
);

/** `answers` is the thread that it is the last answer in. */
function Message({ message, answers }: { message: ContactMessage; answers: string | null }) {
  const { from, text, at, documents } = message;
  return (
    <article
      {...(answers !== null && {
        id: placeId("contactAnswer", answers),
        "aria-label": "Notre dernière réponse",
      })}
    >
      <p className={styles.contactFrom}>
        <span>{from === "me" ? "Vous" : "Service clients"}</span>{" "}
        <time dateTime={at}>{formatDateTime(at)}</time>
      </p>
      <p className={styles.contactText}>{text}</p>
      {documents.length > 0 && (
        <ul className={styles.contactDocuments}>
          {documents.map((document) => (
            <li key={document.id}>
              <Attached document={document} />
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

function Attached({ document: { id, name, bytes } }: { document: Document }) {
  const fetched = useDownload(api.documents.read, { id }, ({ message }) =>
    notify({ text: message, kind: "error" }),
  );
  return (
    <button
      type="button"
      className={styles.contactDocument}
      aria-busy={fetched.isPending || undefined}
      onClick={() => !fetched.isPending && fetched.send()}
    >
      <Icon name="download" size={20} />
      <span>
        {name}{" "}
        <Text as="span" tone="soft" size="fine">
          {formatBytes(bytes)}
        </Text>
      </span>
    </button>
  );
}

function Reply({ thread }: { thread: ContactConversation }) {
  const draft = useSavedDraft(thread.id);
  return (
    <Section title={thread.state === "closed" ? "Reprendre cette demande" : "Répondre"}>
      {thread.state === "closed" && (
        <Banner>Cette demande est terminée. Écrire un message la rouvre.</Banner>
      )}
      <Loaded answer={draft} lines={3} height="4.5rem">
        {(first) => <ReplyForm thread={thread} first={first} />}
      </Loaded>
    </Section>
  );
}

function ReplyForm({ thread, first }: { thread: ContactConversation; first: ContactDraft }) {
  const { id } = thread;
  const { keep, still, settle } = useDraft(id);
  const [busy, setBusy] = useState(false);
  const send = useAction(
    async ({ text, documents }: ContactDraft) => {
      await still();
      const input = { id, text, documents: documents.map((one) => one.id) };
      return await once(`contact.${id}`, input, (key) => call(api.contact.write, input, { key }));
    },
    {
      says: "Votre message est envoyé.",
      onDone: (answer) => {
        message.set(emptyDraft);
        settle();
        remember(answer);
      },
    },
  );
  const close = useClosing(id);
  const message = useForm(first, (draft) => messageFaults(draft, busy), send, {
    onValues: keep,
    isLeftFreely: true,
  });
  return (
    <form {...message.form}>
      <MessageFields message={message} onBusy={setBusy} />
      {send.problem && <NotSent problem={send.problem} />}
      <ProblemBanner problem={close.problem} title="La demande n’a pas été terminée." />
      <FormActions submit="Envoyer" icon="send" isSending={send.isPending}>
        {threadCan.close(thread) && (
          <Button icon="check" loading={close.isPending} onClick={() => close.send()}>
            Ma demande est réglée
          </Button>
        )}
      </FormActions>
    </form>
  );
}

const remember = (thread: ContactConversation): void =>
  void queryClient.setQueryData(keyOf(api.contact.thread, { id: thread.id }), thread);

function useClosing(id: string) {
  return useAction(() => call(api.contact.close, { id }), {
    says: "La demande est terminée.",
    onDone: remember,
  });
}
