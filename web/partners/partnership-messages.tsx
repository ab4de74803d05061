// The messages of the two sides of a partnership, the latest first.
import { api } from "#contract/api.ts";
import { formatDateTime, plural } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextArea } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { QueryList } from "#web/ui/query-list.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./partnerships.module.css";

export function Messages({ id, canWrite }: { id: string; canWrite: boolean }) {
  const list = usePages(api.partnerships.messages, { id }, { by: "before" });
  return (
    <Section title="Échanges">
      <Stack gap={20}>
        {canWrite && <Write id={id} />}
        <QueryList
          list={list}
          lines={2}
          height="4rem"
          failed="Les échanges n’ont pas pu être chargés."
          empty={
            <Text tone="soft" size="small" weight="normal">
              Aucun message pour l’instant.
            </Text>
          }
          countLabel={(count) => plural(count, "message affiché", "messages affichés")}
        >
          {(items) => (
            <Stack as="ol" gap={12}>
              {items.map((one) => (
                <li key={one.id} className={styles.message} data-ours={one.isOurs || undefined}>
                  <Text tone="soft" size="small" weight="normal">
                    {one.isOurs ? `Vous (${one.by ?? ""})` : "Partenaire"},{" "}
                    <time dateTime={one.at}>{formatDateTime(one.at)}</time>
                  </Text>
                  <p className={styles.quote}>{one.text}</p>
                </li>
              ))}
            </Stack>
          )}
        </QueryList>
      </Stack>
    </Section>
  );
}

function Write({ id }: { id: string }) {
  const write = useAction<unknown, { text: string }>(
    ({ text }) => call(api.partnerships.write, { id, text }),
    {
      onDone: () => {
        set({ text: "" });
      },
    },
  );
  const { field, set, problem, form } = useForm(
    { text: "" },
    ({ text }) => ({ text: text.trim() === "" && "Écrivez votre message." }),
    write,
    { draft: { name: `partnership message ${id}`, fields: ["text"] } },
  );
  return (
    <form {...form}>
      <TextArea label="Votre message" rows={3} maxLength={2000} {...field("text")} />
      <ProblemBanner problem={problem} title="Le message n’est pas parti." />
      <FormActions submit="Envoyer" kind="secondary" isSending={write.isPending} />
    </form>
  );
}
