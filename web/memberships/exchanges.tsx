// The questions and answers on a request, in the order of time.
import { api } from "#contract/api.ts";
import { formatDateTime } from "#contract/french.ts";
import type { MembershipExchange } from "#contract/memberships/rows.ts";
import { membershipPartNames } from "#contract/memberships/words.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./memberships.module.css";

export const Exchanges = ({ exchanges }: { exchanges: readonly MembershipExchange[] }) => (
  <Section title="Nos échanges">
    <ol className={styles.exchanges}>
      {exchanges.map(({ id, at, from, text, parts, documents }) => (
        <li key={id} className={styles.exchange}>
          <p className={styles.from}>
            <span>{from === "me" ? "Vous" : "Service clients"}</span>{" "}
            <time dateTime={at}>{formatDateTime(at)}</time>
          </p>
          <p className={styles.text}>{text}</p>
          {parts.length > 0 && (
            <Text tone="soft" size="fine">
              À revoir&#8239;: {parts.map((part) => membershipPartNames[part]).join(", ")}
            </Text>
          )}
          {documents.map((file) => (
            <DownloadButton
              key={file.id}
              row={api.documents.read}
              input={{ id: file.id }}
              failed="Le fichier n’a pas pu être téléchargé."
              kind="ghost"
              size="small"
              icon="download"
            >
              {file.name}
            </DownloadButton>
          ))}
        </li>
      ))}
    </ol>
  </Section>
);
