// The acts on a card, each with what it does. What the table of transitions does not permit is not
// offered.
import { type Card, cardCan } from "#contract/cards.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { useResume, useSuspend } from "./card-acts.ts";
import "./card-dialogs.css";

export function ActList({
  card,
  onClose,
  onOppose,
}: {
  card: Card;
  onClose: () => void;
  onOppose: () => void;
}) {
  const suspend = useSuspend();
  const resume = useResume();
  const { cardnumber } = card;
  return (
    <ul className="card-acts">
      {cardCan.suspend(card) && (
        <Act
          icon="pause"
          title="Suspendre la carte"
          busy={suspend.isPending}
          onPress={() => suspend.mutate({ cardnumber }, { onSettled: onClose })}
        >
          Elle ne paie plus rien. Vous la réactivez quand vous voulez.
        </Act>
      )}
      {cardCan.resume(card) && (
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
        className="card-act"
        data-danger={danger}
        aria-busy={busy}
        onClick={() => busy || onPress()}
      >
        <span className="card-act-icon">
          <Icon name={icon} />
        </span>
        <span className="card-act-words">
          <span className="card-act-title">{title}</span>
          <span className="card-act-lead">{children}</span>
        </span>
        <Icon name="right" size={20} />
      </button>
    </li>
  );
}
