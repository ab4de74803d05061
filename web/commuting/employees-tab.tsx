// The employees of a company on an offer: enrolled by the number of their card, suspended, resumed, ended.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { CommutingEnrolment, CommutingPlan } from "#contract/commuting/rows.ts";
import { enrolmentCan, enrolmentStateNames } from "#contract/commuting/states.ts";
import { plural, untilDay } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { usePages } from "#web/app/transport/pages.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { QueryTable } from "#web/ui/query-list.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import type { Column } from "#web/ui/table.tsx";
import { actionWords, type EnrolmentAction, enrolmentTones, whenOf } from "./enrolment-words.ts";
import { EnrolForm } from "./enrol-form.tsx";

const filters = [
  { value: "running", label: "En cours" },
  { value: "over", label: "Terminées" },
] as const;

export function EmployeesTab({ plan }: { plan: CommutingPlan }) {
  const [{ show: showParam }, change] = useSearchParameters<"employeeTransport">();
  const [adding, setAdding] = useState(false);
  const [added, setAdded] = useState<CommutingEnrolment | null>(null);
  const show = showParam === "over" ? "over" : "running";
  const open = plan.employerPercent !== null;
  return (
    <Stack>
      {!open && (
        <Banner tone="info" title="Fixez d’abord votre part.">
          Vos salariés verront ce que votre entreprise paie avant d’accepter.
        </Banner>
      )}
      {added && (
        <Banner tone="success" alert title={`La demande est envoyée pour ${added.name}.`}>
          Si ce numéro est bien le sien, il la reçoit sur son espace et peut y répondre{" "}
          {untilDay(added.expiresAt ?? added.invitedAt)}.
        </Banner>
      )}
      <Row spread>
        <Chips
          label="Inscriptions"
          options={filters}
          value={[show]}
          onValue={(value) => change({ show: value === "running" ? undefined : value })}
        />
        {plan.canDecide && open && (
          <Button
            kind="primary"
            icon="plus"
            onClick={() => {
              setAdded(null);
              setAdding(true);
            }}
          >
            Inscrire un salarié
          </Button>
        )}
      </Row>
      <Enrolments key={show} plan={plan} show={show} />
      <Dialog open={adding} onClose={() => setAdding(false)} title="Inscrire un salarié">
        <EnrolForm
          plan={plan}
          onCancel={() => setAdding(false)}
          onDone={(enrolment) => {
            setAdding(false);
            setAdded(enrolment);
          }}
        />
      </Dialog>
    </Stack>
  );
}

function Enrolments({ plan, show }: { plan: CommutingPlan; show: "running" | "over" }) {
  const { service, canDecide } = plan;
  const list = usePages(api.commuting.enrolments, { service, show }, { by: "before" });
  const [pending, setPending] = useState<PendingAction | null>(null);
  const columns =
    canDecide && list.items.some(canAct) ? [...described, actsColumn(setPending)] : described;
  return (
    <Stack>
      <QueryTable
        list={list}
        label="Chargement des salariés…"
        lines={6}
        height="3.5rem"
        failed="Les salariés n’ont pas pu être chargés."
        empty={
          <EmptyState
            icon="people"
            title={show === "running" ? "Aucun salarié inscrit" : "Aucune inscription terminée"}
          >
            {nothing(show, canDecide)}
          </EmptyState>
        }
        caption="Salariés"
        columns={columns}
        keyOf={({ id }) => id}
        countLabel={(count) => plural(count, "salarié affiché", "salariés affichés")}
      />
      {pending && <Confirmation {...pending} onClose={() => setPending(null)} />}
    </Stack>
  );
}

function nothing(show: "running" | "over", canDecide: boolean): string {
  if (show === "over") {
    return "Les refus, les demandes sans réponse et les inscriptions terminées seront ici.";
  }
  return canDecide
    ? "Demandez à chaque salarié le numéro de sa carte personnelle. Il accepte sur son espace."
    : "Le responsable de votre entreprise les inscrit par le numéro de leur carte personnelle.";
}

interface PendingAction {
  one: CommutingEnrolment;
  act: EnrolmentAction;
}

function Confirmation({ one, act, onClose }: PendingAction & { onClose: () => void }) {
  const words = actionWords(one)[act];
  const acting = useAction(() => call(api.commuting[act], { enrolment: one.id }));
  return (
    <ConfirmAction
      act={acting}
      onClose={onClose}
      title={words.title}
      confirm={words.confirm}
      cancel="Revenir"
      danger={act === "end"}
    >
      {words.body}
    </ConfirmAction>
  );
}

function Actions({
  one,
  onAct,
}: {
  one: CommutingEnrolment;
  onAct: (act: EnrolmentAction) => void;
}) {
  const who = <span className="unseen"> {one.name}</span>;
  return (
    <Row>
      {enrolmentCan.suspend(one) && (
        <Button size="small" onClick={() => onAct("suspend")}>
          Suspendre{who}
        </Button>
      )}
      {enrolmentCan.resume(one) && (
        <Button size="small" onClick={() => onAct("resume")}>
          Reprendre{who}
        </Button>
      )}
      {(enrolmentCan.end(one) || enrolmentCan.withdraw(one)) && (
        <Button size="small" kind="ghost" onClick={() => onAct("end")}>
          {enrolmentCan.end(one) ? "Terminer" : "Retirer"}
          {who}
        </Button>
      )}
    </Row>
  );
}

const canAct = (one: CommutingEnrolment): boolean =>
  enrolmentCan.suspend(one) ||
  enrolmentCan.resume(one) ||
  enrolmentCan.end(one) ||
  enrolmentCan.withdraw(one);

const described: readonly Column<CommutingEnrolment>[] = [
  {
    key: "name",
    label: "Salarié",
    place: "title",
    cell: ({ name, staffNumber, last4 }) => (
      <span>
        {name}
        <span>
          {" "}
          · carte&nbsp;…&#8288;{last4}
          {staffNumber && ` · ${staffNumber}`}
        </span>
      </span>
    ),
  },
  {
    key: "state",
    label: "Inscription",
    place: "end",
    cell: ({ state }) => <Badge tone={enrolmentTones[state]}>{enrolmentStateNames[state]}</Badge>,
  },
  { key: "when", label: "Depuis", cell: whenOf },
  {
    key: "pass",
    label: "Dernier titre",
    cell: ({ lastPass }) =>
      lastPass ? `${lastPass.name}, ${untilDay(lastPass.lastDay)}` : "Aucun",
  },
];

const actsColumn = (onAct: (pending: PendingAction) => void): Column<CommutingEnrolment> => ({
  key: "acts",
  label: "Actions",
  cell: (one) => <Actions one={one} onAct={(act) => onAct({ one, act })} />,
});
