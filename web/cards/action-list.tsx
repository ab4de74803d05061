// The actions on a card, each with its effect. An action that the table of transitions does not permit is not
// offered.
import { type Card, cardCan, cardStateNames } from "#contract/cards/rows.ts";
import { Banner } from "#web/ui/banner.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { Text } from "#web/ui/text.tsx";
import { useResume, useSuspend } from "./card-actions.ts";
import { ofColleague } from "./colleague.ts";
import styles from "./card-dialogs.module.css";

export function ActionList({
  card,
  onClose,
  onDamage,
  onOppose,
  onLeave,
}: {
  card: Card;
  onClose: () => void;
  onDamage: () => void;
  onOppose: () => void;
  /** Of an employer, whose colleague leaves. */
  onLeave?: (() => void) | undefined;
}) {
  const colleague = ofColleague(card);
  const suspend = useSuspend({ undo: card.canResume, colleague });
  const resume = useResume(colleague);
  const { cardnumber } = card;
  return (
    <ul className={styles.cardActs}>
      {cardCan.suspend(card) && (
        <ActionButton
          icon="pause"
          title="Suspendre la carte"
          busy={suspend.isPending}
          onPress={() => suspend.mutate({ cardnumber }, { onSettled: onClose })}
        >
          {card.canResume
            ? `Elle ne paie plus rien. ${colleague && card.name ? `${card.name} en reçoit l’annonce, et seul un responsable peut la réactiver.` : "Vous la réactivez quand vous voulez."}`
            : "Elle ne paie plus rien. Seul un de vos responsables pourra la réactiver."}
        </ActionButton>
      )}
      {cardCan.resume(card) && !card.canResume && (
        <li className={styles.cardActNote}>
          <Banner title="Votre carte est suspendue">
            Elle ne paie plus rien. Un de vos responsables peut la réactiver.
          </Banner>
        </li>
      )}
      {cardCan.resume(card) && card.canResume && (
        <ActionButton
          icon="play"
          title="Réactiver la carte"
          busy={resume.isPending}
          onPress={() => resume.mutate({ cardnumber }, { onSettled: onClose })}
        >
          {colleague && card.name
            ? `Elle peut de nouveau payer, tout de suite. ${card.name} en reçoit l’annonce.`
            : "Elle peut de nouveau payer, tout de suite."}
        </ActionButton>
      )}
      {card.state === "damaged" && card.replacement && (
        <li className={styles.cardActNote}>
          <Banner title={`La nouvelle carte est ${nameOf(card.replacement)}`}>
            Celle-ci paie encore là où elle peut être lue, et avec son QR code.
          </Banner>
        </li>
      )}
      {cardCan.reportDamage(card) && (
        <ActionButton icon="tool" title="Remplacer une carte abîmée" onPress={onDamage}>
          Cassée ou plus lue&#8239;: une nouvelle est demandée, gratuitement. Celle-ci paie en
          attendant.
        </ActionButton>
      )}
      {cardCan.oppose(card) && (
        <ActionButton icon="forbidden" title="Mettre en opposition" danger onPress={onOppose}>
          {card.replacement
            ? "Perdue, volée ou utilisée par un autre\u202f: c’est définitif."
            : "Perdue, volée ou utilisée par un autre\u202f: c’est définitif, une nouvelle carte est demandée."}
        </ActionButton>
      )}
      {onLeave && (
        <ActionButton icon="close" title="Fermer la carte" danger onPress={onLeave}>
          {`${card.name} quitte l’entreprise\u202f: la carte est fermée pour de bon, sans en demander une nouvelle.`}
        </ActionButton>
      )}
    </ul>
  );
}

const nameOf = ({ state }: Pick<Card, "state">): string => cardStateNames[state].toLowerCase();

function ActionButton({
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
          <Text as="span" tone="soft" size="fine">
            {children}
          </Text>
        </span>
        <Icon name="right" size={20} />
      </button>
    </li>
  );
}
