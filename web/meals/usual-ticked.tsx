// The week that a reminder opens: its usual meals are ticked as it opens, and nothing is ordered.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { plural } from "#contract/french.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import type { Slot } from "./week-slots.ts";

type Ticked = Output<typeof api.canteen.chooseUsual>;

/** Ticks them once while they are due, unless something is chosen already, and says so. */
export function UsualTicked({
  idgroup,
  monday,
  isDue,
  slots,
  onChoose,
  onTicked,
}: {
  idgroup: number;
  /** ISO date of the week. */
  monday: string;
  /** The address demands it. */
  isDue: boolean;
  /** Those that can be chosen, or are. */
  slots: readonly Slot[];
  onChoose: (slots: readonly Slot[], chosen: boolean) => void;
  /** They are ticked, or cannot be. */
  onTicked: () => void;
}) {
  const tick = useMutation<Ticked, ApiProblem>({
    mutationFn: () => call(api.canteen.chooseUsual, { idgroup, day: monday, reminder: true }),
    onSettled: onTicked,
  });
  const isSent = useRef(false);
  useEffect(() => {
    if (!isDue || isSent.current) return;
    isSent.current = true;
    tick.mutate();
  });
  if (tick.error) return <ProblemBanner problem={tick.error} />;
  if (!tick.data) {
    return isDue && <Line words="Vos repas habituels se cochent…" action="Tout décocher" />;
  }
  const { added, warnedCount } = tick.data;
  const keys = new Set(added.map(({ registration, day }) => `${registration} ${day}`));
  const usual = slots.filter(({ person, cell }) => keys.has(`${person.registration} ${cell.day}`));
  const ticked = usual.filter(({ state }) => state === "chosen");
  const isTicked = ticked.length > 0;
  const nothing = wordsOfNone(tick.data);
  return (
    <Stack gap={8}>
      {usual.length > 0 ? (
        <Line
          words={
            isTicked ? "Vos repas habituels sont cochés." : "Vos repas habituels sont décochés."
          }
          action={isTicked ? "Tout décocher" : "Cocher de nouveau"}
          onAct={() => onChoose(isTicked ? ticked : usual, !isTicked)}
        />
      ) : (
        nothing && <Text as="output">{nothing}</Text>
      )}
      {warnedCount > 0 && (
        <Text tone="soft" size="small">
          {plural(warnedCount, "repas habituel est", "repas habituels sont")} à vérifier avant
          d’être {warnedCount > 1 ? "cochés" : "coché"}&#8239;: le menu contient un allergène
          déclaré, ou ne dit pas tout.
        </Text>
      )}
    </Stack>
  );
}

/** Why nothing is ticked; null where it is, or where all of it is to be checked first. */
function wordsOfNone({ added, request, warnedCount }: Ticked): string | null {
  if (added.length === 0 && request) {
    return "Des repas étaient déjà choisis\u202f: votre choix n’a pas changé.";
  }
  if (warnedCount > 0) return null;
  return "Rien à cocher\u202f: vos repas habituels sont commandés, ou leur heure limite est passée.";
}

/** What is ticked, and the act that changes it; of the same height before the answer. */
const Line = ({ words, action, onAct }: { words: string; action: string; onAct?: () => void }) => (
  <Row gap={8}>
    <Text as="output">{words}</Text>
    <Button size="small" loading={!onAct} onClick={onAct}>
      {action}
    </Button>
  </Row>
);
