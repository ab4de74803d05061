// « Aide »: questions by category, and a search that lives in the address (spec §2 faq).
import { useDeferredValue } from "react";
import { api } from "#contract/api.ts";
import { faqCategories, faqCategoryNames, type FaqEntry } from "#contract/content/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useSearchText } from "#web/app/shared/use-search-text.ts";
import { Button } from "#web/ui/button.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { FaqLink, StillAsking } from "./faq-link.tsx";
import styles from "./faq.module.css";

export function FaqPage() {
  const [search, change] = useSearchParameters<"faq">();
  const query = (search.q ?? "").slice(0, 100).trim();
  const [typed, setTyped] = useSearchText(query, (q) => change({ q }));
  return (
    <Page>
      <PageHeader title="Aide" lead="Cherchez votre question, ou parcourez les réponses." />
      <search>
        <TextInput
          label={"Que cherchez-vous\u202f?"}
          hint="Quelques mots suffisent, même mal orthographiés."
          type="search"
          required={false}
          maxLength={100}
          enterKeyHint="search"
          value={typed}
          onValue={setTyped}
        />
      </search>
      <Answers q={query} onClear={() => change({ q: undefined })} />
      <StillAsking />
    </Page>
  );
}

function Answers({ q, onClear }: { q: string; onClear: () => void }) {
  const deferred = useDeferredValue(q);
  const answer = useAnswer(api.content.faq, deferred ? { q: deferred } : {});
  if (!answer.data) {
    return (
      <NotLoaded
        answer={answer}
        label="Chargement des questions…"
        lines={6}
        height="4.5rem"
        failed="Les questions n’ont pas pu être chargées."
      />
    );
  }
  const { items } = answer.data;
  if (!deferred) return <ByCategory items={items} />;
  const count = items.length;
  return (
    <Section title="Réponses trouvées">
      <Text as="output" tone="soft" size="fine">
        {count === 0 ? "Aucune réponse" : count === 1 ? "1 réponse" : `${count} réponses`}
      </Text>
      {count === 0 ? (
        <EmptyState
          icon="search"
          title="Rien ne correspond à votre recherche"
          action={<Button onClick={onClear}>Voir toutes les questions</Button>}
        >
          Essayez avec d’autres mots, par exemple «&nbsp;recharge&nbsp;» ou «&nbsp;carte
          perdue&nbsp;».
        </EmptyState>
      ) : (
        <Questions items={items} detailed />
      )}
    </Section>
  );
}

const ByCategory = ({ items }: { items: readonly FaqEntry[] }) => (
  <div className={styles.faqCategories}>
    {faqCategories.map((category) => {
      const own = items.filter((item) => item.category === category);
      if (own.length === 0) return null;
      return (
        <Section key={category} title={faqCategoryNames[category]}>
          <Questions items={own} />
        </Section>
      );
    })}
  </div>
);

const Questions = ({ items, detailed }: { items: readonly FaqEntry[]; detailed?: boolean }) => (
  <DividedList>
    {items.map((item) => (
      <li key={item.id}>
        <FaqLink entry={item} {...(detailed && { summary: item.summary })} />
      </li>
    ))}
  </DividedList>
);
