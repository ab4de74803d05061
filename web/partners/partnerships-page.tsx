// « Partenaires »: the companies with which one's own has agreed discounts, those invited, those that
// invite, and one of these partnerships. The kind that is shown is in the address.
import { useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { type PartnershipKind, partnershipKinds } from "#contract/partners/partnerships.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { Badge } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, Loaded, Loading, Skeleton } from "#web/ui/state.tsx";
import { PartnershipList, usePartnerships } from "./partnership-list.tsx";
import { nameOf, stateWords } from "./partnership-words.ts";

const PartnershipParts = lazy(async () => ({
  default: (await import("./partnership.tsx")).PartnershipParts,
}));
const InviteForm = lazy(async () => ({
  default: (await import("./partnership-invite-form.tsx")).InviteForm,
}));

const kindNames: Readonly<Record<PartnershipKind, string>> = {
  active: "En cours",
  waiting: "En attente",
  past: "Passés",
};

export function PartnershipsPage() {
  const [search, change] = useSearchParameters<"partnerships">();
  const kind = partnershipKinds.find((one) => one === search.state) ?? "active";
  const list = usePartnerships(kind);
  const [isInviting, setIsInviting] = useState(false);
  const seen = list.first;
  const [counts, setCounts] = useState<Readonly<Record<PartnershipKind, number>>>();
  // While another kind is asked for, the counts stay.
  if (seen && seen.counts !== counts) setCounts(seen.counts);
  const barred = list.error?.code === "company_missing";
  return (
    <Page>
      <PageHeader
        title="Partenaires"
        lead="Les entreprises avec lesquelles vous échangez des remises."
        actions={
          // There while it is not known who may: what is below does not move once it is.
          (seen?.canDecide ?? !barred) && (
            <Button
              kind="primary"
              icon="plus"
              disabled={!seen}
              aria-haspopup="dialog"
              onClick={() => setIsInviting(true)}
            >
              Inviter une entreprise
            </Button>
          )
        }
      />
      {barred && !seen ? (
        <EmptyState
          icon="lock"
          title="Cette page est celle d’une entreprise"
          action={<ButtonLink href={paths.dashboard}>Voir ma carte</ButtonLink>}
        >
          {list.error?.message}
        </EmptyState>
      ) : (
        <Section>
          {counts && (
            <Chips
              label="État"
              options={(["active", "waiting", "past"] as const).map((value) => ({
                value,
                label: kindNames[value],
                count: counts[value],
              }))}
              value={[kind]}
              onValue={(state) => change({ state: state === "active" ? undefined : state })}
            />
          )}
          <PartnershipList
            key={kind}
            kind={kind}
            list={list}
            onInvite={seen?.canDecide ? () => setIsInviting(true) : null}
          />
        </Section>
      )}
      <Dialog open={isInviting} onClose={() => setIsInviting(false)} title="Inviter une entreprise">
        {isInviting && (
          <Suspense
            fallback={
              <Loading>
                <Skeleton lines={4} height="3.5rem" />
              </Loading>
            }
          >
            <InviteForm
              onDone={() => {
                setIsInviting(false);
                change({ state: "waiting" });
              }}
              onClose={() => setIsInviting(false)}
            />
          </Suspense>
        )}
      </Dialog>
    </Page>
  );
}

export function PartnershipPage() {
  const { id = "" } = useParams({ strict: false });
  const answer = useAnswer(api.partnerships.one, { id });
  const seen = answer.data;
  const code = answer.error?.code;
  if (!seen && (code === "not_found" || code === "invalid_input")) return <NotFound />;
  return (
    <Page>
      <PageHeader
        title={seen ? nameOf(seen) : "Partenariat"}
        lead={
          seen ? (
            <Badge tone={stateWords[seen.state].tone}>{stateWords[seen.state].says}</Badge>
          ) : (
            "\u00a0"
          )
        }
        back={{ href: paths.partnerships, label: "Partenaires" }}
      />
      <Loaded
        answer={answer}
        label="Chargement du partenariat…"
        lines={6}
        height="4rem"
        failed="Le partenariat n’a pas pu être chargé."
      >
        {(one) => (
          <Suspense fallback={<Skeleton lines={6} height="4rem" />}>
            <PartnershipParts one={one} />
          </Suspense>
        )}
      </Loaded>
    </Page>
  );
}
