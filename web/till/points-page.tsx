// « Mes points » : what each partner's points are worth, until when, and how they were earned. The card is
// in the address.
import { api } from "#contract/api.ts";
import {
  formatCount,
  formatDate,
  formatMoney,
  formatTime,
  plural,
  spokenDay,
} from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { loyalty } from "#contract/till/point-limits.ts";
import { type PointBalance, pointKindNames, type PointMovement } from "#contract/till/points.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { ownerName } from "#web/wallet/reachable-wallets.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Chips } from "#web/ui/choice.tsx";
import { DefinitionList, Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { QueryTable } from "#web/ui/query-list.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { EmptyState, ErrorState, Loading, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import type { Column } from "#web/ui/table.tsx";

const pointsOf = (count: number): string =>
  `${formatCount(count)} ${count > 1 ? "points" : "point"}`;

export function PointsPage() {
  const user = useUser();
  const list = useAnswer(api.cards.list, {});
  const [{ card: chosen }, change] = useSearchParameters<"points">();
  const known = list.data?.items ?? [];
  const cards = known.filter(
    ({ relation, state }) => (relation === "self" || relation === "child") && state !== "replaced",
  );
  const cardnumber =
    cards.find((card) => String(card.cardnumber) === chosen)?.cardnumber ?? user.cardnumber;
  const points = useAnswer(api.loyalty.points, { cardnumber });
  return (
    <Page narrow>
      <PageHeader
        title="Mes points"
        lead="Chez les commerçants qui en donnent, vos achats à la caisse rapportent des points."
        back={{ href: paths.wallets, label: "Cagnottes" }}
      />
      {cards.length > 1 && (chosen !== undefined || !points.isPending) && (
        <Chips
          label="Carte"
          options={cards.map((card) => ({
            value: String(card.cardnumber),
            label: ownerName(card),
          }))}
          value={[String(cardnumber)]}
          onValue={(value) =>
            change({ card: value === String(user.cardnumber) ? undefined : value })
          }
        />
      )}
      {/* The cards stand above the points: both come at once, so that nothing moves. */}
      {list.isPending || isFirstRead(points) ? (
        <Loading label="Chargement des points…">
          <Skeleton lines={3} height="6rem" />
        </Loading>
      ) : (
        <CardPoints key={cardnumber} cardnumber={cardnumber} answer={points} />
      )}
    </Page>
  );
}

type Points = ReturnType<typeof useAnswer<typeof api.loyalty.points>>;

function CardPoints({ cardnumber, answer }: { cardnumber: number; answer: Points }) {
  if (!answer.data) {
    return <ErrorState title="Les points n’ont pas pu être chargés." answer={answer} />;
  }
  const { items } = answer.data;
  return (
    <Stack gap={24}>
      {items.length === 0 && (
        <EmptyState icon="gift" title="Aucun point pour l’instant">
          Les points d’un achat s’ajoutent un quart d’heure après, chez les commerçants qui en
          donnent.
        </EmptyState>
      )}
      {items.map((balance) => (
        <Balance key={balance.company} balance={balance} />
      ))}
      <Movements cardnumber={cardnumber} />
    </Stack>
  );
}

function Balance({ balance: { name, points, lots } }: { balance: PointBalance }) {
  return (
    <Section title={name}>
      <Row spread>
        <strong>{pointsOf(points)}</strong>
        <span>{formatMoney(points * loyalty.pointCents)} de remise à sa caisse</span>
      </Row>
      <DefinitionList
        items={lots.map((lot) => ({
          label: `Jusqu’au ${formatDate(lot.expiresOn)}`,
          value: pointsOf(lot.points),
        }))}
      />
      <p>
        À la caisse, demandez à utiliser vos points&#8239;: ceux qui expirent le plus tôt partent
        les premiers.
      </p>
    </Section>
  );
}

const columns: Column<PointMovement>[] = [
  {
    key: "what",
    label: "Opération",
    place: "title",
    cell: ({ kind, label, at, expiresOn }) => (
      <span>
        {pointKindNames[kind]} · {formatTime(at)} · {label}
        {kind !== "expired" && `, jusqu’au ${formatDate(expiresOn)}`}
      </span>
    ),
  },
  {
    key: "points",
    label: "Points",
    align: "end",
    place: "end",
    cell: ({ points }) => (
      <span>
        {points > 0 ? "+" : "−"}
        {formatCount(Math.abs(points))}
        <span className="unseen"> {Math.abs(points) > 1 ? "points" : "point"}</span>
      </span>
    ),
  },
];

function Movements({ cardnumber }: { cardnumber: number }) {
  const list = usePages(api.loyalty.movements, { cardnumber, limit: 20 }, { by: "before" });
  if (!list.data) {
    return (
      <NotLoaded
        answer={list}
        label="Chargement de l’historique…"
        lines={5}
        height="3rem"
        failed="L’historique n’a pas pu être chargé."
      />
    );
  }
  if (list.items.length === 0) return null;
  return (
    <Section title="Historique">
      <QueryTable
        list={list}
        empty={null}
        caption="Historique des points"
        columns={columns}
        keyOf={({ id }) => `${id}`}
        groupOf={({ at }) => spokenDay(at)}
        countLabel={(count) => plural(count, "opération affichée", "opérations affichées")}
      />
    </Section>
  );
}
