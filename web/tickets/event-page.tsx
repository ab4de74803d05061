// An event: for whom, which session, how many seats at which price. A seat is held as soon as it is
// taken; when the session is sold out, one joins its waiting list.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatDateTime, plural } from "#contract/french.ts";
import { eventKindNames } from "#contract/ticket-states.ts";
import type { Offer } from "#contract/tickets.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useSearchParameters } from "#web/app/search.ts";
import { useUser } from "#web/app/use-observed.ts";
import { Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Chips, RadioGroup } from "#web/ui/choice.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { ticketPath, useCart, useHolders } from "./cards.ts";
import { EventPicture } from "./event-picture.tsx";
import { Prices } from "./prices.tsx";
import { CartBar } from "./cart-bar.tsx";
import { WaitForm } from "./wait-form.tsx";
import { whenOf } from "./words.ts";

const back = { href: ticketPath(), label: "E-billets" };

export function EventPage({ id }: { id: string }) {
  const user = useUser();
  const [search, change] = useSearchParameters();
  const holders = useHolders();
  const asked = Number(search["pour"]);
  const cardnumber =
    holders?.find((one) => one.cardnumber === asked)?.cardnumber ?? user.cardnumber;
  const answer = useAnswer(api.tickets.offer, { offer: id, cardnumber });
  const cart = useCart();
  const offer = cart.isPending ? undefined : answer.data?.offer;
  if (answer.isError && !offer) {
    const unknown = answer.error.code === "not_found" || answer.error.code === "invalid_input";
    return (
      <Page>
        <PageHeader title="Événement" back={back} />
        <Section>
          {unknown ? (
            <EmptyState
              icon="search"
              title="Nous ne trouvons pas cet événement"
              action={<ButtonLink href={back.href}>Voir ce qui est à l’affiche</ButtonLink>}
            />
          ) : (
            <ErrorState
              message={answer.error.message}
              retrying={answer.isFetching}
              onRetry={() => void answer.refetch()}
            />
          )}
        </Section>
      </Page>
    );
  }
  return (
    <Page>
      <PageHeader
        title={offer?.title ?? "Événement"}
        lead={offer?.summary ?? "\u00a0"}
        back={back}
      />
      {offer ? (
        <div className="event-sheet">
          <About offer={offer} />
          <Section title="Choisir des places">
            {holders && holders.length > 1 && (
              <Chips
                label="Pour qui ?"
                options={holders.map((one) => ({
                  value: String(one.cardnumber),
                  label: one.relation === "self" ? "Moi" : (one.name.split(" ")[0] ?? one.name),
                }))}
                value={[String(cardnumber)]}
                onValue={(value) => change({ pour: value })}
              />
            )}
            <Choose offer={offer} cardnumber={cardnumber} stale={answer.isPlaceholderData} />
          </Section>
          <CartBar />
        </div>
      ) : (
        <Section>
          <Loading label="Chargement de l’événement…">
            <Skeleton height="9rem" />
            <Skeleton lines={4} height="3.5rem" />
          </Loading>
        </Section>
      )}
    </Page>
  );
}

function About({ offer }: { offer: Offer }) {
  return (
    <Section>
      <EventPicture kind={offer.kind} />
      <p className="event-kind">{eventKindNames[offer.kind]}</p>
      <p className="event-fact">
        <Icon name="pin" size={20} /> {offer.venue}, {offer.address}
      </p>
      <p className="event-fact">
        <Icon name="person" size={20} /> {offer.organiser}
      </p>
      <p className="event-fact">
        <Icon name="refresh" size={20} /> <span>{offer.policy.text}</span>
      </p>
      <p className="event-fact">
        <Icon name="ticket" size={20} /> {plural(offer.mostEach, "billet")} au plus par personne
      </p>
    </Section>
  );
}

function Choose({
  offer,
  cardnumber,
  stale,
}: {
  offer: Offer;
  cardnumber: number;
  stale: boolean;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const cart = useCart();
  const { sessions, state } = offer;
  if (state !== "open" && state !== "sold_out") return <NotOnSale offer={offer} />;
  const only = sessions.length === 1 ? sessions[0] : undefined;
  const session = sessions.find(({ id }) => id === chosen) ?? only;
  const inCart = cart.data?.cart?.state === "cart" ? cart.data.cart.lines : [];
  return (
    <div className="choose" aria-busy={stale}>
      {only ? (
        <p className="choose-when">
          {whenOf(only.startsAt)}
          <span className="choose-left">{leftOf(only.remaining)}</span>
        </p>
      ) : (
        <RadioGroup
          label="Séance"
          boxed
          options={sessions.map((one) => ({
            value: one.id,
            label: whenOf(one.startsAt),
            hint: leftOf(one.remaining),
          }))}
          value={session?.id ?? null}
          onValue={setChosen}
        />
      )}
      {session && (
        <>
          <Prices
            offer={offer}
            session={session}
            cardnumber={cardnumber}
            lines={inCart.filter((line) => line.session === session.id)}
          />
          {session.remaining === 0 && (
            <WaitForm offer={offer} session={session} cardnumber={cardnumber} />
          )}
        </>
      )}
      {inCart.some((line) => line.offer === offer.id) && (
        <ButtonLink kind="primary" wide href={ticketPath({ panier: "" })}>
          Continuer vers le paiement
        </ButtonLink>
      )}
    </div>
  );
}

const leftOf = (remaining: number): string =>
  remaining === 0 ? "Complet" : plural(remaining, "place libre", "places libres");

function NotOnSale({ offer }: { offer: Offer }) {
  if (offer.state === "soon") {
    return <Banner>La vente ouvre le {formatDateTime(offer.saleFrom)}.</Banner>;
  }
  return (
    <Banner tone="warning">
      {offer.state === "cancelled"
        ? "Cet événement est annulé. Les billets vendus ont été remboursés."
        : "La vente de cet événement est terminée."}
    </Banner>
  );
}
