// The terms of a partnership: those in force, those that wait for a yes, and every version.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { formatDate } from "#contract/french.ts";
import type { Partnership, PartnershipTerms } from "#contract/partners/partnerships.ts";
import { partnershipCan } from "#contract/partners/partnership-states.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Badge, Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./partnerships.module.css";
import { percentOf } from "./partnership-words.ts";

const TermsForm = lazy(async () => ({
  default: (await import("./partnership-terms-form.tsx")).TermsForm,
}));

export function Terms({ one }: { one: Partnership }) {
  const [isOpen, setIsOpen] = useState(false);
  const mayPropose = one.canDecide && partnershipCan.propose(one) && !one.proposal;
  return (
    <Section
      title="Conditions"
      action={
        mayPropose && (
          <Button size="small" icon="edit" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
            Proposer d’autres conditions
          </Button>
        )
      }
    >
      <Stack gap={20}>
        {one.terms && (
          <dl className={styles.figures}>
            <div>
              <dt>Pour vos cartes, à leurs caisses</dt>
              <dd>{percentOf(one.terms.getsPercent)}</dd>
            </div>
            <div>
              <dt>Pour leurs cartes, à vos caisses</dt>
              <dd>{percentOf(one.terms.givesPercent)}</dd>
            </div>
          </dl>
        )}
        {one.proposal && <Proposal one={one} proposal={one.proposal} />}
        {!one.terms && one.state === "invited" && (
          <Text tone="soft" size="small" weight="normal">
            Rien ne s’applique avant que l’invitation soit acceptée.
          </Text>
        )}
        <h3>Versions</h3>
        <Table
          caption="Versions des conditions"
          columns={columns}
          rows={one.versions}
          keyOf={({ version }) => version}
        />
      </Stack>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="Proposer d’autres conditions">
        {isOpen && (
          <Suspense fallback={<Skeleton height="12rem" />}>
            <TermsForm one={one} onClose={() => setIsOpen(false)} />
          </Suspense>
        )}
      </Dialog>
    </Section>
  );
}

function Proposal({ one, proposal }: { one: Partnership; proposal: PartnershipTerms }) {
  const answer = useAction(
    (accept: boolean) =>
      call(api.partnerships.answerTerms, { id: one.id, version: proposal.version, accept }),
    {
      says: (_, accept) =>
        accept
          ? "Les nouvelles conditions s’appliquent."
          : proposal.isOurs
            ? "Vos conditions sont retirées."
            : "Les conditions sont refusées.",
    },
  );
  return (
    <Banner
      tone="warning"
      title={
        proposal.isOurs
          ? "Vos nouvelles conditions attendent un accord"
          : "De nouvelles conditions attendent votre accord"
      }
      actions={
        one.canDecide && (
          <>
            {!proposal.isOurs && (
              <Button kind="primary" loading={answer.isPending} onClick={() => answer.send(true)}>
                Accepter ces conditions
              </Button>
            )}
            <Button disabled={answer.isPending} onClick={() => answer.send(false)}>
              {proposal.isOurs ? "Les retirer" : "Refuser"}
            </Button>
          </>
        )
      }
    >
      <p>
        Pour vos cartes&#8239;: {percentOf(proposal.getsPercent).toLowerCase()}. Pour les
        leurs&#8239;: {percentOf(proposal.givesPercent).toLowerCase()}.
      </p>
      {proposal.note && <p className={styles.quote}>«&nbsp;{proposal.note}&nbsp;»</p>}
      <ProblemBanner problem={answer.problem} />
    </Banner>
  );
}

function stateOf({ fromAt, closed }: PartnershipTerms) {
  if (fromAt) return <Badge icon="check">Depuis le {formatDate(fromAt)}</Badge>;
  if (closed) return <Badge>{closed === "refused" ? "Refusées" : "Retirées"}</Badge>;
  return <Badge tone="warning">En attente</Badge>;
}

const columns: readonly Column<PartnershipTerms>[] = [
  { key: "version", label: "Version", place: "title", cell: ({ version }) => `N° ${version}` },
  { key: "gets", label: "Vos cartes", cell: ({ getsPercent }) => percentOf(getsPercent) },
  { key: "gives", label: "Leurs cartes", cell: ({ givesPercent }) => percentOf(givesPercent) },
  { key: "by", label: "Proposées par", cell: ({ isOurs }) => (isOurs ? "Vous" : "Partenaire") },
  { key: "state", label: "État", place: "end", cell: stateOf },
];
