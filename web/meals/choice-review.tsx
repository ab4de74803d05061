// The review of the chosen meals before they are ordered: a line a day, who pays, the button.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { startOfWeek } from "#contract/days.ts";
import { plural } from "#contract/french.ts";
import { wireSearch } from "#contract/link-to.ts";
import { freeUntil } from "#contract/meals/cancel-words.ts";
import type { MealLine, MealRequest } from "#contract/meals/orders.ts";
import { paths } from "#contract/paths.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { PayWith } from "#web/checkout/pay-with.tsx";
import { Actions } from "#web/ui/actions.tsx";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { useFocusAfterRemoval } from "#web/ui/focus.ts";
import { Sides } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { byDay, ChosenDay, ChosenWeek, sumOf } from "./chosen-days.tsx";
import styles from "./chosen-days.module.css";

/** Days that stand one below the other; more are folded by week. */
const singleDays = 5;

export function ChoiceReview({
  idgroup,
  request,
  onBack,
}: {
  idgroup: number;
  request: MealRequest;
  onBack: () => void;
}) {
  const navigate = useNavigate();
  const remove = useAction((lines: readonly MealLine[]) =>
    call(api.canteen.choose, {
      idgroup,
      meals: lines.slice(0, 70).map(({ registration, day }) => ({ registration, day })),
      chosen: false,
    }),
  );
  const drop = useAction(() => call(api.canteen.dropRequest, { idgroup }), { onDone: onBack });
  const { lines, totalCents } = request;
  const refused = lines.filter(({ problem }) => problem !== null);
  const days = [...Map.groupBy(lines, ({ day }) => day)].toSorted(byDay);
  const weeks = [...Map.groupBy(lines, ({ day }) => startOfWeek(day))].toSorted(byDay);
  const shown = {
    names: lines.map(({ name }) => name),
    isOneCanteen: new Set(lines.map(({ canteen }) => canteen)).size === 1,
    onRemove: (line: MealLine) => remove.send([line]),
  };
  // Decided once: lines do not fold under the hand that takes meals out.
  const [isByWeek] = useState(days.length > singleDays);
  const place = useFocusAfterRemoval(lines.length, "summary");
  return (
    <Stack ref={place} gap={12}>
      {refused.length > 0 && (
        <Banner
          tone="warning"
          title={`${plural(refused.length, "repas ne peut", "repas ne peuvent")} plus être ${refused.length > 1 ? "commandés" : "commandé"}.`}
          actions={
            <Button loading={remove.isPending} onClick={() => remove.send(refused)}>
              {refused.length > 1 ? "Les retirer" : "Le retirer"}
            </Button>
          }
        >
          {refused[0]?.problem}
        </Banner>
      )}
      <Sides
        main={
          <ul className={styles.days}>
            {isByWeek
              ? weeks.map(([monday, some]) => (
                  <ChosenWeek key={monday} monday={monday} lines={some} {...shown} />
                ))
              : days.map(([day, some]) => (
                  <ChosenDay key={day} day={day} lines={some} {...shown} />
                ))}
          </ul>
        }
        side={
          <Stack gap={12}>
            <ProblemBanner problem={remove.problem ?? drop.problem} />
            <PayWith
              totalCents={totalCents}
              idgroup={idgroup}
              cardnumbers={lines.map(({ cardnumber }) => cardnumber)}
              parts={[...Map.groupBy(lines, ({ cardnumber }) => cardnumber)].map(
                ([cardnumber, some]) => ({ cardnumber, totalCents: sumOf(some) }),
              )}
              begun={request.topUp}
              summary={plural(lines.length, "repas", "repas")}
              freeLabel="Commander"
              once="les repas ne sont commandés qu’une fois"
              attempt={(paying) =>
                call(api.canteen.pay, {
                  request: request.id,
                  revision: request.revision,
                  totalCents,
                  ...paying,
                })
              }
              onPaid={async ({ payment }) => {
                if (!payment?.paymentUrl) {
                  await navigate({
                    to: paths.meals,
                    search: wireSearch<"meals">({ order: request.id }),
                  });
                }
              }}
            />
            <Text tone="soft" size="small">
              {cancellation(lines)} Le prix est mis de côté, et dépensé quand le repas est servi.
            </Text>
            <Actions>
              <Button onClick={onBack}>Continuer à choisir</Button>
              <Button kind="ghost" loading={drop.isPending} onClick={() => drop.send()}>
                Vider le choix
              </Button>
            </Actions>
          </Stack>
        }
      />
    </Stack>
  );
}

/** Until when the chosen meals are cancelled at no cost: the first deadline of them. */
function cancellation(lines: readonly MealLine[]): string {
  const deadlines = lines.flatMap(({ cancelUntil }) => cancelUntil ?? []).toSorted();
  const [first] = deadlines;
  if (first === undefined) return "Annulation payante.";
  const some =
    deadlines.length < lines.length
      ? `, payante pour ${plural(lines.length - deadlines.length, "repas", "repas")}`
      : "";
  return `${freeUntil(first)}${new Set(deadlines).size > 1 ? " pour le premier repas" : ""}${some}.`;
}
