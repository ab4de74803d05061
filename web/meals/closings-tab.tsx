// The tab « Fermetures » of the canteen's desk: days without service, and what becomes of their orders.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { CanteenClosing } from "#contract/meals/closings.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { formatDate } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { Button } from "#web/ui/button.tsx";
import { Section, Sides } from "#web/ui/layout.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { ClosingForm } from "./closings-form.tsx";

const daysOf = ({ from, to }: CanteenClosing): string =>
  from === to ? `Le ${formatDate(from)}` : `Du ${formatDate(from)} au ${formatDate(to)}`;

export function ClosingsTab({ canteen }: { canteen: OwnCanteen }) {
  return (
    <Sides
      main={
        <Section title="Fermetures à venir">
          <Closings canteen={canteen} />
        </Section>
      }
      side={
        <Section title="Annoncer une fermeture">
          <ClosingForm key={canteen.id} canteen={canteen.id} />
        </Section>
      }
    />
  );
}

const columnsOf = (onRemove: (closing: CanteenClosing) => void): Column<CanteenClosing>[] => [
  { key: "days", label: "Jours", cell: daysOf, place: "title" },
  { key: "reason", label: "Motif", cell: ({ reason }) => reason },
  {
    key: "remove",
    label: "Action",
    align: "end",
    cell: (closing) => (
      <Button
        kind="ghost"
        aria-label={`Rouvrir\u202f: ${daysOf(closing)}`}
        onClick={() => onRemove(closing)}
      >
        Rouvrir
      </Button>
    ),
  },
];

function Closings({ canteen }: { canteen: OwnCanteen }) {
  const answer = useAnswer(api.canteen.closings, { canteen: canteen.id });
  const [removing, setRemoving] = useState<CanteenClosing | null>(null);
  if (!answer.data) return <NotLoaded answer={answer} lines={3} height="5.5rem" />;
  const { items } = answer.data;
  if (items.length === 0) {
    return (
      <EmptyState icon="calendar" title="Aucune fermeture à venir">
        {canteen.kind === "school"
          ? "Les jours fériés et les vacances scolaires sont déjà fermés."
          : "Les jours fériés sont déjà fermés."}
      </EmptyState>
    );
  }
  return (
    <>
      <Table
        caption="Fermetures de la cantine"
        columns={columnsOf(setRemoving)}
        rows={items}
        keyOf={({ id }) => id}
      />
      <RemoveClosing canteen={canteen.id} closing={removing} onClose={() => setRemoving(null)} />
    </>
  );
}

function RemoveClosing({
  canteen,
  closing,
  onClose,
}: {
  canteen: string;
  closing: CanteenClosing | null;
  onClose: () => void;
}) {
  const remove = useAction(
    (closed: CanteenClosing) => call(api.canteen.removeClosing, { canteen, closing: closed.id }),
    { says: ({ message }) => message },
  );
  return (
    <ConfirmAction
      act={remove}
      input={closing}
      onClose={onClose}
      failed="La fermeture n’a pas été supprimée."
      title={"Rouvrir la cantine\u202f?"}
      confirm="Rouvrir ces jours"
    >
      <p>
        {closing && daysOf(closing)}, la cantine sert de nouveau. Les repas annulés ne reviennent
        pas : les familles les commandent de nouveau.
      </p>
    </ConfirmAction>
  );
}
