// The refund of a sale: what went back of it, and the sum that can still be refunded.
import { api } from "#contract/api.ts";
import { formatDateTime, formatMoney } from "#contract/french.ts";
import { referenceOf } from "#contract/reference.ts";
import { tillProblems } from "#contract/till/problems.ts";
import type { TillSale } from "#contract/till/rows.ts";
import { correctionName, type TillReturns } from "#contract/till/sales.ts";
import { tillSaleCan } from "#contract/till/states.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { type Action, useAction } from "#web/app/transport/use-action.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { DefinitionList } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { payerOf, refundPointWordsOf } from "./till-words.ts";
import { keepSale } from "./use-till.ts";

/** Read each time that it is opened: a colleague may have given back meanwhile. */
export function Refund({ sale: { id }, onDone }: { sale: TillSale; onDone: () => void }) {
  const answer = useAnswer(api.till.returns, { sale: id }, { atOnce: true });
  const sending = useAction(
    ({ amountCents }: Typed) =>
      call(api.till.refund, {
        sale: id,
        amountCents: amountCents ?? 0,
        // What the person saw when they decided.
        refundedCents: answer.data?.sale.refundedCents ?? 0,
      }),
    {
      onDone: (done) => {
        onDone();
        keepSale(done);
      },
      // Whatever refused it, less may be left than was shown.
      onRefused: () => noteChanges(["till"]),
    },
  );
  if (!answer.data) {
    return (
      <NotLoaded
        answer={answer}
        label="Chargement des remboursements…"
        lines={3}
        height="2.5rem"
        failed="Les remboursements n’ont pas pu être chargés."
      />
    );
  }
  const { sale } = answer.data;
  const leftCents = sale.paidCents - sale.refundedCents;
  return (
    <Stack>
      <p>
        {payerOf(sale)}, achat {referenceOf(sale.id)} de <Money cents={sale.paidCents} />.
      </p>
      <DefinitionList
        items={[...stepsOf(answer.data), { label: "Reste", value: <Money cents={leftCents} /> }]}
      />
      {tillSaleCan.refund(sale) && (
        <RefundForm key={sale.refundedCents} {...{ sale, leftCents, sending, onDone }} />
      )}
    </Stack>
  );
}

/** What was paid, then each sum that went back, in their order. */
function stepsOf({ sale, items, correctedCents }: TillReturns) {
  return [
    { label: "Encaissé", value: <Money cents={sale.paidCents} /> },
    ...items.map(({ amountCents, at, by }) => ({
      label: `Rendu le ${formatDateTime(at)} par ${by}`,
      value: <Money cents={-amountCents} />,
    })),
    ...(correctedCents === 0
      ? []
      : [
          {
            label: correctionName(correctedCents),
            value: <Money cents={-correctedCents} />,
          },
        ]),
  ];
}

interface Typed {
  amountCents: number | null;
}

function RefundForm({
  sale,
  leftCents,
  sending,
  onDone,
}: {
  sale: TillSale;
  leftCents: number;
  sending: Action<Typed>;
  onDone: () => void;
}) {
  const tooMuch = tillProblems.till_too_much.message.replace("{left}", formatMoney(leftCents));
  const rules = ({ amountCents: cents }: Typed): Faults<Typed> => ({
    amountCents:
      cents === null || cents < 1 ? "Indiquez le montant à rendre." : cents > leftCents && tooMuch,
  });
  const { values, set, errorOf, problem, form } = useForm<Typed>(
    { amountCents: leftCents },
    rules,
    sending,
    { problemFields: { till_too_much: "amountCents" } },
  );
  return (
    <form {...form}>
      <p>L’argent revient aux cagnottes qui ont payé. {refundPointWordsOf(sale)}</p>
      <AmountInput
        label="Montant à rendre"
        cents={values.amountCents}
        onCents={(amountCents) => set({ amountCents })}
        error={errorOf("amountCents")}
      />
      <ProblemBanner problem={problem} />
      <FormActions submit="Rembourser" isSending={sending.isPending} onCancel={onDone} />
    </form>
  );
}
