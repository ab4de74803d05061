// The legal pages: the operator's text, or the portal's own with what is left to complete.
import type { ReactNode } from "react";
import { api } from "#contract/api.ts";
import { conformityMention, type LegalPage as LegalPageName } from "#contract/content/legal.ts";
import { bindGuillemets } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { DateText } from "#web/ui/money.tsx";
import { Loaded, NotLoaded } from "#web/ui/state.tsx";
import { Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import { blocksOf, piecesOf } from "./legal-text.ts";
import styles from "./legal.module.css";

export const AccessibilityPage = () => (
  <LegalPage page="accessibilite" title="Déclaration d’accessibilité" />
);

export const LegalNoticesPage = () => (
  <LegalPage page="mentions-legales" title="Mentions légales" />
);

export const PersonalDataPage = () => (
  <LegalPage page="donnees" title="Données personnelles">
    <RetentionSection />
  </LegalPage>
);

function LegalPage({
  page,
  title,
  children,
}: {
  page: LegalPageName;
  title: string;
  children?: ReactNode;
}) {
  const answer = useAnswer(api.content.legal, { page });
  const { data } = answer;
  return (
    <Page narrow>
      <PageHeader
        title={title}
        lead={
          page === "accessibilite"
            ? data
              ? conformityMention(data.conformity)
              : "\u00a0"
            : undefined
        }
      />
      {data && !data.isCompleted && (
        <Banner tone="info">
          L’exploitant de ce portail n’a pas encore publié ce texte&#8239;: ce qui manque est marqué
          «&nbsp;à compléter par l’exploitant&nbsp;».
        </Banner>
      )}
      {data && (
        <Section>
          <LegalText body={data.body} />
          {data.publishedOn && (
            <Text tone="soft" size="fine">
              Publié le <DateText at={data.publishedOn} />
            </Text>
          )}
        </Section>
      )}
      {!data && (
        <NotLoaded
          answer={answer}
          label="Chargement du texte…"
          height="100dvh"
          failed="Cette page n’a pas pu être chargée."
        />
      )}
      {children}
    </Page>
  );
}

const LegalText = ({ body }: { body: string }) => (
  <div className={styles.text}>
    {blocksOf(bindGuillemets(body)).map((block) => {
      const [first = ""] = block.lines;
      if (block.kind === "heading") return <h2 key={first}>{first}</h2>;
      if (block.kind === "paragraph") {
        return (
          <p key={first}>
            <Words text={block.lines.join(" ")} />
          </p>
        );
      }
      return (
        <ul key={first}>
          {block.lines.map((line) => (
            <li key={line}>
              <Words text={line} />
            </li>
          ))}
        </ul>
      );
    })}
  </div>
);

/** Text whose web addresses are links. */
const Words = ({ text }: { text: string }) =>
  piecesOf(text).map((piece) =>
    piece.startsWith("https://") ? (
      <Link key={piece} href={piece}>
        {piece.replace(/^https:\/\/|\/$/g, "")}
      </Link>
    ) : (
      piece
    ),
  );

function RetentionSection() {
  const answer = useAnswer(api.privacy.retention, {});
  return (
    <Section title="Ce qui est gardé, et combien de temps">
      <Loaded answer={answer} label="Chargement des durées…" lines={6}>
        {({ items }) => (
          <Table
            caption="Durées de conservation"
            columns={[
              { key: "what", label: "Données", cell: ({ what }) => what, place: "title" },
              { key: "howLong", label: "Durée", cell: ({ howLong }) => howLong },
              { key: "purpose", label: "Raison", cell: ({ purpose }) => purpose },
            ]}
            rows={items}
            keyOf={({ what }) => what}
          />
        )}
      </Loaded>
    </Section>
  );
}
