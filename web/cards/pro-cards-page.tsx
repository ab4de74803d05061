// « Cartes pro »: the cards of the caller's company, who carries each, what it may do. The state and the
// name looked for are in the address.
import { api } from "#contract/api.ts";
import type { ProCard } from "#contract/companies/pro-cards.ts";
import { plural } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useSearchText } from "#web/app/shared/use-search-text.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { ProCardTable } from "./pro-card-table.tsx";
import { foundIn, kindOf, kinds, type ProCardKind } from "./pro-card-words.ts";
import styles from "./pro-cards.module.css";

export function ProCardsPage() {
  const cards = useAnswer(api.companies.proCards, {});
  const seen = cards.data;
  const barred = cards.error?.code === "company_role" || cards.error?.code === "company_missing";
  return (
    <Page>
      <PageHeader
        title="Cartes pro"
        lead={seen ? `${seen.company}, ${plural(seen.items.length, "carte")}` : "\u00a0"}
        actions={
          // There from the start: what is below does not move once the cards have come.
          !barred && (
            <>
              <ButtonLink href={paths.grants} icon="gift">
                Dotations
              </ButtonLink>
              <ButtonLink href={paths.cardOrders} icon={seen?.canManage ? "plus" : "document"}>
                {seen?.canManage ? "Commander des cartes" : "Commandes de cartes"}
              </ButtonLink>
            </>
          )
        }
      />
      <Section>
        {barred && !seen && (
          <EmptyState
            icon="lock"
            title="Ces cartes ne vous sont pas ouvertes"
            action={<ButtonLink href={paths.dashboard}>Voir ma carte</ButtonLink>}
          >
            {cards.error?.message}
          </EmptyState>
        )}
        {!seen && !barred && (
          <NotLoaded
            answer={cards}
            label="Chargement des cartes…"
            lines={6}
            height="4rem"
            failed="Les cartes n’ont pas pu être chargées."
          />
        )}
        {seen && <ProCards cards={seen.items} canManage={seen.canManage} />}
      </Section>
    </Page>
  );
}

function ProCards({ cards, canManage }: { cards: readonly ProCard[]; canManage: boolean }) {
  const [search, change] = useSearchParameters<"proCards">();
  const kind = kinds.find(({ value }) => value === search.state)?.value ?? "all";
  const query = search.name ?? "";
  const [typed, setTyped] = useSearchText(query, (name) => change({ name }));
  const named = cards.filter((card) => foundIn(card, query));
  const visible = named.filter((card) => kind === "all" || kindOf(card) === kind);
  const counts = new Map<ProCardKind, number>();
  for (const card of named) counts.set(kindOf(card), (counts.get(kindOf(card)) ?? 0) + 1);
  return (
    <Stack gap={20}>
      <search className={styles.search} aria-label="Filtrer les cartes">
        <TextInput
          label="Nom ou numéro"
          type="search"
          required={false}
          maxLength={60}
          autoComplete="off"
          value={typed}
          onValue={setTyped}
        />
        <Chips
          label="État"
          options={[
            { value: "all" as const, label: "Toutes", count: named.length },
            ...kinds
              .filter(({ value }) => counts.has(value) || value === kind)
              .map((one) => ({ ...one, count: counts.get(one.value) ?? 0 })),
          ]}
          value={[kind]}
          onValue={(value) => change({ state: value === "all" ? undefined : value })}
        />
      </search>
      {visible.length === 0 ? (
        <EmptyState
          icon="card"
          title="Aucune carte ne correspond"
          action={
            <Button onClick={() => change({ name: undefined, state: undefined })}>
              Voir toutes les cartes
            </Button>
          }
        >
          Cherchez un autre nom, ou quelques chiffres de la carte.
        </EmptyState>
      ) : (
        <ProCardTable cards={visible} canManage={canManage} />
      )}
    </Stack>
  );
}
