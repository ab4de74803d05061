// Opposition asks before it acts: it is final.
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import type { Input } from "#contract/endpoint.ts";
import { formatCardnumber } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ofColleague } from "./colleague.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { ReplacementAddress } from "./replacement-address.tsx";

type OppositionReason = Input<typeof api.cards.oppose>["reason"];

interface Reason {
  value: OppositionReason;
  label: string;
  hint: string;
}

/** As its bearer tells it, or whoever acts for them: a guardian, an employer, who names the colleague. */
const reasonsOf = (own: boolean, colleague: string | null): readonly Reason[] => [
  {
    value: "lost",
    label: own ? "Je l’ai perdue" : "Elle est perdue",
    hint: own ? "Vous ne savez plus où elle est." : "Personne ne sait plus où elle est.",
  },
  {
    value: "stolen",
    label: own ? "On me l’a volée" : "Elle a été volée",
    hint: "Elle est peut-être dans d’autres mains.",
  },
  {
    value: "fraud",
    label: "Quelqu’un s’en sert",
    hint: own
      ? "Vous voyez des opérations qui ne sont pas les vôtres."
      : `Des opérations ne sont pas ${colleague ? `celles ${colleague}` : "celles de son porteur"}.`,
  },
];

export function OppositionDialog({
  card,
  own,
  open,
  onClose,
}: {
  card: Pick<Card, "cardnumber" | "name" | "replacement" | "relation">;
  own: boolean;
  open: boolean;
  onClose: () => void;
}) {
  const { cardnumber, replacement } = card;
  const colleague = ofColleague(card);
  const done = colleague ? `Opposition faite sur la carte ${colleague}.` : "Opposition faite.";
  const text = replacement
    ? `${done} La nouvelle carte est déjà demandée.`
    : `${done} Une nouvelle carte est demandée.`;
  const oppose = useAction(
    (reason: OppositionReason) => call(api.cards.oppose, { cardnumber, reason }),
    { says: text },
  );
  return (
    <ReasonDialog
      open={open}
      onClose={onClose}
      title={`Mettre en opposition la carte ${colleague ?? formatCardnumber(cardnumber)}\u202f?`}
      confirm="Mettre en opposition"
      danger
      reasons={reasonsOf(own, colleague)}
      failed="L’opposition n’a pas été faite."
      act={oppose}
    >
      <li>
        <strong>C’est définitif.</strong> Cette carte
        {colleague && ` (${formatCardnumber(cardnumber)})`} ne servira plus jamais, même retrouvée.
      </li>
      <li>Elle ne paie plus rien et son QR code cesse aussitôt de marcher.</li>
      <li>
        {own
          ? "Vos autres connexions sont fermées. Celle-ci reste ouverte."
          : "Les connexions ouvertes avec cette carte sont fermées."}
      </li>
      <li>
        {replacement
          ? "La nouvelle carte, avec un nouveau numéro, est déjà demandée. "
          : "Une nouvelle carte, avec un nouveau numéro, est demandée. "}
        {colleague === null && "L’argent de la cagnotte ne bouge pas."}
      </li>
      {colleague !== null && (
        <>
          <li>
            Les dotations de l’entreprise, les plafonds et l’argent de sa cagnotte passent tels
            quels sur la nouvelle carte. L’entreprise ne perd rien et ne paie rien de plus.
          </li>
          <li>
            {card.name} en reçoit l’annonce, avec ce que deviennent ses repas, ses billets et ses
            titres de transport. Son ancien numéro sert à se connecter en attendant.
          </li>
          <li>La personne quitte l’entreprise{"\u202f"}? Fermez plutôt sa carte.</li>
        </>
      )}
      {colleague === null && (
        <>
          <li>
            Les repas commandés restent commandés. À la cantine,{" "}
            {own ? "donnez votre" : "il suffit de donner son"} nom.
          </li>
          <li>
            Les billets restent valables avec un nouveau QR code, à montrer à l’écran ou à imprimer
            de nouveau.
          </li>
          <li>
            Les titres de transport attendent la nouvelle carte&#8239;: d’ici là, ils ne permettent
            pas de voyager.
          </li>
        </>
      )}
      {!replacement && <ReplacementAddress />}
    </ReasonDialog>
  );
}
