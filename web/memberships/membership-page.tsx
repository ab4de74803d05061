// « Adhésion »: a person asks that their company joins a service (spec §2 adhesion_page). The address
// names the service and the step; the request is kept on the server after each of them.
import { useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import type { MembershipPage as PageView } from "#contract/memberships/rows.ts";
import { membershipCan } from "#contract/memberships/states.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Intro } from "./intro.tsx";
import { isBeginning } from "./navigation.ts";

const Draft = lazy(async () => ({ default: (await import("./draft-steps.tsx")).DraftSteps }));
const RequestProgress = lazy(async () => ({
  default: (await import("./request-progress.tsx")).RequestProgress,
}));

export function MembershipPage() {
  const { code_services: service = "" } = useParams({ strict: false });
  const [{ step }] = useSearchParameters<"membership">();
  const answer = useAnswer(api.memberships.read, { service });
  const { data: page, error } = answer;
  if (!page && (error?.status === 404 || error?.status === 400)) return <NotFound />;
  return (
    <Page narrow>
      <PageHeader
        title={page?.service.name ?? "Adhésion"}
        lead={page?.service.summary ?? "\u00a0"}
        back={{ href: paths.services, label: "Services" }}
      />
      {page ? (
        <Suspense fallback={<Waiting />}>
          <Content key={service} page={page} step={step} />
        </Suspense>
      ) : error ? (
        <ErrorState title="Cette page n’a pas pu être chargée." answer={answer} />
      ) : (
        <Waiting />
      )}
    </Page>
  );
}

function Content({ page, step }: { page: PageView; step: string | undefined }) {
  const { membership, barred, service } = page;
  const mayBegin = barred === null && service.closed === null;
  const isDraft = membership?.state === "draft";
  const begins = mayBegin && isBeginning(step);
  const beginsAgain = begins && membership !== null && membershipCan.beginAgain(membership);
  const writes = (isDraft && mayBegin) || (begins && membership === null) || beginsAgain;
  const place = useFocusAtStep(writes ? "form" : (membership?.state ?? "intro"));
  return (
    <div ref={place}>
      {writes ? (
        <Draft page={page} step={step} />
      ) : membership && !isDraft ? (
        <RequestProgress page={page} step={step} />
      ) : (
        <Intro page={page} />
      )}
    </div>
  );
}

const Waiting = () => (
  <Section>
    <Loading label="Chargement de la demande…">
      <Skeleton lines={5} height="3rem" />
    </Loading>
  </Section>
);
