// The caller's own sheet of the directory, as people find it.
import { plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { HomeSheet } from "#contract/portal/professional-home.ts";
import { untilText } from "#web/partners/place-words.ts";
import { Badge } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./professional.module.css";

export const OwnSheet = ({ sheet, decides }: { sheet: HomeSheet; decides: boolean }) => {
  const { id, name, category, listed, opening, offers } = sheet;
  return (
    <Section title="Votre fiche">
      <div className={styles.owed}>
        <p>
          <Text as="span" weight="strong">
            {name}
          </Text>
          <Text as="span" tone="soft" size="fine">
            {" "}
            · {category}
          </Text>
        </p>
        {listed ? (
          <p className={styles.facts}>
            <Badge tone={opening.open ? "success" : "neutral"} icon="clock">
              {opening.open ? "Ouvert" : "Fermé"}
            </Badge>
            <Text as="span" tone="soft" size="fine">
              {untilText(opening)}
            </Text>
          </p>
        ) : (
          <Text tone="soft" size="fine">
            Elle n’est pas montrée dans l’annuaire.
          </Text>
        )}
        <Text tone="soft" size="fine">
          {offers > 0
            ? `${plural(offers, "offre")} pour les porteurs de la carte`
            : "Aucune offre en cours pour les porteurs de la carte"}
        </Text>
        {(listed || decides) && (
          <ButtonLink
            href={listed ? linkTo(paths.repertory, {}, { sheet: id }) : paths.categories}
            icon="eye"
          >
            {listed ? "Voir ma fiche" : "Compléter ma fiche"}
          </ButtonLink>
        )}
      </div>
    </Section>
  );
};
