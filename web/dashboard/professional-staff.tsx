// The home of an employer that sells nothing here: the money on its people's cards, and what is done for them.
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { HomeGrants } from "#contract/portal/professional-home.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { ActionLink, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./professional.module.css";

export function Staff({
  grants: { leftCents, soonCents, cards, nextExpiresOn },
}: {
  grants: HomeGrants;
}) {
  return (
    <>
      <Section title="Vos salariés">
        <div className={styles.owed}>
          <Text tone="soft" size="fine">
            Dotations encore sur leurs cartes
          </Text>
          <p>
            <Money cents={leftCents} size="hero" />
          </p>
          <Text tone="soft" size="fine">
            {plural(cards, "carte")}
            {soonCents > 0 && `, ${formatMoney(soonCents)} finissent bientôt`}
            {nextExpiresOn && `, première échéance le ${formatDate(nextExpiresOn)}`}
          </Text>
          <ButtonLink href={paths.grants} icon="gift">
            Voir les dotations
          </ButtonLink>
        </div>
      </Section>
      <Section title="Dès maintenant">
        <Stack gap={8}>
          <ActionLink href={paths.services} icon="grid" title="Le transport des salariés">
            Votre part de leurs abonnements, et la liste pour la paie
          </ActionLink>
          <ActionLink href={paths.repertory} icon="pin" title="Le répertoire">
            Les partenaires de la carte, près de vous et ouverts maintenant
          </ActionLink>
          <ActionLink
            href={linkTo(paths.contact, {}, { write: "1" })}
            icon="compass"
            title="Vendre avec la carte"
          >
            Une fiche dans l’annuaire, un restaurant ou un événement{"\u202f"}: écrivez-nous
          </ActionLink>
        </Stack>
      </Section>
    </>
  );
}
