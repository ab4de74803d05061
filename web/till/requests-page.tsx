// « Achats à confirmer » : what a counter asks of one's card, or of a child's, answered within five minutes.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { firstName, formatMoney, ofName } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { TillRequest } from "#contract/till/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { placed } from "#web/app/shared/place.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { Countdown } from "#web/ui/person.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { discountWordsOf, pointWordsOf } from "./till-words.ts";

/** Whoever stands at a counter waits: asked again by itself, also where no live event comes. */
const followMs = 5000;

export function TillRequestsPage() {
  const answer = useAnswer(api.till.requests, {}, { pollMs: followMs });
  const [done, setDone] = useState<TillRequest | null>(null);
  const items = answer.data?.items ?? [];
  return (
    <Page narrow>
      <PageHeader title="Achats à confirmer" back={{ href: paths.dashboard, label: "Ma carte" }} />
      {done && <Done request={done} />}
      {!answer.data && (
        <NotLoaded
          answer={answer}
          label="Chargement des demandes…"
          lines={3}
          height="5rem"
          failed="Les demandes n’ont pas pu être chargées."
        />
      )}
      <Stack>
        {items.map((request) => (
          <Request
            key={request.id}
            request={request}
            onSettled={setDone}
            onEnd={() => void answer.refetch()}
          />
        ))}
      </Stack>
      {answer.data && items.length === 0 && !done && (
        <EmptyState
          icon="wallet"
          title="Aucun achat à confirmer"
          action={<ButtonLink href={paths.dashboard}>Revenir à ma carte</ButtonLink>}
        >
          Quand un commerçant saisit votre numéro de carte, sa demande s’affiche ici. Pour payer
          sans attendre, montrez plutôt votre QR code.
        </EmptyState>
      )}
    </Page>
  );
}

function Done({ request: { id, state, partner, paidCents } }: { request: TillRequest }) {
  return state === "paid" ? (
    <Banner tone="success" alert title={`${formatMoney(paidCents)} payés`}>
      {partner} le voit à sa caisse.{" "}
      <Link href={linkTo(paths.tillPurchase, { sale: id })}>Voir le reçu</Link>
    </Banner>
  ) : (
    <Banner tone="info" alert title="Achat refusé">
      Rien n’a été payé à {partner}.
    </Banner>
  );
}

function Request({
  request,
  onSettled,
  onEnd,
}: {
  request: TillRequest;
  onSettled: (request: TillRequest) => void;
  onEnd: () => void;
}) {
  const { id, partner, place, paidCents, label, own, holder, until } = request;
  const answering = useAction(
    (accept: boolean, proof) => call(api.till.answer, { sale: id, accept, ...proof }),
    { onDone: onSettled },
  );
  const refused = answering.problem;
  return (
    <div {...placed("tillSale", id, `Achat chez ${partner}`)}>
      <Section title={partner}>
        <Stack gap={12}>
          <p>
            <Money cents={paidCents} size="large" />
          </p>
          <Text tone="soft">
            {[
              place,
              label,
              discountWordsOf(request),
              pointWordsOf(request),
              !own && `carte ${ofName(firstName(holder))}`,
            ]
              .filter(Boolean)
              .join(" · ")}
          </Text>
          <p>
            Encore <Countdown until={until} onEnd={onEnd} /> pour confirmer. Si vous n’êtes pas à la
            caisse, refusez.
          </p>
          <ProblemBanner problem={refused} />
          <Row>
            <Button
              kind="primary"
              icon="check"
              loading={answering.isPending && answering.variables}
              onClick={() => answering.send(true)}
            >
              Payer {formatMoney(paidCents)}
            </Button>
            <Button
              disabled={answering.isPending && answering.variables}
              onClick={() => answering.send(false)}
            >
              Refuser
            </Button>
          </Row>
        </Stack>
      </Section>
    </div>
  );
}
