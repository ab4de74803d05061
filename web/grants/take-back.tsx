// Asks before what is not spent of a grant is taken back, of one card or of all.
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
import type { GrantedCard, GrantView } from "#contract/grants/rows.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useAction } from "#web/app/transport/use-action.ts";

export function TakeBack({
  grant,
  card,
  open,
  onClose,
}: {
  grant: GrantView;
  /** Null: every card of it. */
  card: GrantedCard | null;
  open: boolean;
  onClose: () => void;
}) {
  // Nobody has paid it yet: what is taken back is no longer owed.
  const owed = grant.owedCents > 0;
  const take = useAction(
    () =>
      call(api.grants.takeBack, { grant: grant.id, ...(card && { cardnumber: card.cardnumber }) }),
    {
      says: ({ takenCents }) =>
        owed
          ? `${formatMoney(takenCents)} sont repris et ne sont plus à virer.`
          : `${formatMoney(takenCents)} sont revenus dans la cagnotte du responsable.`,
    },
  );
  return (
    <ConfirmAction
      act={take}
      open={open}
      onClose={onClose}
      title={card ? `Reprendre à ${card.name}\u202f?` : "Tout reprendre\u202f?"}
      confirm="Reprendre"
      cancel="Revenir"
      danger
    >
      {formatMoney(card?.leftCents ?? grant.leftCents)}{" "}
      {owed
        ? "sont retirés de ce qu’il vous reste à virer."
        : "reviennent dans la cagnotte du responsable."}{" "}
      {card ? `${card.name} en est prévenu.` : "Chaque personne en est prévenue."}
    </ConfirmAction>
  );
}
