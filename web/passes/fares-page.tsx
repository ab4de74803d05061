// The fares of a line group, for the card that will ride: each price with its reason (spec §2
// Product_Abonnement), and the passes that this card has already.
import { useQueries } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { firstName, formatMoney } from "#contract/french.ts";
import { type OwnCards, useOwnCards } from "#web/app/shared/own-cards.ts";
import type { Card } from "#contract/cards/rows.ts";
import type { FareOffer } from "#contract/passes/fares.ts";
import { paths } from "#contract/paths.ts";
import { answerOptions, useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { PassList } from "./pass-list.tsx";
import styles from "./passes.module.css";
import { ProofLink } from "./proof-link.tsx";
import { buyPath, canPresent, orderPath } from "./pass-labels.ts";

// A pass with its code and acts comes with the first opening.
const Employers = lazy(async () => ({ default: (await import("./employers.tsx")).Employers }));
const PassDialog = lazy(async () => ({ default: (await import("./pass-dialog.tsx")).PassDialog }));

export function FaresPage() {
  const { group = "" } = useParams({ strict: false });
  const riders = useOwnCards({ without: ["replaced"] });
  const [search, change] = useSearchParameters<"fares">();
  const passId = search.pass ?? null;
  const [wantsPass, setWantsPass] = useState(passId !== null);
  if (passId !== null && !wantsPass) setWantsPass(true);
  const cards = riders.cards ?? [];
  const rider = cards.find((card) => String(card.cardnumber) === search.card) ?? cards[0];
  const offers = useAnswer(
    api.passes.offers,
    { group, cardnumber: rider?.cardnumber ?? 0 },
    { enabled: rider !== undefined },
  );
  const names = cards.map(({ name }) => name);
  const passes = useQueries({
    queries: cards.map(({ cardnumber }) => answerOptions(api.passes.list, { cardnumber })),
  });
  const orders = useAnswer(api.passes.orders, {});
  const employers = useAnswer(api.commuting.mine, {});
  // Shown at once when all is there, so that nothing is pushed down; another card then changes parts.
  const [isReady, setIsReady] = useState(false);
  const pending = rider
    ? offers.isPending ||
      passes.some(({ isPending }) => isPending) ||
      orders.isPending ||
      employers.isPending
    : riders.cards === null && !riders.problem;
  if (!pending && !isReady) setIsReady(true);
  const presented = passes
    .flatMap(({ data }) => data?.items ?? [])
    .filter(canPresent)
    .toSorted((a, b) => a.validFrom.localeCompare(b.validFrom));
  const place = isReady ? offers.data?.group : undefined;
  return (
    <Page>
      <PageHeader
        title={place?.name ?? "Titres de transport"}
        lead={place?.lead ?? "\u00a0"}
        back={{ href: paths.lines, label: "Lignes" }}
      />
      {!isReady && <Opening />}
      {isReady && cards.length > 1 && rider && (
        <Chips
          label="Pour la carte de"
          options={cards.map(({ cardnumber, name, relation }) => ({
            value: String(cardnumber),
            label: relation === "self" ? "Ma carte" : firstName(name, names),
          }))}
          value={[String(rider.cardnumber)]}
          onValue={(chosen) => change({ card: chosen })}
        />
      )}
      {isReady && <EmployersPart />}
      {isReady && <OpenOrders idgroup={place?.idgroup} />}
      {isReady && rider && (
        <Section title={cards.length > 1 ? "Titres de la famille" : "Mes titres de transport"}>
          <PassList cards={cards.map(({ cardnumber }) => cardnumber)} offer={false} />
        </Section>
      )}
      {isReady && <OnSale riders={riders} rider={rider} offers={offers} />}
      {wantsPass && (
        <Suspense>
          <PassDialog
            id={passId}
            among={presented}
            onClose={() => change({ pass: undefined })}
            onShow={(pass) => change({ pass })}
          />
        </Suspense>
      )}
    </Page>
  );
}

interface Sale {
  riders: OwnCards;
  rider: Card | undefined;
  offers: ReturnType<typeof useAnswer<typeof api.passes.offers>>;
}

function OnSale({ riders, rider, offers }: Sale) {
  return (
    <Section title="Titres en vente">
      {rider && offers.isPending && <Waiting />}
      {riders.problem && (
        <ErrorState
          title="Vos cartes n’ont pas pu être chargées."
          answer={{ error: riders.problem, isFetching: riders.fetching, refetch: riders.retry }}
        />
      )}
      {riders.cards !== null && !rider && (
        <EmptyState icon="card" title="Aucune carte en service">
          Activez votre carte pour acheter un titre de transport.
        </EmptyState>
      )}
      {offers.isError && !offers.data && <NoOffers answer={offers} />}
      {rider && offers.data && (
        <Offers items={offers.data.items} rider={rider} cards={riders.cards} />
      )}
    </Section>
  );
}

const Opening = () => (
  <Loading label="Chargement des titres de transport…">
    <Section>
      <Skeleton lines={4} height="7rem" />
    </Section>
  </Loading>
);

function NoOffers({
  answer,
}: {
  answer: {
    error: (Error & { code?: string }) | null;
    isFetching: boolean;
    refetch: () => unknown;
  };
}) {
  const { error } = answer;
  if (error?.code === "not_found" || error?.code === "invalid_input") {
    return (
      <EmptyState
        icon="bus"
        title="Rien n’est en vente pour ces lignes"
        action={<ButtonLink href={paths.lines}>Voir les autres lignes</ButtonLink>}
      >
        Leurs tickets et abonnements ne s’achètent pas encore ici.
      </EmptyState>
    );
  }
  return (
    <ErrorState
      title="Les titres en vente n’ont pas pu être chargés."
      message={error?.message}
      answer={answer}
    />
  );
}

/** The price of a card without a reduction and without an employer; the late fee is everybody's. */
const undiminished = ({ price }: FareOffer): number => price.fullCents + price.lateFeeCents;

function Offers({
  items,
  rider,
  cards,
}: {
  items: readonly FareOffer[];
  rider: Card;
  cards: readonly Card[] | null;
}) {
  const others = (cards ?? []).filter(({ cardnumber }) => cardnumber !== rider.cardnumber);
  if (items.length === 0) {
    return (
      <EmptyState icon="bus" title="Rien n’est en vente pour ces lignes aujourd’hui">
        Revenez plus tard, ou choisissez d’autres lignes.
      </EmptyState>
    );
  }
  return (
    <ul className={styles.offers}>
      {items.map((offer) => (
        <li
          key={offer.id}
          className={styles.offer}
          data-barred={offer.ineligibility !== null || offer.covered !== null || undefined}
        >
          <div className={styles.offerHead}>
            <h3>{offer.name}</h3>
            <p className={styles.offerPrice}>
              {offer.price.totalCents < undiminished(offer) && (
                <s className={styles.offerFull}>
                  <span className="unseen">Plein tarif </span>
                  <Money cents={undiminished(offer)} />
                </s>
              )}
              <Money cents={offer.price.totalCents} size="large" />
            </p>
          </div>
          <p>{offer.lead}</p>
          <Text tone="soft" size="fine">
            {offer.validity}
          </Text>
          <p className={styles.offerReason}>
            {offer.price.cents < offer.price.fullCents && (
              <Badge tone="success">Tarif réduit</Badge>
            )}
            <span>
              {offer.price.reason}
              {offer.price.lateFeeCents > 0 &&
                ` Frais de retard compris\u202f: ${formatMoney(offer.price.lateFeeCents)}.`}
            </span>
            {!offer.ineligibility && <ProofLink offer={offer} />}
          </p>
          {offer.late && (
            <Text tone="soft" size="fine">
              {offer.late}
            </Text>
          )}
          {offer.covered && !offer.ineligibility ? (
            <>
              <p className={styles.offerBarred}>{offer.covered}</p>
              <OpenToOthers offer={offer} others={others} />
            </>
          ) : offer.ineligibility ? (
            <>
              <p className={styles.offerBarred}>
                {offer.ineligibility} <ProofLink offer={offer} />
              </p>
              <OpenToOthers offer={offer} others={others} />
            </>
          ) : (
            <ButtonLink kind="secondary" href={buyPath(offer.id, rider.cardnumber)}>
              Acheter<span className="unseen"> {offer.name}</span>
            </ButtonLink>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Of the family, the first for whom a price that this card has no right to is open. */
function OpenToOthers({ offer, others }: { offer: FareOffer; others: readonly Card[] }) {
  const { group = "" } = useParams({ strict: false });
  const answers = useQueries({
    queries: others.map(({ cardnumber }) =>
      answerOptions(api.passes.offers, { group, cardnumber }),
    ),
  });
  const open = others.find((_, index) =>
    answers[index]?.data?.items.some(
      ({ id, ineligibility, covered }) =>
        id === offer.id && ineligibility === null && covered === null,
    ),
  );
  if (!open) return null;
  const name =
    open.relation === "self"
      ? "moi"
      : firstName(
          open.name,
          others.map(({ name: one }) => one),
        );
  return (
    <ButtonLink kind="secondary" href={buyPath(offer.id, open.cardnumber)}>
      Acheter<span className="unseen"> {offer.name}</span> pour {name}
    </ButtonLink>
  );
}

/** Purchases of this group that are not over: one goes on where one was (spec.md 7). */
function OpenOrders({ idgroup }: { idgroup: number | undefined }) {
  const orders = useAnswer(api.passes.orders, {});
  const open = orders.data?.items.filter(({ group }) => group.idgroup === idgroup) ?? [];
  return open.map(({ id, product, holder, state }) => (
    <Banner
      key={id}
      title={state === "draft" ? "Un achat vous attend" : "Un paiement est en cours"}
      actions={
        <ButtonLink size="small" href={orderPath(id)}>
          Reprendre<span className="unseen"> l’achat {product.name}</span>
        </ButtonLink>
      }
    >
      {product.name}, pour {holder}.
    </Banner>
  ));
}

/** Kept once shown: the last answer stays to be read when nothing is left. */
function EmployersPart() {
  const items = useAnswer(api.commuting.mine, {}).data?.items ?? [];
  const [seen, setSeen] = useState(false);
  if (items.length > 0 && !seen) setSeen(true);
  return (
    seen && (
      <Suspense fallback={<Skeleton height="12rem" />}>
        <Employers items={items} />
      </Suspense>
    )
  );
}

const Waiting = () => (
  <Loading label="Chargement des titres en vente…">
    <Skeleton lines={3} height="9rem" />
  </Loading>
);
