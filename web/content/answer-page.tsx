// One answer, whether it helped, and the questions close to it (spec §2 detail).
import { useParams } from "@tanstack/react-router";
import { api } from "#contract/api.ts";
import { type FaqAnswer, faqCategoryNames } from "#contract/content/rows.ts";
import { type AnswerLink, partsOf } from "#contract/content/links.ts";
import { bindGuillemets } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { isOpenTo, useOwnRoles } from "#web/app/shared/own-roles.tsx";
import { NotFound } from "#web/app/shared/states.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Chip } from "#web/ui/choice.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { FaqLink, StillAsking } from "./faq-link.tsx";
import styles from "./faq.module.css";

const back = { href: paths.faq, label: "Aide" };

export function FaqAnswerPage() {
  const { id = "" } = useParams({ strict: false });
  const answer = useAnswer(api.content.faqAnswer, { id });
  const { data, error } = answer;
  if (data) return <Answer answer={data} />;
  if (error?.status === 404 || error?.status === 400) return <NotFound />;
  return (
    <Page narrow>
      <PageHeader title="Aide" back={back} />
      <NotLoaded
        answer={answer}
        label="Chargement de la réponse…"
        height="12rem"
        failed="Cette réponse n’a pas pu être chargée."
      />
    </Page>
  );
}

function Answer({ answer }: { answer: FaqAnswer }) {
  const roles = useOwnRoles();
  const toText = (part: string | AnswerLink) => {
    if (typeof part === "string") return bindGuillemets(part);
    // A screen that is closed to them is named all the same: the responsible person may open it.
    if (!isOpenTo(part.path, roles)) return part.label;
    return (
      <Link key={part.path} href={part.path}>
        {part.label}
      </Link>
    );
  };
  return (
    <Page narrow>
      <PageHeader
        title={bindGuillemets(answer.question)}
        lead={faqCategoryNames[answer.category]}
        back={back}
      />
      <Section>
        <div className={styles.faqBody}>
          {answer.body.split("\n\n").map((paragraph) => (
            <p key={paragraph}>{partsOf(paragraph).map(toText)}</p>
          ))}
        </div>
        <Useful key={answer.id} answer={answer} />
      </Section>
      {answer.related.length > 0 && (
        <Section title="Questions proches">
          <DividedList>
            {answer.related.map((entry) => (
              <li key={entry.id}>
                <FaqLink entry={entry} />
              </li>
            ))}
          </DividedList>
        </Section>
      )}
      <StillAsking />
    </Page>
  );
}

function Useful({ answer }: { answer: FaqAnswer }) {
  const key = keyOf(api.content.faqAnswer, { id: answer.id });
  const vote = useAction(
    (useful: boolean) => call(api.content.faqVote, { id: answer.id, useful }),
    {
      onDone: ({ useful }) => queryClient.setQueryData(key, { ...answer, useful }),
    },
  );
  const chosen = vote.isPending ? vote.variables : answer.useful;
  const choice = (useful: boolean, label: string) => (
    <Chip
      pressed={chosen === useful}
      busy={vote.isPending}
      onPress={() => chosen !== useful && vote.send(useful)}
    >
      {label}
    </Chip>
  );
  return (
    <fieldset className={styles.faqUseful}>
      <legend>{"Cette réponse vous a-t-elle été utile\u202f?"}</legend>
      <div className={styles.faqVotes}>
        {choice(true, "Oui")}
        {choice(false, "Non")}
        <Text as="output" tone="soft" size="fine">
          {vote.isSuccess && "Merci, c’est noté."}
        </Text>
      </div>
      <ProblemBanner problem={vote.problem} title="Votre avis n’a pas été enregistré." />
    </fieldset>
  );
}
