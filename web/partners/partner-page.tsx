// The sheet of one partner: open or not, how to reach it, what it accepts and gives, its hours.
import { useEffect, useRef } from "react";
import { api } from "#contract/api.ts";
import { formatDate } from "#contract/french.ts";
import { type PartnerSheet, offerKindNames } from "#contract/partners.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useSearchParameters } from "#web/app/search.ts";
import { NotFound } from "#web/app/states.tsx";
import { pathTo } from "#web/routes.tsx";
import { Badge } from "#web/ui/banner.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Page, PageHeader, Section, Sides } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Contact } from "./contact.tsx";
import { filtersIn, parametersOf } from "./filters.ts";
import { Hours } from "./hours.tsx";
import type { Position } from "./position.ts";
import { distanceText, untilText } from "./words.ts";
import "./services.css";

export function PartnerPage({ id, position }: { id: string; position: Position | null }) {
  const [search] = useSearchParameters();
  const { data, error, isFetching, refetch } = useAnswer(api.partners.one, { id, ...position });
  const kept = new URLSearchParams(
    Object.entries(parametersOf(filtersIn(search))).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    ),
  ).toString();
  const list = pathTo("Partner_components");
  const back = { href: kept ? `${list}?${kept}` : list, label: "Tout l’annuaire" };
  if (error?.status === 404 || error?.status === 400) return <NotFound />;
  if (data) return <Sheet partner={data} back={back} />;
  return (
    <Page>
      <PageHeader title="Partenaire" back={back} />
      {error ? (
        <ErrorState
          title="Cette fiche n’a pas pu être chargée."
          message={error.message}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label="Chargement de la fiche…">
          <Skeleton height="24rem" />
        </Loading>
      )}
    </Page>
  );
}

function Sheet({
  partner,
  back,
}: {
  partner: PartnerSheet;
  back: { href: string; label: string };
}) {
  const { name, category, town, metres, standing, description } = partner;
  const top = useRef<HTMLDivElement>(null);
  // A change of parameters is no navigation: the sheet itself goes to the top and takes the focus.
  useEffect(() => {
    globalThis.scrollTo({ left: 0, top: 0, behavior: "instant" });
    top.current?.focus({ preventScroll: true });
  }, []);
  const where = [category.name, town, metres === null ? null : distanceText(metres)];
  return (
    <Page>
      <div ref={top} tabIndex={-1} className="partner-top">
        <PageHeader
          title={name}
          lead={where.filter((one) => one !== null).join(" · ")}
          back={back}
        />
        <p className="partner-facts">
          <Badge tone={standing.open ? "success" : "neutral"} icon="clock">
            {standing.open ? "Ouvert" : "Fermé"}
          </Badge>
          <span>{untilText(standing)}</span>
          {standing.closure !== null && <span>· {standing.closure}</span>}
        </p>
      </div>
      <Sides
        main={
          <>
            <Gives partner={partner} />
            <Section title="À propos">
              <div className="service-body">
                {description.split("\n\n").map((paragraph) => (
                  <p key={paragraph}>{paragraph}</p>
                ))}
              </div>
            </Section>
          </>
        }
        side={
          <>
            <Contact partner={partner} />
            <Hours partner={partner} />
          </>
        }
      />
    </Page>
  );
}

const Gives = ({ partner: { offers, groups } }: { partner: PartnerSheet }) => (
  <Section title="Avec votre carte">
    {offers.length > 0 && (
      <ul className="offers">
        {offers.map(({ kind, title, detail, fromOn, toOn }) => (
          <li key={title} className="offer">
            <span className="offer-kind">{offerKindNames[kind]}</span>
            <p className="offer-title">{title}</p>
            {detail && <p className="offer-detail">{detail}</p>}
            {toOn && <p className="offer-detail">{spanText(fromOn, toOn)}</p>}
          </li>
        ))}
      </ul>
    )}
    <div className="accepts">
      <p className="accepts-label">
        <Icon name="wallet" size={20} /> Cagnottes acceptées
      </p>
      <ul className="accepts-list">
        {groups.map(({ idgroup, name, main }) => (
          <li key={idgroup}>
            {main ? (
              <span className="accepts-name">{name}</span>
            ) : (
              <Link
                className="accepts-name"
                href={`${pathTo("Partner_components")}?groupe=${idgroup}`}
                aria-label={`${name} : voir tous les lieux qui l’acceptent`}
              >
                {name}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </div>
  </Section>
);

const spanText = (from: string | null, to: string): string =>
  from === null ? `Jusqu’au ${formatDate(to)}` : `Du ${formatDate(from)} au ${formatDate(to)}`;
