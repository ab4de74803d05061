// Who charged: the one choice of the lists of sales and of days.
import { api } from "#contract/api.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Select } from "#web/ui/choice.tsx";

const everybody = "all";

/** `cashier` is the number of who is chosen; those who ever charged at the counter may be. */
export function CashierFilter({
  partner,
  cashier,
  onCashier,
}: {
  partner: string;
  cashier: number | undefined;
  onCashier: (cardnumber: string | undefined) => void;
}) {
  const answer = useAnswer(api.till.cashiers, { partner });
  const known = answer.data?.items ?? [];
  return (
    <Select
      label="Encaissé par"
      value={cashier === undefined ? everybody : String(cashier)}
      options={[
        { value: everybody, label: "Tout le monde" },
        ...known.map(({ cardnumber, name }) => ({ value: String(cardnumber), label: name })),
        // Of an address that was kept: somebody whose card is another by now.
        ...(cashier !== undefined && !known.some(({ cardnumber }) => cardnumber === cashier)
          ? [{ value: String(cashier), label: `Carte …${String(cashier).slice(-4)}` }]
          : []),
      ]}
      onValue={(value) => onCashier(value === everybody ? undefined : value)}
    />
  );
}
