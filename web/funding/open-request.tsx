// A child's open request for money on the page of the child, where a guardian's notice leads, and what was sent from
// there.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { firstName, formatMoney, formatSent, untilDay } from "#contract/french.ts";
import type { MoneyRequest } from "#contract/funding/money-requests.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { placed } from "#web/app/shared/place.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import { Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { AnswerRequest, type SentAnswer, useOwnWallets } from "./answer-request.tsx";

/** `waits` until it is known what the answer is drawn from, so that nothing moves for it. */
export function useOpenRequest(cardnumber: number): {
  waits: boolean;
  request: MoneyRequest | null;
} {
  const requests = useAnswer(api.moneyRequests.list, { cardnumber });
  const wallets = useOwnWallets();
  const request = requests.data?.items.find(({ state }) => state === "open") ?? null;
  return { waits: isFirstRead(requests) || (request !== null && isFirstRead(wallets)), request };
}

/** The request while it is open, then what was sent; nothing where there is neither. `name` is the child's. */
export function ChildRequest({ request, name }: { request: MoneyRequest | null; name: string }) {
  const [sent, setSent] = useState<SentAnswer | null>(null);
  return (
    <>
      {request && <OpenRequest request={request} name={name} onSent={setSent} />}
      {sent && (
        <Banner
          tone="success"
          title={`${formatSent(sent.amountCents)} à ${firstName(name)}`}
          actions={
            <ButtonLink size="small" href={linkTo(paths.transfer, {}, { transfer: sent.transfer })}>
              Reçu<span className="unseen"> de l’envoi à {firstName(name)}</span>
            </ButtonLink>
          }
        >
          Votre cagnotte contient {formatMoney(sent.balanceCents)}.
        </Banner>
      )}
    </>
  );
}

function OpenRequest({
  request,
  name,
  onSent,
}: {
  request: MoneyRequest;
  name: string;
  onSent: (sent: SentAnswer) => void;
}) {
  const { id, amountCents, words, expiresAt } = request;
  const title = `${firstName(name)} demande ${formatMoney(amountCents)}`;
  return (
    <Section title={title}>
      <div {...placed("moneyRequest", id, title)}>
        <Stack gap={8}>
          {words !== null && <Text breakWord>{`«\u00a0${words}\u00a0»`}</Text>}
          <Text tone="soft" size="fine">
            Vous pouvez répondre {untilDay(expiresAt)}.
          </Text>
          <AnswerRequest request={{ id, amountCents, name }} onSent={onSent} />
        </Stack>
      </div>
    </Section>
  );
}
