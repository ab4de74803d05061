// The tab « Messages » of the canteen's desk: one written, reviewed with its number of readers and sent,
// and those that were.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { messages as limits } from "#contract/kitchen/limits.ts";
import type { CanteenMessage } from "#contract/kitchen/messages.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { todayInParis } from "#contract/days.ts";
import { formatDateTime, formatDayInWords, plural } from "#contract/french.ts";
import { ApiProblem, call } from "#web/app/transport/api.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Select } from "#web/ui/choice.tsx";
import { DateField } from "#web/ui/date-field.tsx";
import { isDay } from "#web/ui/days.ts";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextArea, TextInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { QueryList } from "#web/ui/query-list.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./messages.module.css";

interface Typed {
  to: "day" | "registered";
  day: string;
  /** "" for all classes. */
  className: string;
  title: string;
  body: string;
}

/** A message as it was reviewed: its id makes a second press send nothing. */
interface Reviewed extends Typed {
  id: string;
  readers: number;
}

export function MessagesTab({ canteen }: { canteen: OwnCanteen }) {
  // Another form once a message has left.
  const [written, setWritten] = useState(0);
  return (
    <Stack gap={24}>
      <Section title="Écrire aux familles">
        <MessageForm key={written} canteen={canteen} onSent={() => setWritten(written + 1)} />
      </Section>
      <SentMessages canteen={canteen} />
    </Stack>
  );
}

const targetOf = ({ to, day, className }: Typed) => ({
  day: to === "day" ? day : null,
  className: className || null,
});

function MessageForm({ canteen, onSent }: { canteen: OwnCanteen; onSent: () => void }) {
  const [reviewed, setReviewed] = useState<Reviewed | null>(null);
  const count = async (typed: Typed) => {
    const { day, className } = targetOf(typed);
    const query = {
      canteen: canteen.id,
      ...(day && { day }),
      ...(className && { className }),
    };
    return (await call(api.canteen.messageReaders, query)).readers;
  };
  const review = useAction(
    async (typed: Typed) => {
      const readers = await count(typed);
      if (readers > 0) return readers;
      throw new ApiProblem(
        "canteen_message_nobody",
        "Personne ne recevrait ce message. Choisissez un autre jour ou une autre classe.",
      );
    },
    { onDone: (readers, typed) => setReviewed({ ...typed, readers, id: crypto.randomUUID() }) },
  );
  const sendMessage = useAction(
    ({ id, readers, title, body, ...typed }: Reviewed) =>
      call(api.canteen.sendMessage, {
        canteen: canteen.id,
        id,
        ...targetOf({ ...typed, title, body }),
        title,
        body,
        readers,
      }),
    {
      says: ({ message }) => message,
      onDone: () => {
        setReviewed(null);
        onSent();
      },
      onRefused: async ({ code }, input) => {
        if (code !== "canteen_message_readers") return;
        setReviewed({ ...input, readers: await count(input) });
      },
    },
  );
  const { values, set, field, problem, form } = useForm<Typed>(
    { to: "day", day: todayInParis(), className: "", title: "", body: "" },
    ({ to, day, title, body }) => ({
      day: to === "day" && !isDay(day) && "Choisissez un jour.",
      title: title.trim() === "" && "Donnez un titre à ce message.",
      body: body.trim() === "" && "Écrivez ce que les familles doivent savoir.",
    }),
    review,
    { draft: { name: `canteen message ${canteen.id}`, fields: ["title", "body"] } },
  );
  return (
    <form {...form}>
      <div className={styles.target}>
        <Select
          label="À qui"
          options={[
            { value: "day", label: "Qui mange un jour" },
            { value: "registered", label: "Tous les inscrits" },
          ]}
          value={values.to}
          onValue={(to) => set({ to })}
        />
        {values.to === "day" && <DateField label="Jour" {...field("day")} />}
        {canteen.classes.length > 0 && (
          <Select
            label="Classe"
            options={[
              { value: "", label: "Toutes" },
              ...canteen.classes.map((value) => ({ value, label: value })),
            ]}
            value={values.className}
            onValue={(className) => set({ className })}
            optional
          />
        )}
      </div>
      <TextInput
        label="Titre"
        maxLength={limits.titleLength}
        autoComplete="off"
        {...field("title")}
      />
      <TextArea
        label="Message"
        hint="Chaque famille le reçoit dans le portail, et par e-mail si elle l’a choisi. N’y écrivez rien sur la santé d’un enfant."
        maxLength={limits.bodyLength}
        {...field("body")}
      />
      <ProblemBanner problem={problem} />
      <FormActions submit="Relire avant l’envoi" isSending={review.isPending} />
      <AlertDialog
        open={reviewed !== null}
        onClose={() => {
          if (sendMessage.isPending) return;
          sendMessage.reset();
          setReviewed(null);
        }}
        title={"Envoyer ce message\u202f?"}
        confirm={reviewed ? `Envoyer à ${plural(reviewed.readers, "personne")}` : ""}
        loading={sendMessage.isPending}
        onConfirm={() => reviewed && sendMessage.send(reviewed)}
      >
        {reviewed && (
          <div className={styles.review}>
            <span>
              {toWords(targetOf(reviewed))}
              {"\u202f"}: {plural(reviewed.readers, "personne")}, responsables des enfants compris.
            </span>
            <strong>
              {canteen.name}
              {"\u202f"}: {reviewed.title}
            </strong>
            <span className={styles.body}>{reviewed.body}</span>
            <ProblemBanner problem={sendMessage.problem} title="Rien n’a été envoyé." />
          </div>
        )}
      </AlertDialog>
    </form>
  );
}

/** « Repas du lundi 30 novembre, CE1 ». */
function toWords({ day, className }: { day: string | null; className: string | null }): string {
  const who = day ? `Repas du ${formatDayInWords(day)}` : "Tous les inscrits";
  return className ? `${who}, ${className}` : who;
}

function SentMessages({ canteen }: { canteen: OwnCanteen }) {
  const list = usePages(api.canteen.messages, { canteen: canteen.id }, { by: "before" });
  return (
    <Section title="Messages envoyés">
      <QueryList
        list={list}
        label="Chargement des messages…"
        lines={3}
        height="4rem"
        failed="Les messages n’ont pas pu être chargés."
        empty={
          <EmptyState icon="mail" title="Aucun message envoyé.">
            {plural(limits.perDay, "message")} au plus par jour et par cantine.
          </EmptyState>
        }
        countLabel={(count) => plural(count, "message affiché", "messages affichés")}
      >
        {(items) => (
          <ul className={styles.sent}>
            {items.map((one) => (
              <Message key={one.id} message={one} />
            ))}
          </ul>
        )}
      </QueryList>
    </Section>
  );
}

function Message({ message }: { message: CanteenMessage }) {
  const { title, body, sentBy, sentAt, readers } = message;
  return (
    <li>
      <strong>{title}</strong>
      <Text as="span" tone="soft" size="fine">
        {toWords(message)} · {plural(readers, "personne")} · {sentBy}, le {formatDateTime(sentAt)}
      </Text>
      <details>
        <summary>
          Lire<span className="unseen"> {title}</span>
        </summary>
        <p className={styles.body}>{body}</p>
      </details>
    </li>
  );
}
