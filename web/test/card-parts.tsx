import { Badge } from "#web/ui/banner.tsx";
import { Button, ButtonLink, IconButton } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { LineChart } from "#web/ui/chart.tsx";
import { Icon, iconNames } from "#web/ui/icon.tsx";
import { ActionLink, DefinitionList, Section, Sides } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { PaperTicket } from "#web/ui/paper-ticket.tsx";
import { Avatar, CopyButton, Countdown } from "#web/ui/person.tsx";
import { PresentedCode } from "#web/ui/presented-code.tsx";
import { QrCode } from "#web/ui/qr.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import styles from "./gallery.module.css";

const day = 86_400_000;
const start = Date.UTC(2026, 9, 1);
const balance = (index: number) =>
  Math.round(8200 - (index % 14) * 410 + Math.sin(index) * 160 - Math.floor(index / 14) * 300);
const pointAt = (index: number) => ({
  at: new Date(start + index * day).toISOString(),
  cents: balance(index),
});
const past = Array.from({ length: 40 }, (_, index) => pointAt(index));
const future = Array.from({ length: 12 }, (_, index) => ({
  at: new Date(start + (40 + index) * day).toISOString(),
  cents: Math.max(0, balance(39) - index * 330),
}));
const soon = new Date(Date.now() + 24 * 60_000).toISOString();

/** The card, the balance, people and actions. */
export function CardParts() {
  return (
    <>
      <Sides
        main={
          <Section title="Solde" action={<Badge tone="success">Carte active</Badge>}>
            <Money cents={123_450} size="hero" />
            <p>
              <Money cents={98_760} /> après les repas réservés · épuisé le 18/12
            </p>
            <Row>
              <Button kind="primary" icon="plus">
                Recharger
              </Button>
              <Button icon="swap">Transférer</Button>
              <ButtonLink kind="ghost" href="#suite" iconEnd="forward">
                Toutes les cagnottes
              </ButtonLink>
            </Row>
            <LineChart title="Solde des 40 derniers jours" points={past} expected={future} />
          </Section>
        }
        side={
          <>
            <Card
              cardnumber={1_000_000_016}
              name="Camille Lefèvre"
              validUntil="12/2027"
              slot={<QrCode text="https://exemple.fr/c/demo" label="QR code de la carte" />}
            />
            <Section title="Actions">
              <ActionLink href="#recharger" icon="wallet" title="Recharger la cagnotte">
                Par carte bancaire, dès 5 €
              </ActionLink>
              <ActionLink href="#suspendre" icon="pause" title="Suspendre la carte">
                Vous pourrez la réactiver à tout moment
              </ActionLink>
            </Section>
          </>
        }
      />
      <Section title="Cartes" plain>
        <div className={styles.columns}>
          <Card cardnumber={1_000_000_024} name="Jules Lefèvre" state="suspended" />
          <Card cardnumber={1_000_000_032} name="Lina Lefèvre" state="opposed" />
          <Card cardnumber={2_000_000_014} name="Les Tables du Port" kind="Carte pro" />
          <Card cardnumber={1_000_000_040} name="Noé Marchand" />
          <Card cardnumber={2_000_000_022} name="Librairie du Quai" kind="Carte pro" />
          <Card cardnumber={1_000_000_057} name="Vignette" size="thumbnail" />
        </div>
      </Section>
      <Section title="À présenter" plain>
        <PaperTicket
          cardnumber={1_000_000_040}
          kind="Billet"
          holder="Noé Marchand"
          code={
            <PresentedCode
              text="https://exemple.fr/b/demo"
              label="Code du billet"
              holder="Noé Marchand"
              when="Samedi 5 décembre à 20:30"
            />
          }
          when="Samedi 5 décembre à 20:30"
        >
          <DefinitionList items={[{ label: "Lieu", value: "Salle des fêtes, 1 quai du Port" }]} />
        </PaperTicket>
      </Section>
      <Section title="Personnes et temps">
        <Row>
          <Avatar name="Camille Lefèvre" size="large" hasLabel />
          <Avatar name="Jules Lefèvre" hasLabel />
          <Avatar name="Lina Moreau-Petit" size="small" hasLabel />
          <IconButton icon="bell" label="Notifications" badge={3} />
          <span>
            Commande possible encore <Countdown until={soon} />
          </span>
        </Row>
        <DefinitionList
          items={[
            { label: "Numéro", value: "1000 000 016", action: <CopyButton text="1000000016" /> },
            { label: "Adresse", value: "camille.lefevre@exemple.fr" },
            { label: "Renouvellement", value: "31/08/2027" },
          ]}
        />
      </Section>
      <Section title="Icônes">
        <Stack>
          <div className={styles.galleryIcons}>
            {iconNames.map((name) => (
              <Icon key={name} name={name} />
            ))}
          </div>
        </Stack>
      </Section>
    </>
  );
}
