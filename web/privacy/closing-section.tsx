// Closing the account: what it means, what prevents it, the bank account that gets the money, and the
// fourteen days in which one can change one's mind.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import { privacy as limits } from "#contract/limits.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { ClosureObstacle, PrivacyView } from "#contract/privacy/rows.ts";
import { call } from "#web/app/transport/api.ts";
import { placed } from "#web/app/shared/place.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { ClosingForm } from "./closing-form.tsx";
import styles from "./privacy.module.css";

const obstacleNames: Readonly<Record<ClosureObstacle, string>> = {
  closure_professional: "Un compte professionnel se ferme avec nous, factures réglées.",
  closure_last_guardian:
    "Vous êtes le seul responsable d’un enfant : ajoutez un autre responsable, ou fermez d’abord son compte.",
  closure_bookings: "De l’argent est réservé dans vos cagnottes.",
  closure_payment_under_way: "Un paiement est en cours.",
  closure_debt: "Une somme reste à régler d’un paiement repris par la banque.",
  wallet_frozen: "Une cagnotte est bloquée le temps d’une vérification.",
};

export function ClosingSection({
  privacy,
  cardnumber,
}: {
  privacy: PrivacyView;
  cardnumber: number;
}) {
  const [open, setOpen] = useState(false);
  const { closure, obstacles } = privacy;
  return (
    <Section title="Fermer le compte">
      {closure ? (
        <Stack {...placed("closing", closure.id, "Fermeture du compte")}>
          <Waiting closure={closure} privacy={privacy} cardnumber={cardnumber} />
        </Stack>
      ) : (
        <>
          <ul className={styles.privacyPoints}>
            <li>
              {privacy.refundCents > 0
                ? `${formatMoney(privacy.refundCents)} rechargés vous sont rendus par virement.`
                : "Vos cagnottes ne contiennent pas d’argent à rendre."}
            </li>
            {privacy.forfeitedCents > 0 && (
              <li>{formatMoney(privacy.forfeitedCents)} d’aides retournent à qui les a données.</li>
            )}
            <li>La carte, les abonnements et les titres ne servent plus.</li>
            <Losses privacy={privacy} />
            <li>
              Votre nom et vos coordonnées sont effacés. Les opérations restent dix ans, comme la
              comptabilité le demande.
            </li>
            <li>Vous avez {limits.closureDays} jours pour changer d’avis.</li>
          </ul>
          <Obstacles obstacles={obstacles} title="Le compte ne peut pas être fermé maintenant." />
          <Actions align="end">
            <Button kind="danger" disabled={obstacles.length > 0} onClick={() => setOpen(true)}>
              Fermer le compte
            </Button>
          </Actions>
          <Dialog open={open} onClose={() => setOpen(false)} title="Fermer le compte">
            <ClosingForm
              cardnumber={cardnumber}
              refundCents={privacy.refundCents}
              isWaiting={false}
              onClose={() => setOpen(false)}
            />
          </Dialog>
        </>
      )}
    </Section>
  );
}

/** What the closing loses and may still be used, cancelled or given until its day: items of a list. */
function Losses({ privacy }: { privacy: PrivacyView }) {
  return (
    <>
      {privacy.ticketsToCome > 0 && (
        <li>
          {plural(
            privacy.ticketsToCome,
            "billet à venir est perdu. Annulez-le ou donnez-le",
            "billets à venir sont perdus. Annulez-les ou donnez-les",
          )}{" "}
          d’abord&#8239;:{" "}
          <Link href={linkTo(paths.tickets, {}, { tab: "billets" })}>voir les billets</Link>.
        </li>
      )}
      {privacy.points > 0 && (
        <li>
          {plural(
            privacy.points,
            "point de fidélité est perdu. Utilisez-le",
            "points de fidélité sont perdus. Utilisez-les",
          )}{" "}
          d’abord&#8239;: <Link href={paths.points}>voir les points</Link>.
        </li>
      )}
    </>
  );
}

function Obstacles({ obstacles, title }: { obstacles: readonly ClosureObstacle[]; title: string }) {
  if (obstacles.length === 0) return null;
  return (
    <Banner tone="warning" title={title}>
      <ul className={styles.privacyPoints}>
        {obstacles.map((obstacle) => (
          <li key={obstacle}>{obstacleNames[obstacle]}</li>
        ))}
      </ul>
      {obstacles.includes("closure_debt") && (
        <Link href={linkTo(paths.contact, {}, { write: "1" })}>Nous écrire</Link>
      )}
      {obstacles.includes("closure_last_guardian") && (
        <Link href={paths.family}>Voir ma famille</Link>
      )}
    </Banner>
  );
}

type Closure = NonNullable<PrivacyView["closure"]>;

/** The words for the money of a closing that waits, as the wallets are today. */
function moneyWords({ ibanEnd, beneficiary }: Closure, refundCents: number): string {
  if (ibanEnd) {
    return `L’argent rechargé ira à ${beneficiary}, compte terminant par ${ibanEnd}.`;
  }
  return refundCents > 0
    ? `${formatMoney(refundCents)} vous reviennent. Sans IBAN, la fermeture est reportée de semaine en semaine.`
    : "Il n’y a pas d’argent à rendre aujourd’hui. S’il en arrive avant la fermeture, elle attendra votre IBAN.";
}

function Waiting({
  closure,
  privacy,
  cardnumber,
}: {
  closure: Closure;
  privacy: PrivacyView;
  cardnumber: number;
}) {
  const { refundCents, obstacles, ticketsToCome, points } = privacy;
  const [open, setOpen] = useState(false);
  const keep = useAction(() => call(api.privacy.keepOpen, { cardnumber }), {
    says: ({ message }) => message,
  });
  const lacksIban = !closure.ibanEnd && refundCents > 0;
  return (
    <>
      <Banner
        tone="warning"
        title={
          lacksIban
            ? "Le compte ne peut pas fermer sans votre IBAN."
            : `Le compte ferme le ${formatDate(closure.closesOn)}.`
        }
      >
        {moneyWords(closure, refundCents)}
      </Banner>
      {ticketsToCome + points > 0 && (
        <ul className={styles.privacyPoints}>
          <Losses privacy={privacy} />
        </ul>
      )}
      <Obstacles
        obstacles={obstacles}
        title={`Si rien ne change d’ici le ${formatDate(closure.closesOn)}, la fermeture sera reportée d’une semaine.`}
      />
      <ProblemBanner problem={keep.problem} title="La fermeture n’a pas été annulée." />
      <Actions align="end">
        {!closure.ibanEnd && (
          <Button kind={lacksIban ? "primary" : "secondary"} onClick={() => setOpen(true)}>
            Indiquer un IBAN
          </Button>
        )}
        <Button
          kind={lacksIban ? "secondary" : "primary"}
          loading={keep.isPending}
          onClick={() => keep.send()}
        >
          Garder le compte
        </Button>
      </Actions>
      <Dialog open={open} onClose={() => setOpen(false)} title="Indiquer un IBAN">
        <ClosingForm
          cardnumber={cardnumber}
          refundCents={refundCents}
          isWaiting
          onClose={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
}
