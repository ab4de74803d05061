// The shares that the law EGalim asks to display of a week.
import { type EgalimShares, egalimGoals, egalimShares } from "#contract/kitchen/egalim.ts";
import type { MenuView } from "#contract/kitchen/menus.ts";
import { plural } from "#contract/french.ts";
import { Section } from "#web/ui/layout.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./menus.module.css";

export function EgalimSection({ days }: { days: readonly MenuView[] }) {
  const shares = egalimShares(days);
  if (shares.dishes === 0) return null;
  return (
    <Section title="Loi EGalim, cette semaine">
      <div className={styles.shares}>
        <Share label="Durables et de qualité" kind="sustainable" shares={shares} />
        <Share label="dont biologiques" kind="organic" shares={shares} />
      </div>
      <p>
        {shares.vegetarianDays === 0
          ? "Aucun menu végétarien\u202f: la loi en demande un par semaine."
          : `${plural(shares.vegetarianDays, "menu végétarien", "menus végétariens")}\u202f: la loi en demande un par semaine.`}
      </p>
      <Text tone="soft" size="fine">
        Parts comptées en nombre de plats, d’après leurs labels{"\u202f"}: une indication. La loi
        compte en euros d’achats sur l’année, à déclarer ci-dessous. Comptent{"\u202f"}: bio, Label
        Rouge, AOP, IGP, pêche durable, haute valeur environnementale et commerce équitable.
        «&nbsp;Local&nbsp;», «&nbsp;fait maison&nbsp;» et «&nbsp;végétarien&nbsp;» ne comptent pas.
      </Text>
    </Section>
  );
}

function Share({
  label,
  kind,
  shares,
}: {
  label: string;
  kind: "sustainable" | "organic";
  shares: EgalimShares;
}) {
  const percent = Math.floor((100 * shares[kind]) / shares.dishes);
  const goal = egalimGoals[kind];
  return (
    <div>
      <p className={styles.shareLine}>
        <span>{label}</span>
        <strong>{percent}&nbsp;%</strong>
      </p>
      <progress
        className={styles.share}
        data-reached={percent >= goal || undefined}
        max={100}
        value={percent}
        aria-label={label}
      />
      <Text tone="soft" size="fine">
        {shares[kind]} sur {plural(shares.dishes, "plat")} · objectif {goal}&nbsp;%
        {percent >= goal ? " atteint" : " pas encore atteint"}
      </Text>
    </div>
  );
}
