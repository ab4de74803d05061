// A request that was sent: where it is, what was asked and answered, what comes next.
import { lazy, Suspense } from "react";
import { formatCardnumber, formatDate, thin } from "#contract/french.ts";
import { membershipCan, membershipParts } from "#contract/memberships/states.ts";
import type { Membership, MembershipPage } from "#contract/memberships/rows.ts";
import { paths } from "#contract/paths.ts";
import { AnswerDelay } from "#web/app/shared/answer-delay.tsx";
import { logout } from "#web/app/transport/login.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import type { Tone } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Picture } from "#web/ui/picture.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import { Exchanges } from "./exchanges.tsx";
import styles from "./memberships.module.css";
import { useGo } from "./navigation.ts";
import { Summary } from "./summary.tsx";

const Clarification = lazy(async () => ({
  default: (await import("./clarification.tsx")).Clarification,
}));

export function RequestProgress({
  page,
  step,
}: {
  page: MembershipPage;
  step: string | undefined;
}) {
  const { membership } = page;
  if (!membership) return null;
  // The question that waits for an answer stands above it.
  const past = membership.exchanges.slice(0, membership.state === "clarification" ? -1 : undefined);
  return (
    <Stack gap={24}>
      {membership.state === "clarification" ? (
        <Suspense fallback={<Skeleton lines={4} height="3rem" />}>
          <Clarification page={page} membership={membership} step={step} />
        </Suspense>
      ) : (
        <Outcome page={page} membership={membership} />
      )}
      {past.length > 0 && <Exchanges exchanges={past} />}
      <Section title={`Votre demande n°\u00a0${membership.number}`}>
        <Summary page={page} parts={membershipParts} />
      </Section>
    </Stack>
  );
}

interface OutcomeText {
  icon: IconName;
  tone: Tone | "neutral";
  title: string;
  lines: string[];
}

/** `own` is the number that reads: a professional who had one keeps it. */
function outcomeTextOf(
  { state, company, reason, cardnumber, opensByCode, submittedAt }: Membership,
  own: number,
): OutcomeText {
  switch (state) {
    case "approved":
      return {
        icon: "success",
        tone: "success",
        title: `Bienvenue à ${company?.name}`,
        lines: [
          `Votre numéro professionnel est le ${formatCardnumber(cardnumber ?? 0)}.`,
          ...(cardnumber === own
            ? ["Il en est responsable dès maintenant."]
            : [
                opensByCode
                  ? "Ouvrez son espace dès maintenant\u202f: un code vous est envoyé, vous choisissez un mot de passe et vous entrez. La carte arrive ensuite par la poste."
                  : "Sa carte vous est envoyée avec un secret de douze chiffres. À sa réception, déconnectez-vous, connectez-vous avec ce numéro et ce secret, puis choisissez un mot de passe.",
                `Votre carte personnelle ne change pas${thin}: vous gardez les deux.`,
              ]),
        ],
      };
    case "rejected":
      return {
        icon: "close",
        tone: "danger",
        title: "Demande refusée",
        lines: [reason ?? "", "Si votre situation change, vous pouvez faire une nouvelle demande."],
      };
    case "review":
      return {
        icon: "search",
        tone: "info",
        title: "Demande à l’étude",
        lines: ["Nous vérifions vos informations et vos documents."],
      };
    default:
      return {
        icon: "send",
        tone: "info",
        title: "Demande envoyée",
        lines: [`Elle nous est parvenue le ${formatDate(submittedAt ?? "")}.`],
      };
  }
}

/** The personal number leaves this browser: the professional one chooses its password as somebody who comes in. */
async function openSpace(cardnumber: number | null): Promise<void> {
  await logout("stay");
  location.assign(`${paths.forgotPassword}#${cardnumber}`);
}

function Outcome({ page, membership }: { page: MembershipPage; membership: Membership }) {
  const go = useGo();
  const { cardnumber } = useUser();
  const { icon, tone, title, lines } = outcomeTextOf(membership, cardnumber);
  const { submittedAt, decidedAt } = membership;
  const again = membershipCan.beginAgain(membership) && page.barred === null;
  return (
    <Section>
      <div className={styles.outcome} aria-live="polite">
        <Picture icon={icon} tone={tone} />
        <StepHeading>{title}</StepHeading>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {decidedAt === null && submittedAt !== null && (
          <p>
            <AnswerDelay what="membership" requestedAt={submittedAt} />
          </p>
        )}
        {membership.opensByCode && membership.cardnumber !== null && (
          <Button kind="primary" icon="key" onClick={() => void openSpace(membership.cardnumber)}>
            Ouvrir mon espace professionnel
          </Button>
        )}
        {again && page.service.closed === null && (
          <Button kind="primary" icon="edit" onClick={() => go("company")}>
            Faire une nouvelle demande
          </Button>
        )}
      </div>
    </Section>
  );
}
