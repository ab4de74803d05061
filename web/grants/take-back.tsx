// Asks before what is not spent of a grant is taken back, of one card or of all.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
import type { GrantedCard, GrantView } from "#contract/grants/rows.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { notify } from "#web/ui/toast.tsx";

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
  const take = useMutation<{ takenCents: number }, ApiProblem>({
    mutationFn: () =>
      call(api.grants.takeBack, { grant: grant.id, ...(card && { cardnumber: card.cardnumber }) }),
    onSuccess: ({ takenCents }) => {
      onClose();
      notify({
        text: owed
          ? `${formatMoney(takenCents)} sont repris et ne sont plus à virer.`
          : `${formatMoney(takenCents)} sont revenus dans la cagnotte du responsable.`,
      });
    },
  });
  return (
    <AlertDialog
      open={open}
      onClose={() => {
        take.reset();
        onClose();
      }}
      title={card ? `Reprendre à ${card.name}\u202f?` : "Tout reprendre\u202f?"}
      confirm="Reprendre"
      cancel="Revenir"
      danger
      loading={take.isPending}
      onConfirm={() => take.mutate()}
    >
      {formatMoney(card?.leftCents ?? grant.leftCents)}{" "}
      {owed
        ? "sont retirés de ce qu’il vous reste à virer."
        : "reviennent dans la cagnotte du responsable."}{" "}
      {card ? `${card.name} en est prévenu.` : "Chaque personne en est prévenue."}
      <ProblemBanner problem={take.error} />
    </AlertDialog>
  );
}
