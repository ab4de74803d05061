// The alerts and things to do of the dashboard, each with its one act.
import { lazy, Suspense, useState } from "react";
import type { Card } from "#contract/cards.ts";
import { useResume } from "#web/cards/card-acts.ts";
import { pathTo } from "#web/routes.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Stack } from "#web/ui/layout.tsx";
import type { ToDo } from "./things-to-do.ts";

const ActivationDialog = lazy(async () => ({
  default: (await import("#web/cards/activation-dialog.tsx")).ActivationDialog,
}));

/** `topUp` is the path of the main wallet's recharge, null where there is none. */
export function ToDoList({
  list,
  card,
  topUp,
}: {
  list: readonly ToDo[];
  card: Card | null;
  topUp: string | null;
}) {
  // The new card that was asked about last, and whether its dialog is open.
  const [activating, setActivating] = useState<{ cardnumber: number; open: boolean } | null>(null);
  const resume = useResume();
  if (list.length === 0) return null;
  const actionOf = ({ act }: ToDo) => {
    if (act?.kind === "resume" && card) {
      return (
        <Button
          size="small"
          icon="play"
          loading={resume.isPending}
          onClick={() => resume.mutate({ cardnumber: card.cardnumber })}
        >
          Réactiver la carte
        </Button>
      );
    }
    if (act?.kind === "activate") {
      return (
        <Button
          size="small"
          icon="check"
          onClick={() => setActivating({ cardnumber: act.cardnumber, open: true })}
        >
          Activer la carte
        </Button>
      );
    }
    if (act?.kind === "topUp" && topUp) {
      return (
        <ButtonLink size="small" icon="plus" href={topUp}>
          Recharger
        </ButtonLink>
      );
    }
    if (act?.kind === "subscription") {
      return (
        <ButtonLink size="small" icon="calendar" href={pathTo("Abonnement_user")}>
          Renouveler
        </ButtonLink>
      );
    }
    if (act?.kind === "profile") {
      return (
        <ButtonLink size="small" icon="person" href={pathTo("profil")}>
          Compléter mon profil
        </ButtonLink>
      );
    }
    return null;
  };
  return (
    <section aria-label="À savoir et à faire">
      <Stack gap="tight">
        {list.map((one) => (
          <Banner key={one.key} tone={one.tone} title={one.title} actions={actionOf(one)}>
            {one.text}
          </Banner>
        ))}
      </Stack>
      {activating && (
        <Suspense>
          <ActivationDialog
            {...activating}
            own={card?.relation === "self"}
            onClose={() => setActivating({ ...activating, open: false })}
          />
        </Suspense>
      )}
    </section>
  );
}
