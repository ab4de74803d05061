// The operator asks for a clarification: the question, the parts to write again, the answer.
import { formatDate } from "#contract/french.ts";
import type { Membership, MembershipPage } from "#contract/memberships/rows.ts";
import type { MembershipPart } from "#contract/memberships/states.ts";
import { membershipPartNames } from "#contract/memberships/words.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import styles from "./memberships.module.css";
import { partOf, useGo } from "./navigation.ts";
import { AnswerForm, CodeStep, CompanyStep, DocumentsStep, RepresentativeStep } from "./steps.ts";
import { Summary } from "./summary.tsx";

interface Props {
  page: MembershipPage;
  membership: Membership;
}

export function Clarification({ page, membership, step }: Props & { step: string | undefined }) {
  const go = useGo();
  const part = partOf(membership, step);
  const place = useFocusAtStep(part ?? "question");
  const question = membership.exchanges.findLast(({ from }) => from === "team");
  if (part) {
    return (
      <div ref={place}>
        <Section>
          <Stack gap={20}>
            <div>
              <Button kind="ghost" size="small" icon="back" onClick={() => go(null)}>
                Revenir à la question
              </Button>
            </div>
            <Part part={part} page={page} onDone={() => go(null)} />
          </Stack>
        </Section>
      </div>
    );
  }
  return (
    <div ref={place}>
      <Section title="Une précision vous est demandée">
        <Stack gap={20}>
          {question && (
            <Banner tone="warning" title={`Notre question du ${formatDate(question.at)}`}>
              <span className={styles.text}>{question.text}</span>
            </Banner>
          )}
          {membership.requestedParts.length > 0 && (
            <Summary page={page} parts={membership.requestedParts} verb="Corriger" onWrite={go} />
          )}
          {membership.requestedParts.includes("representative") && !membership.proved ? (
            <CodeStep page={page} onDone={() => go(null)} />
          ) : (
            <AnswerForm page={page} membership={membership} />
          )}
        </Stack>
      </Section>
    </div>
  );
}

function Part({
  part,
  ...props
}: {
  part: MembershipPart;
  page: MembershipPage;
  onDone: () => void;
}) {
  const submit = `Enregistrer\u202f: ${membershipPartNames[part].toLowerCase()}`;
  if (part === "company") return <CompanyStep {...props} submit={submit} />;
  if (part === "representative") return <RepresentativeStep {...props} submit={submit} />;
  return <DocumentsStep {...props} submit="Terminer" />;
}
