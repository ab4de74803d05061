// The last acts of the counter and of the doors: who, what was said, when.
import type { ScanConflict } from "#contract/meal-service/counter.ts";
import { formatTime, spokenDay } from "#contract/french.ts";
import type { HomeScan } from "#contract/portal/professional-home.ts";
import { toneOf } from "#web/meal-service/verdict-tones.ts";
import { verdictNames } from "#web/meal-service/verdict-words.ts";
import { Badge, type Tone } from "#web/ui/banner.tsx";
import { Section } from "#web/ui/layout.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./professional.module.css";

export const LastScans = ({ list }: { list: readonly HomeScan[] }) => (
  <Section title="Derniers passages">
    {list.length === 0 ? (
      <EmptyState icon="qr" title="Aucun passage pour le moment">
        Chaque repas servi au guichet et chaque billet ou titre contrôlé s’inscrit ici.
      </EmptyState>
    ) : (
      <ul>
        {list.map((scan) => (
          <li key={scan.id} className={styles.line}>
            <span className={styles.words}>
              <Text as="span" weight="strong">
                {scan.name ?? "Carte ou code inconnu"}
              </Text>
              <Text as="span" tone="soft" size="fine">
                {spokenDay(scan.at)} {formatTime(scan.at)} · {scan.where}
              </Text>
              {scan.conflict && (
                <span className={styles.conflict}>{conflictWords[scan.conflict]}</span>
              )}
            </span>
            <Badge tone={toneFor(scan)}>{wordsFor(scan)}</Badge>
          </li>
        ))}
      </ul>
    )}
  </Section>
);

const conflictWords: Readonly<Record<ScanConflict, string>> = {
  served_elsewhere: "Servi aussi par un autre appareil, compté une fois",
  opposed_since: "Carte opposée depuis, repas non compté",
  cancelled_since: "Commande annulée depuis, repas non compté",
  unpaid: "La cagnotte ne peut pas payer, à encaisser",
  closed_day: "Pas de service ce jour-là, repas non compté",
  undo_late: "Annulé trop tard, le repas reste compté",
};

function wordsFor({ kind, verdict, walkIn, undone }: HomeScan): string {
  if (undone) return "Annulé";
  if (kind === "ticket") return "Entré";
  if (kind === "pass") return verdict === "served" ? "Valable" : "Refusé";
  return walkIn ? "Sans commande" : verdictNames[verdict];
}

const toneFor = ({ verdict, walkIn, undone, conflict }: HomeScan): Tone | "neutral" => {
  if (undone) return "neutral";
  if (conflict) return "warning";
  return walkIn ? "info" : toneOf(verdict);
};
