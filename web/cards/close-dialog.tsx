// Closes the card of a colleague who leaves: what happens to the money on it is said before, and it is final.
import { api } from "#contract/api.ts";
import type { ProCard } from "#contract/companies/pro-cards.ts";
import { formatMoney, ofName } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { Stack } from "#web/ui/stack.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import styles from "./card-dialogs.module.css";

export function CloseDialog({
  card: { cardnumber, name, roles },
  open,
  onClose,
}: {
  card: Pick<ProCard, "cardnumber" | "roles"> & { name: string };
  open: boolean;
  onClose: () => void;
}) {
  const preview = useAnswer(api.companies.proCardClosing, { cardnumber }, { atOnce: true });
  const closing = useAction(
    (_, proof) => call(api.companies.closeProCard, { cardnumber, ...proof }),
    {
      says: ({ message }) => message,
    },
  );
  const cents = preview.data?.returnedCents;
  return (
    <ConfirmAction
      act={closing}
      open={open}
      onClose={onClose}
      failed="La carte n’a pas été fermée."
      title={`Fermer la carte ${ofName(name)}\u202f?`}
      confirm="Fermer la carte"
      cancel="Garder la carte"
      danger
    >
      <Stack gap={20}>
        <ul className={styles.oppositionEffects} data-danger>
          <li>
            <strong>C’est définitif.</strong> La carte ne paie plus rien, son QR code cesse de
            marcher et aucune nouvelle carte n’est demandée.
          </li>
          <li>
            {cents === undefined && !preview.isError && <Skeleton lines={1} height="1.25rem" />}
            {preview.isError && "Les dotations ni dépensées ni engagées reviennent à l’entreprise."}
            {cents === 0 && "Il n’y reste aucune dotation de l’entreprise."}
            {cents !== undefined &&
              cents > 0 &&
              `${formatMoney(cents)} de dotations ni dépensées ni engagées reviennent à l’entreprise. Ce qui est engagé revient à sa date de fin s’il n’est pas dépensé.`}
          </li>
          <li>
            L’argent que {name} y a mis reste le sien{"\u202f"}: la personne le voit encore et le
            service clients le lui rend.
          </li>
          <li>
            Les repas réservés avec cette carte sont annulés sans frais et ses recharges
            automatiques s’arrêtent. Ses achats déjà payés restent payés.
          </li>
          {roles.length > 0 && (
            <li>{name} perd aussitôt son rôle et ne voit plus rien de l’entreprise.</li>
          )}
          <li>
            La carte ne compte plus parmi celles de l’entreprise. {name} en reçoit l’annonce, ainsi
            que les autres responsables.
          </li>
        </ul>
      </Stack>
    </ConfirmAction>
  );
}
