// The actions of the follow-up on the meals that are selected, and the list as a file.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { MealsActionResult, FollowedMeal } from "#contract/meal-service/follow-up.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { isServedTooLate } from "#contract/kitchen/service-day.ts";
import { mealOrderCan } from "#contract/meals/states.ts";
import { todayInParis } from "#contract/days.ts";
import { plural } from "#contract/french.ts";
import { canteen as limits } from "#contract/limits.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { save } from "#web/app/shared/save.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { ButtonGroup } from "#web/ui/button-group.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { notify } from "#web/ui/toast.tsx";
import type { MealFilters } from "./follow-up-filters.tsx";
import { RefusalForm } from "#web/meals/refusal-form.tsx";
import styles from "./follow-up.module.css";

const acts = {
  validate: api.canteen.validateMeals,
  serve: api.canteen.serveMeals,
  unserve: api.canteen.unserveMeals,
} as const;
interface BulkAction {
  what: keyof typeof acts;
  orders: string[];
}

const isServable = (meal: FollowedMeal) => {
  const today = todayInParis();
  return mealOrderCan.serve(meal) && meal.day <= today && !isServedTooLate(meal.day, today);
};
const offeredMs = 15_000;
const idsOf = (meals: readonly FollowedMeal[]) => meals.map(({ id }) => id);

export function FollowUpActs({
  canteen,
  filters,
  selected,
  onDone,
  onBegin,
}: {
  canteen: OwnCanteen;
  filters: MealFilters;
  selected: readonly FollowedMeal[];
  /** With the meals that the action stopped at; none when another one begins. */
  onDone: (stopped: MealsActionResult["stopped"]) => void;
  onBegin: () => void;
}) {
  const [refusing, setRefusing] = useState(false);
  const act = useMutation<MealsActionResult, ApiProblem, BulkAction>({
    mutationFn: ({ what, orders }) => call(acts[what], { canteen: canteen.id, orders }),
    onMutate: onBegin,
    onSuccess: (acted, { what, orders }) => {
      onDone(acted.stopped);
      const left = new Set(acted.stopped.map(({ order }) => order));
      const done = orders.filter((order) => !left.has(order));
      if (done.length === 0) return;
      notify({
        text: acted.message,
        kind: "success",
        ...(what === "serve" && {
          timeoutMs: offeredMs,
          action: {
            label: "Annuler",
            onPress: () => act.mutate({ what: "unserve", orders: done }),
          },
        }),
      });
    },
  });
  const file = useAction(async (kind: "csv" | "pdf") => {
    const query = { canteen: canteen.id, ...filters };
    save(
      kind === "csv"
        ? await call(api.canteen.followUpCsv, query)
        : await call(api.canteen.followUpPdf, query),
    );
  });
  const some = selected.length > 0 && selected.length <= limits.mealsAtOnce;
  // What is not permitted on one of them is said by its name, and done to the others.
  const can = (may: (meal: FollowedMeal) => boolean) => some && selected.some(may);
  const doing = (what: BulkAction["what"]) => () => act.mutate({ what, orders: idsOf(selected) });
  const isDoing = (what: BulkAction["what"]) => act.isPending && act.variables.what === what;
  return (
    <div className={styles.acts}>
      <ButtonGroup label="Repas sélectionnés">
        <Button
          size="small"
          disabled={!can(mealOrderCan.validate)}
          loading={isDoing("validate")}
          onClick={doing("validate")}
        >
          Valider
        </Button>
        <Button
          size="small"
          icon="check"
          disabled={!can(isServable)}
          loading={isDoing("serve")}
          onClick={doing("serve")}
        >
          Servir
        </Button>
        <Menu
          label="Autres actions"
          icon="down"
          items={[
            {
              label: "Refuser…",
              icon: "forbidden",
              danger: true,
              disabled: !can(mealOrderCan.refuse),
              onSelect: () => setRefusing(true),
            },
            {
              label: "Annuler le service",
              icon: "back",
              disabled: !can(({ undoUntil }) => undoUntil !== null),
              onSelect: doing("unserve"),
            },
            {
              label: "Exporter en CSV",
              icon: "download",
              onSelect: () => file.send("csv"),
            },
            {
              label: "Exporter en PDF",
              icon: "document",
              onSelect: () => file.send("pdf"),
            },
          ]}
        />
      </ButtonGroup>
      <ProblemBanner problem={act.error ?? file.problem} />
      <Dialog
        open={refusing}
        onClose={() => setRefusing(false)}
        title={`Refuser ${plural(selected.length, "repas", "repas")}`}
      >
        <RefusalForm
          label="Motif"
          hint="Les familles le liront. Rien ne leur est pris."
          submit="Refuser les repas"
          refuse={async (reason) => {
            const refused = { canteen: canteen.id, orders: idsOf(selected), reason };
            const acted = await call(api.canteen.refuseMeals, refused);
            onDone(acted.stopped);
            return acted;
          }}
          onClose={() => setRefusing(false)}
        />
      </Dialog>
    </div>
  );
}
