// Before a request: what joining asks for, or why the person has nothing to ask for.
import { answerDelay } from "#contract/answer-delay.ts";
import { linkTo } from "#contract/link-to.ts";
import { membershipDocumentHints, membershipDocumentNames } from "#contract/memberships/words.ts";
import type { MembershipPage } from "#contract/memberships/rows.ts";
import { paths } from "#contract/paths.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { useGo } from "./navigation.ts";
import styles from "./memberships.module.css";

export function Intro({ page }: { page: MembershipPage }) {
  const { service, barred } = page;
  const go = useGo();
  if (barred !== null) return <Barred why={barred} />;
  if (service.closed !== null) {
    return (
      <Banner tone="warning" title="Les adhésions sont suspendues pour l’instant.">
        {service.closed}
        {page.membership && " Votre brouillon est gardé."}
      </Banner>
    );
  }
  return (
    <Section title="Avant de commencer">
      <Stack gap={20}>
        <p>
          Comptez dix minutes. Votre demande est gardée à chaque étape&#8239;: vous pouvez vous
          arrêter et reprendre plus tard, même sur un autre appareil. Vous aurez une réponse{" "}
          {answerDelay("membership")}.
        </p>
        <Text as="h3" size="large">
          Préparez
        </Text>
        <Stack as="ul" gap={12}>
          <Need name="Le SIRET du siège" hint="14 chiffres, sur votre Kbis ou votre avis Insee." />
          {service.documents.map((kind) => (
            <Need
              key={kind}
              name={membershipDocumentNames[kind]}
              hint={membershipDocumentHints[kind]}
            />
          ))}
          <Need
            name={
              page.codeBy === "sms" ? "Le téléphone du représentant" : "L’e-mail du représentant"
            }
            hint="Un code à usage unique y est envoyé."
          />
        </Stack>
        <Text as="h3" size="large">
          Conditions
        </Text>
        <Stack as="ul" gap={12}>
          {service.conditions.map((one) => (
            <Need key={one} name={one} />
          ))}
        </Stack>
        <Actions align="end" wide>
          <Button kind="primary" iconEnd="forward" onClick={() => go("company")}>
            Commencer ma demande
          </Button>
        </Actions>
      </Stack>
    </Section>
  );
}

const Need = ({ name, hint }: { name: string; hint?: string }) => (
  <li className={styles.need}>
    <Icon name="check" size={20} />
    <span>
      {name}
      {hint && <span className={styles.hint}>{hint}</span>}
    </span>
  </li>
);

const Barred = ({ why }: { why: NonNullable<MembershipPage["barred"]> }) => (
  <Section>
    <Stack gap={20}>
      {why === "company" ? (
        <>
          <Banner title="Votre numéro appartient déjà à une entreprise.">
            Elle a son compte&#8239;: vous n’avez pas de demande à faire. Pour lui ouvrir un autre
            service, écrivez-nous.
          </Banner>
          <Actions align="end" wide>
            <ButtonLink kind="primary" icon="mail" href={linkTo(paths.contact, {}, { write: "1" })}>
              Écrire au service clients
            </ButtonLink>
          </Actions>
        </>
      ) : (
        <Banner title="Une adhésion se demande à partir de 18 ans.">
          Votre carte dépend d’un responsable&#8239;: c’est à un adulte de faire cette demande, avec
          sa propre carte.
        </Banner>
      )}
    </Stack>
  </Section>
);
