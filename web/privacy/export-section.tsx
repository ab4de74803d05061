// The export of everything: asked with a code, prepared aside, fetched for a week.
import { api } from "#contract/api.ts";
import { formatDate, formatDateTime } from "#contract/french.ts";
import type { DataExport } from "#contract/privacy/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./privacy.module.css";

const pollMs = 2000;
const size = new Intl.NumberFormat("fr-FR", { maximumFractionDigits: 1 });

export function ExportSection({
  exports,
  cardnumber,
}: {
  exports: readonly DataExport[];
  cardnumber: number;
}) {
  const preparing = exports.some(({ readyAt }) => readyAt === null);
  // Looked at again by itself while one is being made; the bell tells too.
  useAnswer(api.privacy.read, { cardnumber }, { pollMs: preparing && pollMs });
  const ask = useAction((_: void, proof) => call(api.privacy.askExport, { cardnumber, ...proof }), {
    says: "Votre export se prépare.",
  });
  const { problem } = ask;
  return (
    <Section title="Emporter mes données">
      <Text tone="soft">
        Un fichier zip avec tout ce que nous gardons&#8239;: un fichier JSON et un relevé PDF par
        cagnotte. Un code confirme que c’est bien vous.
      </Text>
      <ProblemBanner problem={problem} title="L’export n’a pas été demandé." />
      {exports.length > 0 && (
        <ul className={styles.privacyExports}>
          {exports.map((one) => (
            <li key={one.id}>
              <ExportLine one={one} />
            </li>
          ))}
        </ul>
      )}
      <Actions align="end">
        <Button
          kind="primary"
          icon="download"
          loading={ask.isPending}
          disabled={preparing}
          onClick={() => ask.send()}
        >
          Demander un export
        </Button>
      </Actions>
    </Section>
  );
}

function ExportLine({ one }: { one: DataExport }) {
  const requestedOn = `Demandé le ${formatDateTime(one.requestedAt)}`;
  if (one.readyAt === null || one.expiresAt === null) {
    return (
      <>
        <span>{requestedOn}</span>
        <Badge tone="info">En préparation</Badge>
      </>
    );
  }
  return (
    <>
      <span>
        {requestedOn}, {size.format((one.bytes ?? 0) / 1024)}&#8239;Ko, disponible jusqu’au{" "}
        {formatDate(one.expiresAt)}
      </span>
      <DownloadButton
        row={api.privacy.download}
        input={{ id: one.id }}
        failed="Le fichier n’a pas pu être téléchargé."
        size="small"
        icon="download"
      >
        Télécharger
        <span className="unseen"> l’export du {formatDateTime(one.requestedAt)}</span>
      </DownloadButton>
    </>
  );
}
