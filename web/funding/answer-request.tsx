// A guardian's answer to a child's request for money, in one press where the wallet has enough: what will happen is
// said before, and a wallet that is short leads to the recharge of what is missing.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { firstName, formatMoney, formatSent } from "#contract/french.ts";
import { moneyRequest as limits } from "#contract/funding/limits.ts";
import { requestWordsMax, settledRequestProblems } from "#contract/funding/money-requests.ts";
import { money } from "#contract/limits.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { topUpPath } from "#contract/wallet/top-up-path.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { ownCardnumber } from "#web/app/transport/session.ts";
import { type Action, useAction } from "#web/app/transport/use-action.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Actions } from "#web/ui/actions.tsx";
import { AmountInput } from "#web/ui/amount.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { TextArea } from "#web/ui/input.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { notify } from "#web/ui/toast.tsx";
import { useTopUpOpen } from "#web/wallet/top-up-link.tsx";

/** The request as the guardian sees it; `name` is the child's. */
export interface ReceivedRequest {
  id: string;
  amountCents: number;
  name: string;
}

export type SentAnswer = Output<typeof api.moneyRequests.send>;

/** `onSent` has what was sent, once the request is settled. */
export function AnswerRequest({
  request,
  onSent,
}: {
  request: ReceivedRequest;
  onSent: (sent: SentAnswer) => void;
}) {
  const { id, amountCents, name } = request;
  const [asking, setAsking] = useState<"amount" | "refusal" | null>(null);
  const wallet = mainOf(useOwnWallets());
  const takesMoney = useTopUpOpen();
  const send = useAction(
    (cents: number, proof) => call(api.moneyRequests.send, { id, amountCents: cents, ...proof }),
    {
      says: (sent) => `${formatSent(sent.amountCents)} à ${firstName(name)}.`,
      onDone: onSent,
      onRefused: sayWhereSettled,
    },
  );
  const isFrozen = wallet?.frozen ?? false;
  const missingCents = wallet ? amountCents - wallet.sendableCents : 0;
  const close = () => {
    send.reset();
    setAsking(null);
  };
  return (
    <Stack gap={8}>
      <Text tone="soft" size="fine">
        {wallet === null
          ? "Depuis votre cagnotte principale."
          : isFrozen
            ? "Votre cagnotte principale est bloquée le temps d’un litige\u202f: elle n’envoie rien."
            : missingCents > 0
              ? `Il manque ${formatMoney(missingCents)} dans votre cagnotte principale.`
              : `Depuis votre cagnotte principale\u202f: il vous restera ${formatMoney(wallet.projectedCents - amountCents)}.`}
      </Text>
      {asking === null && <ProblemBanner problem={stated(send.problem)} title={notSent} />}
      <Actions gap={8}>
        {isFrozen ? null : wallet && missingCents > 0 ? (
          takesMoney && <MissingTopUp wallet={wallet} cents={missingCents} />
        ) : (
          <Button
            size="small"
            icon="send"
            loading={send.isPending}
            onClick={() => send.send(amountCents)}
          >
            Envoyer {formatMoney(amountCents)}
            <span className="unseen"> à {firstName(name)}</span>
          </Button>
        )}
        {!isFrozen && (
          <Button
            kind="ghost"
            size="small"
            aria-haspopup="dialog"
            disabled={send.isPending}
            onClick={() => {
              send.reset();
              setAsking("amount");
            }}
          >
            Autre montant<span className="unseen"> pour {firstName(name)}</span>
          </Button>
        )}
        <Button
          kind="ghost"
          size="small"
          aria-haspopup="dialog"
          disabled={send.isPending}
          onClick={() => setAsking("refusal")}
        >
          Refuser<span className="unseen"> la demande de {firstName(name)}</span>
        </Button>
      </Actions>
      <Dialog open={asking === "amount"} onClose={close} title={`Envoyer à ${firstName(name)}`}>
        <AmountForm request={request} wallet={wallet} send={send} onClose={close} />
      </Dialog>
      <Dialog
        open={asking === "refusal"}
        onClose={close}
        title={`Refuser la demande de ${formatMoney(amountCents)}`}
      >
        <RefusalForm request={request} onClose={close} />
      </Dialog>
    </Stack>
  );
}

/** The person's own wallets, also while they act for a child: what an answer is drawn from. */
export function useOwnWallets() {
  const user = useUser();
  return useAnswer(api.wallet.list, { cardnumber: ownCardnumber(user) });
}

/** Null until it is read. */
const mainOf = ({ data }: ReturnType<typeof useOwnWallets>): Wallet | null =>
  data?.items.find(({ main }) => main) ?? null;

function MissingTopUp({ wallet, cents }: { wallet: Wallet; cents: number }) {
  const amount = Math.max(cents, wallet.topUpMinCents);
  return (
    <ButtonLink size="small" icon="plus" href={topUpPath(wallet, { amount })}>
      Recharger {formatMoney(amount)}
    </ButtonLink>
  );
}

const notSent = "Rien n’a été envoyé.";

const settled: ReadonlySet<string> = new Set(settledRequestProblems);

/** A request that is settled meanwhile goes from the screen, with whatever stands beside it. */
function sayWhereSettled({ code, message }: ApiProblem): void {
  if (settled.has(code)) notify({ text: message, kind: "error" });
}

/** A refusal that is said beside the request, which stays. */
const stated = <Refusal extends { code: string }>(problem: Refusal | null): Refusal | null =>
  problem && !settled.has(problem.code) ? problem : null;

function AmountForm({
  request: { amountCents, name },
  wallet,
  send,
  onClose,
}: {
  request: ReceivedRequest;
  wallet: Wallet | null;
  send: Action<number>;
  onClose: () => void;
}) {
  const { values, set, errorOf, form } = useForm<{ cents: number | null }>(
    { cents: null },
    ({ cents }) => ({
      cents:
        cents === null || cents < money.transferMinCents
          ? "Indiquez le montant à envoyer, par exemple 20."
          : wallet &&
            cents > wallet.sendableCents &&
            `Le solde ne suffit pas\u202f: vous pouvez envoyer au plus ${formatMoney(wallet.sendableCents)}.`,
    }),
    { ...send, mutateAsync: async ({ cents }) => await send.mutateAsync(cents ?? 0) },
  );
  const { cents } = values;
  return (
    <form {...form}>
      <Text tone="soft">
        {firstName(name)} demande {formatMoney(amountCents)}. Ce que vous envoyez répond à sa
        demande.
      </Text>
      <AmountInput
        label="Montant"
        cents={cents}
        presetsCents={limits.presetsCents}
        error={errorOf("cents")}
        onCents={(typed) => set({ cents: typed })}
      />
      <ProblemBanner problem={stated(send.problem)} title={notSent} />
      <FormActions
        submit={cents === null ? "Envoyer" : `Envoyer ${formatMoney(cents)}`}
        isSending={send.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

function RefusalForm({
  request: { id, name },
  onClose,
}: {
  request: ReceivedRequest;
  onClose: () => void;
}) {
  const refuse = useAction(
    ({ words }: { words: string }) =>
      call(api.moneyRequests.refuse, { id, ...(words.trim() !== "" && { words }) }),
    { says: ({ message }) => message, onDone: onClose, onRefused: sayWhereSettled },
  );
  const { field, form, problem } = useForm({ words: "" }, () => ({}), refuse, {
    problemFields: { money_request_words: "words" },
  });
  return (
    <form {...form}>
      <TextArea
        label={`Un mot pour ${firstName(name)}`}
        hint="Par exemple pourquoi, ou ce que vous proposez."
        optional
        rows={2}
        maxLength={requestWordsMax}
        {...field("words")}
      />
      <ProblemBanner problem={stated(problem)} title="La réponse n’est pas partie." />
      <FormActions submit="Refuser la demande" isSending={refuse.isPending} onCancel={onClose} />
    </form>
  );
}
