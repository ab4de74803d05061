// « Diagnostic » (/test/bien): what works between this device and the portal, in plain words, to read
// or to send to the support.
import { useQueries } from "@tanstack/react-query";
import { formatDateTime } from "#contract/french.ts";
import { Badge, Banner, type Tone } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { CopyButton } from "#web/ui/person.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { checks, type Finding } from "./checks.ts";
import styles from "./diagnostic.module.css";

const tones: Record<Finding["state"], Tone> = { good: "success", poor: "warning", bad: "danger" };
const words = { good: "Bon", poor: "À surveiller", bad: "En panne" } as const;

const failed: Finding = {
  state: "bad",
  found: "Le test n’a pas abouti",
  advice: "Relancez les tests.",
};

export function DiagnosticPage() {
  const results = useQueries({
    queries: checks.map(({ name, run }) => ({
      queryKey: ["diagnostic", name],
      queryFn: () => run().catch(() => failed),
      staleTime: 0,
      gcTime: 0,
      refetchOnWindowFocus: false,
    })),
  });
  const running = results.some(({ isFetching }) => isFetching);
  const findings = results.map(({ data }) => data);
  const again = () => {
    for (const { refetch } of results) void refetch();
  };
  return (
    <Page narrow>
      <PageHeader
        title="Diagnostic"
        lead="Ce qui fonctionne entre cet appareil et le portail."
        actions={
          <Button kind="primary" icon="refresh" loading={running} onClick={again}>
            Relancer les tests
          </Button>
        }
      />
      <div className={styles.checksVerdict}>
        <Verdict findings={findings} running={running} />
      </div>
      <Section
        title="Tests"
        action={!running && <CopyButton text={report(findings)} label="Copier le rapport" />}
      >
        <ul className={styles.checks} aria-busy={running || undefined}>
          {checks.map(({ name }, index) => (
            <Line key={name} name={name} finding={findings[index]} />
          ))}
        </ul>
      </Section>
    </Page>
  );
}

function Verdict({
  findings,
  running,
}: {
  findings: readonly (Finding | undefined)[];
  running: boolean;
}) {
  const has = (state: Finding["state"]) => findings.some((finding) => finding?.state === state);
  if (running && findings.includes(undefined)) {
    return <Banner title="Tests en cours…">Quelques secondes suffisent.</Banner>;
  }
  if (has("bad")) {
    return (
      <Banner tone="danger" title="Quelque chose ne marche pas.">
        Suivez le conseil de la ligne en panne, puis relancez les tests.
      </Banner>
    );
  }
  if (has("poor")) {
    return (
      <Banner tone="warning" title="Le portail fonctionne, avec une réserve.">
        Suivez le conseil de la ligne à surveiller.
      </Banner>
    );
  }
  return (
    <Banner tone="success" title="Tout va bien.">
      Cet appareil peut tout faire sur le portail.
    </Banner>
  );
}

function Line({ name, finding }: { name: string; finding: Finding | undefined }) {
  return (
    <li className={styles.check}>
      <div className={styles.checkText}>
        <Text as="span" weight="strong">
          {name}
        </Text>
        {finding ? (
          <Text as="span" tone="soft" size="fine" numeric>
            {finding.found}
            {finding.advice && <span className={styles.checkAdvice}>{finding.advice}</span>}
          </Text>
        ) : (
          <Skeleton width="9rem" height="1.25rem" />
        )}
      </div>
      {finding ? (
        <Badge tone={tones[finding.state]}>{words[finding.state]}</Badge>
      ) : (
        <Skeleton width="5rem" height="1.75rem" />
      )}
    </li>
  );
}

/** What the support needs to read: the findings, the moment and the browser. Nothing about the person. */
const report = (findings: readonly (Finding | undefined)[]): string =>
  [
    `Diagnostic Ma carte, ${formatDateTime(new Date())}`,
    ...checks.map(({ name }, index) => {
      const finding = findings[index] ?? failed;
      return `${name} : ${words[finding.state]} (${finding.found})`;
    }),
    `Navigateur : ${navigator.userAgent}`,
  ].join("\n");
