// « Droits et justificatifs »: the family quotient of the household, and the proofs of each of its
// members.
import { api } from "#contract/api.ts";
import type { RightsOf } from "#contract/entitlements/rows.ts";
import { formatDate } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { placed } from "#web/app/shared/place.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./rights.module.css";
import { useProofDialog } from "./use-proof-dialog.tsx";
import type { ProofSubject } from "./proof-dialog.tsx";
import { asksAnother, currentOf, RightsList } from "./rights-list.tsx";

export function RightsPage() {
  const rights = useAnswer(api.entitlements.list, {});
  const answer = rights.data;
  const own = answer?.people.find((one) => one.own);
  const { ask, dialog } = useProofDialog(answer?.people);
  return (
    <Page>
      <PageHeader
        title="Droits et justificatifs"
        lead="Ce qui réduit vos prix et ouvre des droits à votre famille."
        back={{ href: paths.family, label: "Famille" }}
      />
      {rights.isPending && (
        <Loading label="Chargement des justificatifs…">
          <Section>
            <Skeleton height="1.75rem" width="12rem" />
            <Skeleton lines={3} height="3.5rem" />
          </Section>
        </Loading>
      )}
      {rights.isError && !answer && (
        <Section>
          <ErrorState title="Vos justificatifs n’ont pas pu être chargés." answer={rights} />
        </Section>
      )}
      {answer && own && (
        <Stack gap={20}>
          {!answer.minor && <QuotientSection own={own} onSend={ask} />}
          <ProofsSection people={answer.people} onSend={answer.minor ? undefined : ask} />
          {dialog}
        </Stack>
      )}
    </Page>
  );
}

interface Sending {
  onSend: (subject: ProofSubject) => void;
}

function QuotientSection({ own, onSend }: { own: RightsOf } & Sending) {
  const proofs = own.proofs.filter(({ kind }) => kind === "quotient");
  const counting = proofs.find(({ state }) => state === "validated");
  const waits = proofs.some(({ state }) => state === "waiting");
  const asking = currentOf(proofs).find(asksAnother);
  const declare = () => onSend({ cardnumber: own.cardnumber, kind: "quotient" });
  return (
    <div {...(asking && placed("proof", asking.id, "Quotient familial"))}>
      <Section title="Quotient familial">
        <div className={styles.quotient}>
          {counting && (
            <div>
              <p className={styles.quotientValue}>{counting.quotient}</p>
              <Text tone="soft" size="fine">
                Valable jusqu’au {formatDate(counting.validUntil ?? counting.sentAt)}
              </Text>
            </div>
          )}
          {!counting && (
            <p className={styles.quotientWords}>
              Il réduit le prix des repas, des transports et des activités de vos enfants.
              Recopiez-le de votre attestation de la CAF ou de la MSA&#8239;: nous le vérifions, et
              il compte du jour de votre envoi.
            </p>
          )}
          {counting?.renew && (
            <Banner tone="warning" title="Il est temps de le renouveler">
              Le nouveau remplacera l’actuel dès qu’il est validé, et comptera du jour de votre
              envoi.
            </Banner>
          )}
          {!waits && (
            <Button
              kind={counting && !counting.renew ? "secondary" : "primary"}
              icon={counting ? "refresh" : "plus"}
              aria-haspopup="dialog"
              onClick={declare}
            >
              {counting ? "Déclarer un nouveau quotient" : "Déclarer mon quotient"}
            </Button>
          )}
        </div>
        {proofs.length > 0 && <RightsList proofs={proofs} besides={counting} />}
      </Section>
    </div>
  );
}

function ProofsSection({
  people,
  onSend,
}: {
  people: readonly RightsOf[];
  onSend: Sending["onSend"] | undefined;
}) {
  return (
    <Section
      title="Justificatifs"
      action={
        onSend && (
          <Button
            size="small"
            icon="plus"
            aria-haspopup="dialog"
            onClick={() => onSend({ cardnumber: people[0]?.cardnumber ?? 0, kind: null })}
          >
            Envoyer un justificatif
          </Button>
        )
      }
    >
      {people.map((person) => (
        <PersonProofs key={person.cardnumber} person={person} onSend={onSend} />
      ))}
    </Section>
  );
}

function PersonProofs({
  person,
  onSend,
}: {
  person: RightsOf;
  onSend: Sending["onSend"] | undefined;
}) {
  const proofs = person.proofs.filter(({ kind }) => kind !== "quotient");
  const { cardnumber, own, name } = person;
  return (
    <div className={styles.rightsPerson}>
      <h3>{own ? "Vous" : name}</h3>
      {currentOf(proofs).length === 0 ? (
        <p className={styles.rightsNone}>Aucun justificatif envoyé.</p>
      ) : (
        <RightsList
          proofs={proofs}
          onRenew={onSend && (({ kind }) => onSend({ cardnumber, kind }))}
        />
      )}
    </div>
  );
}
