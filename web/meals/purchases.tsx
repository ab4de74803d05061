// What a provider of meals buys, against the goals that the law sets.
import type { api } from "#contract/api.ts";
import { egalimGoals } from "#contract/kitchen/egalim.ts";
import { sharesOf } from "#contract/kitchen/purchases.ts";
import type { Output } from "#contract/endpoint.ts";
import { Text } from "#web/ui/text.tsx";

export const Purchases = ({
  purchases,
}: {
  purchases: NonNullable<Output<typeof api.canteen.provider>["purchases"]>;
}) => (
  <Text tone="soft" size="small">
    Achats de {purchases.year}&#8239;: {sharesOf(purchases)}. La loi EGalim demande{" "}
    {egalimGoals.sustainable}&nbsp;% et {egalimGoals.organic}&nbsp;%.
  </Text>
);
