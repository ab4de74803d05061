// A damaged card: its replacement is asked for, and it pays meanwhile.
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import type { Input } from "#contract/endpoint.ts";
import { formatCardnumber } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ofColleague } from "./colleague.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { ReplacementAddress } from "./replacement-address.tsx";

type DamageReason = Input<typeof api.cards.reportDamage>["reason"];

const reasons: { value: DamageReason; label: string; hint: string }[] = [
  {
    value: "unreadable",
    label: "Elle n’est plus lue",
    hint: "Elle est entière, mais les lecteurs ne la reconnaissent pas.",
  },
  { value: "broken", label: "Elle est cassée", hint: "Pliée, fendue, coupée ou effacée." },
];

export function DamageDialog({
  card,
  open,
  onClose,
}: {
  card: Pick<Card, "cardnumber" | "name" | "relation">;
  open: boolean;
  onClose: () => void;
}) {
  const { cardnumber } = card;
  const colleague = ofColleague(card);
  const report = useAction(
    (reason: DamageReason) => call(api.cards.reportDamage, { cardnumber, reason }),
    {
      says: colleague
        ? `Une nouvelle carte ${colleague} est demandée.`
        : "Une nouvelle carte est demandée.",
    },
  );
  return (
    <ReasonDialog
      open={open}
      onClose={onClose}
      title={`Remplacer la carte abîmée ${colleague ?? formatCardnumber(cardnumber)}\u202f?`}
      confirm="Demander une nouvelle carte"
      reasons={reasons}
      failed="Rien n’a été demandé."
      act={report}
    >
      <li>
        Une nouvelle carte, avec un nouveau numéro, est demandée. <strong>C’est gratuit.</strong>
      </li>
      <li>
        Celle-ci paie encore là où elle peut être lue, et avec son QR code, jusqu’à ce que la
        nouvelle soit activée.
      </li>
      {colleague && (
        <li>
          {card.name || "Son futur porteur"} garde son argent, ses dotations et ses plafonds.
          L’activation de la nouvelle carte lui revient.
        </li>
      )}
      <ReplacementAddress />
      <li>Perdue ou volée&#8239;? Mettez-la plutôt en opposition.</li>
    </ReasonDialog>
  );
}
