// The replacement of a card is activated by the person who received it.
import { formatCardnumber } from "#contract/french.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { Text } from "#web/ui/text.tsx";
import { useActivate } from "./card-actions.ts";

export function ActivationDialog({
  cardnumber,
  own,
  first = false,
  colleague = null,
  open,
  onClose,
}: {
  /** The number of the new card. */
  cardnumber: number;
  own: boolean;
  /** It takes the place of no other card. */
  first?: boolean;
  /** « de Louis Tanguy », of whom the reader is the employer. */
  colleague?: string | null;
  open: boolean;
  onClose: () => void;
}) {
  const activate = useActivate(
    own,
    own
      ? "Votre nouvelle carte est active."
      : colleague
        ? `La nouvelle carte ${colleague} est active.`
        : "La carte est active.",
  );
  return (
    <ConfirmAction
      act={activate}
      input={open ? { cardnumber } : null}
      onClose={onClose}
      failed="La carte n’a pas été activée."
      title={
        first
          ? "Activer la carte\u202f?"
          : `Activer la nouvelle carte${colleague ? ` ${colleague}` : ""}\u202f?`
      }
      confirm="Activer la carte"
      cancel="Plus tard"
    >
      <p>
        Vérifiez que le numéro imprimé sur la carte reçue est bien{" "}
        <Text as="strong" numeric noWrap>
          {formatCardnumber(cardnumber)}
        </Text>
        .
      </p>
      {!first && (
        <p>
          {own
            ? "C’est avec ce numéro que vous vous connecterez désormais. L’ancien ne servira plus."
            : colleague
              ? "C’est avec ce numéro que la personne se connectera désormais. L’ancien ne servira plus."
              : "L’ancien numéro ne servira plus."}
        </p>
      )}
    </ConfirmAction>
  );
}
