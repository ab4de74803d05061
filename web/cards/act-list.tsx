// The acts on a card, each with what it does. What the table of transitions does not permit is not
// offered.
import { type Card, cardCan } from "#contract/cards/rows.ts";
import { Banner } from "#web/ui/banner.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { useResume, useSuspend } from "./card-acts.ts";
import styles from "./card-dialogs.module.css";

export function ActList({
  card,
  minor,
  onClose,
  onOppose,
}: {
  card: Card;
  /** The person has a guardian: what they suspend, a guardian resumes. */
  minor: boolean;
  onClose: () => void;
  onOppose: () => void;
}) {
  const suspend = useSuspend({ undo: !minor });
  const resume = useResume();
  const { cardnumber } = card;
  return (
    <ul className={styles.cardActs}>
      {cardCan.suspend(card) && (
        <Act
          icon="pause"
          title="Suspendre la carte"
          busy={suspend.isPending}
          onPress={() => suspend.mutate({ cardnumber }, { onSettled: onClose })}
        >
          {minor
            ? "Elle ne paie plus rien. Seul un de vos responsables pourra la réactiver."
            : "Elle ne paie plus rien. Vous la réactivez quand vous voulez."}
        </Act>
      )}
      {cardCan.resume(card) && minor && (
        <li className={styles.cardActNote}>
          <Banner title="Votre carte est suspendue">
            Elle ne paie plus rien. Un de vos responsables peut la réactiver.
          </Banner>
        </li>
      )}
      {cardCan.resume(card) && !minor && (
        <Act
          icon="play"
          title="Réactiver la carte"
          busy={resume.isPending}
          onPress={() => resume.mutate({ cardnumber }, { onSettled: onClose })}
        >
          Elle peut de nouveau payer, tout de suite.
        </Act>
      )}
      {cardCan.oppose(card) && (
        <Act icon="forbidden" title="Mettre en opposition" danger onPress={onOppose}>
          Perdue, volée ou utilisée par un autre&#8239;: c’est définitif, une nouvelle carte est
          demandée.
        </Act>
      )}
    </ul>
  );
}

function Act({
  icon,
  title,
  children,
  danger,
  busy,
  onPress,
}: {
  icon: IconName;
  title: string;
  children: string;
  danger?: boolean;
  busy?: boolean;
  onPress: () => void;
}) {
  return (
    <li>
      <button
        type="button"
        className={styles.cardAct}
        data-danger={danger}
        aria-busy={busy}
        onClick={() => busy || onPress()}
      >
        <IconTile icon={icon} tone={danger ? "danger" : "info"} />
        <span className={styles.cardActWords}>
          <span className={styles.cardActTitle}>{title}</span>
          <span className={styles.cardActLead}>{children}</span>
        </span>
        <Icon name="right" size={20} />
      </button>
    </li>
  );
}
