// « Contact »: the threads with the customer service, one of them (`?fil=`), or a new one
// (`?ecrire=1`): search parameters, hence no navigation (spec.md 5; spec §2 contact).
import { api } from "#contract/api.ts";
import { type ContactThread, contactTopicNames } from "#contract/contact/rows.ts";
import { formatDate, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Icon } from "#web/ui/icon.tsx";
import { ActionLink, Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { SeeMore } from "#web/ui/query-list.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { NewThread } from "./new-thread.tsx";
import { ThreadBadge, ThreadView } from "./thread-view.tsx";
import styles from "./contact.module.css";

const writing = linkTo(paths.contact, {}, { write: "1" });

export function ContactPage() {
  const [search] = useSearchParameters<"contact">();
  const { thread, write } = search;
  const place = useFocusAtStep(thread ?? (write ? "write" : ""));
  return (
    <div ref={place}>
      {thread ? <ThreadView key={thread} id={thread} /> : write ? <NewThread /> : <Threads />}
    </div>
  );
}

function Threads() {
  const list = usePages(api.contact.threads, {}, { by: "before" });
  const threads = list.items;
  const isPending = !list.data && !list.error;
  return (
    <Page narrow>
      <PageHeader
        title="Contact"
        lead={"Écrivez-nous\u202f: nous répondons ici, et vous prévenons."}
        actions={
          <ButtonLink kind="primary" icon="edit" href={writing}>
            Écrire un message
          </ButtonLink>
        }
      />
      {list.error && !list.data && (
        <ErrorState title="Vos demandes n’ont pas pu être chargées." answer={list} />
      )}
      {isPending && (
        <Section title="Vos demandes">
          <Loading label="Chargement de vos demandes…">
            <Skeleton lines={3} height="4.75rem" />
          </Loading>
        </Section>
      )}
      {list.data !== undefined && threads.length === 0 && (
        <EmptyState icon="mail" title="Vous n’avez pas encore de demande">
          Vos messages et nos réponses se retrouveront ici.
        </EmptyState>
      )}
      {threads.length > 0 && (
        <Section title="Vos demandes">
          <DividedList>
            {threads.map((thread) => (
              <li key={thread.id}>
                <ThreadLine thread={thread} />
              </li>
            ))}
          </DividedList>
          {list.next.exists && (
            <SeeMore
              countLabel={plural(threads.length, "demande affichée", "demandes affichées")}
              next={list.next}
            />
          )}
        </Section>
      )}
      {/* Below what may be of any length: nothing moves when that arrives. */}
      {!isPending && <OtherWays />}
    </Page>
  );
}

const ThreadLine = ({ thread }: { thread: ContactThread }) => (
  <Link className={styles.contactThread} href={linkTo(paths.contact, {}, { thread: thread.id })}>
    <span className={styles.contactWords}>
      <span className={styles.contactSubject}>{thread.subject}</span>
      <Text as="span" tone="soft" size="fine">
        {contactTopicNames[thread.topic]} · {formatDate(thread.at)}
      </Text>
    </span>
    <ThreadBadge state={thread.state} />
    <Icon name="right" size={20} />
  </Link>
);

/** The help, which may know already, and the telephone where there is one. */
function OtherWays() {
  const settings = useAnswer(api.portal.settings, {});
  const phone = settings.data?.supportPhone;
  return (
    <Section title="Sans attendre">
      <div>
        <ActionLink href={paths.faq} icon="help" title="Chercher dans l’aide">
          La réponse y est peut-être déjà.
        </ActionLink>
        {phone && (
          <ActionLink href={`tel:${phone.replaceAll(/\s/g, "")}`} icon="phone" title={phone}>
            Le service clients, au téléphone.
          </ActionLink>
        )}
      </div>
    </Section>
  );
}
