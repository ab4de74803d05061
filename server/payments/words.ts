// What people are told when a top-up changes state.
import { formatMoney } from "#contract/french.ts";
import type { TopUpState } from "#contract/payments.ts";

interface News {
  title: string;
  body: string;
  /** Kept with the top-up: why it did not end as hoped. */
  reason?: string;
}

export const expiredReason =
  "Le délai de paiement est dépassé. Rien n'a été débité\u202f: vous pouvez recommencer.";

/** The news of a part given back, in cents; the state stays. */
export const partlyRefunded = (amountCents: number): { title: string; body: string } => ({
  title: "Recharge remboursée en partie",
  body: `${formatMoney(amountCents)} de cette recharge ont été rendus à votre carte bancaire.`,
});

/** The news of a state, null for those that need none. */
export function newsOf(state: TopUpState, amountCents: number): News | null {
  const amount = formatMoney(amountCents);
  switch (state) {
    case "initiated":
    case "authorized":
      return null;
    case "credited":
      return { title: "Recharge créditée", body: `${amount} ont rejoint votre cagnotte.` };
    case "declined":
      return {
        title: "Recharge refusée",
        body: `Le paiement de ${amount} a été refusé. Rien n'a été débité.`,
        reason: "La banque a refusé le paiement. Rien n'a été débité.",
      };
    case "review":
      return {
        title: "Recharge à vérifier",
        body: `Le paiement de ${amount} doit être vérifié. Nous vous dirons la suite.`,
        reason: "Le montant payé n'est pas celui demandé. Nous vérifions et vous dirons la suite.",
      };
    case "refunded":
      return {
        title: "Recharge remboursée",
        body: `${amount} ont été rendus à votre carte bancaire.`,
        reason: "Le paiement vous a été remboursé.",
      };
    case "disputed":
      return {
        title: "Paiement contesté",
        body: `La recharge de ${amount} est contestée. La cagnotte est bloquée le temps du litige.`,
        reason: "Le paiement est contesté auprès de la banque. La cagnotte est bloquée.",
      };
  }
}
