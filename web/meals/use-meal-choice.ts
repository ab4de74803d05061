// Choosing the meals of a week: what is pressed shows at once, and is saved in the order of the presses.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import type { MealChoice } from "./week-slots.ts";

/** A choice that the server refused until its meals at the same time as another are settled, with its sentence. */
export interface SameTimeQuestion {
  choice: MealChoice;
  words: string;
}

/** The choices at a provider that are not saved yet, the last problem, and how to make another. */
export function useMealChoice(idgroup: number) {
  const [pending, setPending] = useState<readonly MealChoice[]>([]);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [sameTime, setSameTime] = useState<SameTimeQuestion | null>(null);
  const save = useMutation<unknown, ApiProblem, MealChoice>({
    // One after the other, as they were pressed.
    scope: { id: `meals ${idgroup}` },
    mutationFn: ({ meals, chosen, confirmed, sameTime: settled }) =>
      call(
        api.canteen.choose,
        {
          idgroup,
          meals: [...meals],
          chosen,
          allergensConfirmed: confirmed,
          sameTimeConfirmed: settled === "confirmed",
          sameTimeLeftOut: settled === "left out",
        },
        { draft: true },
      ),
    onError: (error, choice) => {
      // Without an answer too: the week tells what the server keeps.
      noteChanges(["meals"]);
      if (error.code === "meal_same_time" || error.code === "meals_same_time")
        setSameTime({ choice, words: error.message });
      else setProblem(error);
    },
    // Once the week shows what is kept.
    onSettled: (_answer, _problem, choice) =>
      setPending((now) => now.filter((one) => one !== choice)),
  });
  const choose = (choice: MealChoice) => {
    if (choice.meals.length === 0) return;
    if (pending.length === 0) setProblem(null);
    setPending((now) => [...now, choice]);
    save.mutate(choice);
  };
  return { pending, problem, sameTime, choose, forgetSameTime: () => setSameTime(null) };
}
