// A stop among one's favourites, or no more.
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { answerOptions, queryClient } from "#web/app/transport/answers.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { Button } from "#web/ui/button.tsx";
import { notify } from "#web/ui/toast.tsx";

type Change = UseMutationResult<{ message: string }, ApiProblem, boolean>;

/** Makes a stop a favourite (`mutate(true)`) or takes it away. */
export const useFavourite = (stop: number): Change =>
  useMutation({
    mutationFn: (chosen) => call(api.transit.chooseFavourite, { stop, chosen }),
    onSuccess: ({ message }) => notify({ text: message, kind: "success" }),
    // Read before one goes back to them, so that the lines do not move below them.
    onSettled: () => queryClient.prefetchQuery(answerOptions(api.transit.favourites, {})),
  });

export const FavouriteButton = ({
  isFavourite,
  change,
}: {
  isFavourite: boolean;
  change: Change;
}) => (
  <Button
    icon={isFavourite ? "minus" : "plus"}
    loading={change.isPending}
    onClick={() => change.mutate(!isFavourite)}
  >
    {isFavourite ? "Retirer des favoris" : "Ajouter aux favoris"}
  </Button>
);
