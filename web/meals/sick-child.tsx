// « Enfant malade » on the first screen, for a guardian whose child has a meal today or tomorrow.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { firstName, spokenDay } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Button } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Row } from "#web/ui/stack.tsx";
import type { Eater } from "./illness-dialog.tsx";

const IllnessDialog = lazy(async () => ({
  default: (await import("./illness-dialog.tsx")).IllnessDialog,
}));

export function SickChild() {
  const answer = useAnswer(api.canteen.illnesses, {});
  // Whoever is announced eats there no more: the dialog goes on with whom it began.
  const [announcing, setAnnouncing] = useState<readonly Eater[] | null>(null);
  const soon = answer.data?.soon ?? [];
  const [first] = soon;
  return (
    <>
      {first && (
        <Section>
          <Row spread>
            <p>{whoEats(soon)}</p>
            <Button size="small" aria-haspopup="dialog" onClick={() => setAnnouncing(soon)}>
              {soon.length > 1
                ? "Signaler un enfant malade"
                : `${firstName(first.name)} est malade`}
            </Button>
          </Row>
        </Section>
      )}
      {announcing && (
        <Suspense>
          <IllnessDialog people={announcing} onClose={() => setAnnouncing(null)} />
        </Suspense>
      )}
    </>
  );
}

const inTurn = new Intl.ListFormat("fr");

/** « Léo et Inès mangent à la cantine aujourd’hui, Jade demain. » */
function whoEats(soon: readonly Eater[]): string {
  const all = soon.map(({ name }) => name);
  const days = [...Map.groupBy(soon, ({ day }) => day)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const parts = days.map(([day, some], index) => {
    const eat = some.length > 1 ? "mangent" : "mange";
    const names = inTurn.format(some.map(({ name }) => firstName(name, all)));
    return `${names} ${index === 0 ? `${eat} à la cantine ` : ""}${spokenDay(day)}`;
  });
  return `${parts.join(", ")}.`;
}
