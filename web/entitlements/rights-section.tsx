// Rights in a few lines, on the family's page and on a child's; the whole is on « Droits et
// justificatifs ».
import { api } from "#contract/api.ts";
import { formatDate } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Button } from "#web/ui/button.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Section } from "#web/ui/layout.tsx";
import { LinkRow } from "#web/ui/link-row.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { useProofDialog } from "./use-proof-dialog.tsx";
import { RightsList } from "./rights-list.tsx";
import styles from "./rights.module.css";

const page = paths.entitlements;

/** The way to the rights from the family, with what the quotient is now. */
export function RightsLink({ minor }: { minor: boolean }) {
  const rights = useAnswer(api.entitlements.list, {});
  const quotients = rights.data?.people
    .find(({ own }) => own)
    ?.proofs.filter(({ kind }) => kind === "quotient");
  const counting = quotients?.find(({ state }) => state === "validated");
  const last = quotients?.[0];
  const words = minor
    ? "Vos justificatifs"
    : !rights.data
      ? "Votre quotient familial et les justificatifs de votre famille"
      : counting
        ? `Quotient familial : ${counting.quotient}, jusqu’au ${formatDate(counting.validUntil ?? counting.sentAt)}`
        : last?.state === "waiting"
          ? "Quotient familial en attente de notre réponse"
          : last?.state === "refused"
            ? "Quotient familial refusé : lisez pourquoi"
            : "Déclarez votre quotient familial pour des prix réduits";
  return (
    <Section>
      <LinkRow href={page} picture={<IconTile icon="document" />}>
        <span className={styles.rightWords}>
          <Text as="span" weight="strong" breakWord>
            Droits et justificatifs
          </Text>
          <Text as="span" tone="soft" size="fine">
            {words}
          </Text>
        </span>
      </LinkRow>
    </Section>
  );
}

/** The proofs of a child, and the way to send one. */
export function RightsSection({ cardnumber }: { cardnumber: number }) {
  const rights = useAnswer(api.entitlements.list, {});
  const { ask, dialog } = useProofDialog(rights.data?.people);
  const person = rights.data?.people.find((one) => one.cardnumber === cardnumber);
  return (
    <Section
      title="Droits et justificatifs"
      action={
        person && (
          <Button
            size="small"
            icon="plus"
            aria-haspopup="dialog"
            onClick={() => ask({ cardnumber, kind: null })}
          >
            Envoyer
            <span className="unseen"> un justificatif</span>
          </Button>
        )
      }
    >
      {!rights.data && (
        <NotLoaded
          answer={rights}
          label="Chargement des justificatifs…"
          height="3.5rem"
          failed="Les justificatifs n’ont pas pu être chargés."
        />
      )}
      {person?.proofs.length === 0 && (
        <Text tone="soft" size="fine">
          Aucun pour l’instant. Un certificat de scolarité ouvre les prix scolaires.
        </Text>
      )}
      {person && person.proofs.length > 0 && (
        <RightsList proofs={person.proofs} onRenew={({ kind }) => ask({ cardnumber, kind })} />
      )}
      {dialog}
    </Section>
  );
}
