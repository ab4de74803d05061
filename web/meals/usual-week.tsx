// The week that a family usually orders, chosen in one press.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatMoney, plural } from "#contract/french.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";

/** Chooses it, and leads to its review. */
export function Usual({
  idgroup,
  monday,
  usual,
  onChosen,
}: {
  idgroup: number;
  monday: string;
  usual: NonNullable<Output<typeof api.canteen.week>["usual"]>;
  onChosen: () => void;
}) {
  const choose = useMutation<unknown, ApiProblem>({
    mutationFn: () => call(api.canteen.chooseUsual, { idgroup, day: monday }),
    // Once the week has what is chosen: the review shows it.
    onSettled: (_answer, problem) => {
      if (!problem) onChosen();
    },
  });
  return (
    <>
      <Button kind="primary" loading={choose.isPending} onClick={() => choose.mutate()}>
        Comme d’habitude&#8239;: {plural(usual.count, "repas", "repas")},{" "}
        {formatMoney(usual.totalCents)}
      </Button>
      <ProblemBanner problem={choose.error} />
    </>
  );
}
