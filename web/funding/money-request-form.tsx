// The form of a child's request for money: how much, a few words if one wishes.
import { api } from "#contract/api.ts";
import { formatMoney, listInWords } from "#contract/french.ts";
import { moneyRequest as limits } from "#contract/funding/limits.ts";
import { requestWordsMax } from "#contract/funding/money-requests.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { TextArea } from "#web/ui/input.tsx";
import { Text } from "#web/ui/text.tsx";

interface Typed {
  cents: number | null;
  words: string;
}

const { minCents: min, maxCents: max } = limits;

export function MoneyRequestForm({
  cardnumber,
  guardians,
  roomCents,
  capCents,
}: {
  cardnumber: number;
  guardians: readonly string[];
  /** What the wallet may still receive, null while it is not known; and what it holds at most. */
  roomCents: number | null;
  capCents: number;
}) {
  const ask = useAction(
    ({ cents, words }: Typed) =>
      call(api.moneyRequests.ask, {
        amountCents: cents ?? 0,
        ...(words.trim() !== "" && { words }),
      }),
    { says: "Demande envoyée." },
  );
  const { values, set, field, errorOf, problem, form } = useForm<Typed>(
    { cents: null, words: "" },
    ({ cents }) => ({ cents: amountFault(cents) }),
    ask,
    {
      draft: { name: `money request ${cardnumber}`, fields: ["cents", "words"] },
      problemFields: {
        money_request_words: "words",
        money_request_amount: "cents",
        wallet_cap: "cents",
      },
    },
  );
  const { cents } = values;
  function amountFault(typed: number | null) {
    if (typed === null || typed < min || typed > max) {
      return `Indiquez de ${formatMoney(min)} à ${formatMoney(max)}.`;
    }
    if (roomCents === null || typed <= roomCents) return false;
    return `Votre cagnotte ne dépasse pas ${formatMoney(capCents)}\u202f: demandez au plus ${formatMoney(roomCents)}.`;
  }
  return (
    <form {...form}>
      <AmountInput
        label="Montant"
        cents={cents}
        presetsCents={limits.presetsCents}
        error={errorOf("cents")}
        onCents={(typed) => set({ cents: typed })}
      />
      <TextArea
        label="Quelques mots"
        hint="Par exemple à quoi servira l’argent."
        optional
        rows={2}
        maxLength={requestWordsMax}
        {...field("words")}
      />
      <Text tone="soft">
        Votre demande part à {listInWords(guardians)}. L’argent arrive dans votre cagnotte
        principale.
      </Text>
      <ProblemBanner problem={problem} title="La demande n’est pas partie." />
      <FormActions
        submit={cents === null ? "Demander" : `Demander ${formatMoney(cents)}`}
        isSending={ask.isPending}
        wide
        icon="send"
      />
    </form>
  );
}
