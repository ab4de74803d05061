// The sheet of one partner: open or not, how to reach it, what it accepts and gives, its hours.
import { useEffect, useRef } from "react";
import { api } from "#contract/api.ts";
import { formatDate } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { type PartnerSheet, offerKindNames } from "#contract/partners/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { Badge } from "#web/ui/banner.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Page, PageHeader, Section, Sides } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { Contact } from "./contact.tsx";
import { filtersIn, parametersOf, useDirectoryPath } from "./filters.ts";
import { Hours } from "./hours.tsx";
import { distanceText, untilText } from "./place-words.ts";
import type { Position } from "#web/app/shared/position.ts";
import directoryStyles from "./directory.module.css";
import servicesStyles from "./services.module.css";

export function PartnerPage({ id, position }: { id: string; position: Position | null }) {
  const [search] = useSearchParameters<"directory" | "repertory">();
  const answer = useAnswer(api.partners.one, { id, ...position });
  const list = linkTo(useDirectoryPath(), {}, parametersOf(filtersIn(search)));
  const back = { href: list, label: "Tout l’annuaire" };
  const status = answer.error?.status;
  if (status === 404 || status === 400) return <NotFound />;
  if (answer.data) return <Sheet partner={answer.data} back={back} />;
  return (
    <Page>
      <PageHeader title="Partenaire" back={back} />
      <NotLoaded
        answer={answer}
        label="Chargement de la fiche…"
        height="24rem"
        failed="Cette fiche n’a pas pu être chargée."
      />
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
  const { name, category, town, metres, opening, description } = partner;
  const top = useRef<HTMLDivElement>(null);
  // A change of parameters is no navigation: the sheet itself goes to the top and takes the focus.
  useEffect(() => {
    globalThis.scrollTo({ left: 0, top: 0, behavior: "instant" });
    top.current?.focus({ preventScroll: true });
  }, []);
  const where = [category.name, town, metres === null ? null : distanceText(metres)];
  return (
    <Page>
      <div ref={top} tabIndex={-1} className={directoryStyles.partnerTop}>
        <PageHeader
          title={name}
          lead={where.filter((one) => one !== null).join(" · ")}
          back={back}
        />
        <p className={directoryStyles.partnerFacts}>
          <Badge tone={opening.open ? "success" : "neutral"} icon="clock">
            {opening.open ? "Ouvert" : "Fermé"}
          </Badge>
          <span>{untilText(opening)}</span>
          {opening.closure !== null && <span>· {opening.closure}</span>}
        </p>
      </div>
      <Sides
        main={
          <>
            <Gives partner={partner} />
            <Section title="À propos">
              <div className={servicesStyles.serviceBody}>
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

function Gives({ partner: { offers, groups } }: { partner: PartnerSheet }) {
  const base = useDirectoryPath();
  return (
    <Section title="Avec votre carte">
      {offers.length > 0 && (
        <ul className={directoryStyles.offers}>
          {offers.map(({ kind, title, detail, fromOn, toOn }) => (
            <li key={title} className={directoryStyles.offer}>
              <span className={directoryStyles.offerKind}>{offerKindNames[kind]}</span>
              <p className={directoryStyles.offerTitle}>{title}</p>
              {detail && <Text size="fine">{detail}</Text>}
              {toOn && <Text size="fine">{spanText(fromOn, toOn)}</Text>}
            </li>
          ))}
        </ul>
      )}
      <Stack gap={8}>
        <p className={directoryStyles.acceptsLabel}>
          <Icon name="wallet" size={20} /> Cagnottes acceptées
        </p>
        <ul className={directoryStyles.acceptsList}>
          {groups.map(({ idgroup, name, main }) => (
            <li key={idgroup}>
              {main ? (
                <span className={directoryStyles.acceptsName}>{name}</span>
              ) : (
                <Link
                  className={directoryStyles.acceptsName}
                  href={linkTo(base, {}, { group: idgroup })}
                  aria-label={`${name} : voir tous les lieux qui l’acceptent`}
                >
                  {name}
                </Link>
              )}
            </li>
          ))}
        </ul>
      </Stack>
    </Section>
  );
}

const spanText = (from: string | null, to: string): string =>
  from === null ? `Jusqu’au ${formatDate(to)}` : `Du ${formatDate(from)} au ${formatDate(to)}`;
