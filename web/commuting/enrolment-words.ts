// How an enrolment reads: its tone, since when, and the words of each action.
import type { CommutingEnrolment } from "#contract/commuting/rows.ts";
import type { EnrolmentState } from "#contract/commuting/states.ts";
import { formatDate, ofName } from "#contract/french.ts";
import type { Tone } from "#web/ui/banner.tsx";

export const enrolmentTones: Readonly<Record<EnrolmentState, Tone | "neutral">> = {
  invited: "info",
  active: "success",
  suspended: "warning",
  declined: "neutral",
  withdrawn: "neutral",
  expired: "neutral",
  ended: "neutral",
};

/** « Acceptée le 03/11/2026 », « Par le salarié, le 20/11/2026 ». */
export function whenOf(one: CommutingEnrolment): string {
  const { state, invitedAt, expiresAt, acceptedAt, endedAt, endedBy } = one;
  if (state === "invited") {
    return `Demandée le ${formatDate(invitedAt)}, jusqu’au ${formatDate(expiresAt ?? invitedAt)}`;
  }
  if (endedAt !== null) {
    const by = state === "ended" && endedBy === "holder" ? "Par le salarié, le" : "Le";
    return `${by} ${formatDate(endedAt)}`;
  }
  return acceptedAt === null ? "" : `Acceptée le ${formatDate(acceptedAt)}`;
}

export type EnrolmentAction = "suspend" | "resume" | "end";

interface ActionWords {
  title: string;
  confirm: string;
  body: string;
}

export function actionWords({
  name,
  state,
}: CommutingEnrolment): Record<EnrolmentAction, ActionWords> {
  const passesNote = "Les titres déjà achetés restent valables et dus. La personne est prévenue.";
  return {
    suspend: {
      title: `Suspendre l’inscription ${ofName(name)}\u202f?`,
      confirm: "Suspendre",
      body: `Vous ne payez plus de part de ses achats, jusqu’à la reprise. ${passesNote}`,
    },
    resume: {
      title: `Reprendre l’inscription ${ofName(name)}\u202f?`,
      confirm: "Reprendre",
      body: "Votre part est de nouveau déduite de ses prochains achats. La personne est prévenue.",
    },
    end:
      state === "invited"
        ? {
            title: `Retirer la demande pour ${name}\u202f?`,
            confirm: "Retirer",
            body: "La personne ne pourra plus l’accepter. Vous pourrez lui en envoyer une autre.",
          }
        : {
            title: `Terminer l’inscription ${ofName(name)}\u202f?`,
            confirm: "Terminer",
            body: `Vous ne payez plus de part de ses achats. ${passesNote}`,
          },
  };
}
