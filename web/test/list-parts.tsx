import { useState } from "react";
import { formatDate } from "#contract/french.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { ButtonGroup } from "#web/ui/button-group.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { Money } from "#web/ui/money.tsx";
import { Pagination } from "#web/ui/pagination.tsx";
import { SeeMore } from "#web/ui/query-list.tsx";
import { Row } from "#web/ui/stack.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { Tabs } from "#web/ui/tabs.tsx";

const nextPage = { exists: true, loading: false, error: null, load: () => undefined };

const movements = [
  { id: 4, at: "2026-11-20", label: "Cantine Les Tables du Port", cents: -345, state: "Débité" },
  { id: 3, at: "2026-11-18", label: "Recharge par carte bancaire", cents: 5000, state: "Crédité" },
  { id: 2, at: "2026-11-17", label: "Transfert à Jules", cents: -1500, state: "Débité" },
  { id: 1, at: "2026-11-15", label: "Repas du 24/11", cents: -345, state: "Réservé" },
];

const columns: readonly Column<(typeof movements)[number]>[] = [
  { key: "at", label: "Date", cell: (row) => formatDate(row.at) },
  { key: "label", label: "Opération", cell: (row) => row.label, place: "title" },
  {
    key: "state",
    label: "État",
    cell: (row) => (
      <Badge
        tone={row.state === "Crédité" ? "success" : row.state === "Réservé" ? "warning" : "neutral"}
      >
        {row.state}
      </Badge>
    ),
  },
  {
    key: "cents",
    label: "Montant",
    align: "end",
    place: "end",
    cell: (row) => <Money cents={row.cents} signed />,
  },
];

function Movements() {
  const [first, setFirst] = useState(1);
  return (
    <>
      <Table
        caption="Opérations de la cagnotte"
        rows={movements}
        keyOf={(row) => row.id}
        columns={columns}
      />
      <SeeMore countLabel="4 opérations affichées" next={nextPage} />
      <SeeMore
        countLabel="4 opérations affichées"
        next={{ ...nextPage, error: new Error("Le service ne répond pas. Réessayez.") }}
      />
      <Pagination
        label="Pages des opérations"
        range={{ first, last: Math.min(first + 19, 47), total: 47 }}
        onTurn={(to) => setFirst(first + (to === "next" ? 20 : -20))}
      />
    </>
  );
}

function Actions() {
  const [said, setSaid] = useState("");
  return (
    <Row>
      <ButtonGroup label="Commande">
        <Button icon="check" onClick={() => setSaid("Servie.")}>
          Servir
        </Button>
        <Button onClick={() => setSaid("Refusée.")}>Refuser</Button>
        <Menu
          label="Suite de la commande"
          icon="down"
          items={[
            { label: "Exporter en CSV", icon: "download", onSelect: () => setSaid("Exportée.") },
            { label: "Voir la fiche", icon: "eye", disabled: true, onSelect: () => undefined },
          ]}
        />
      </ButtonGroup>
      <output>{said}</output>
    </Row>
  );
}

/** Tabs, table, pages, menu, joined buttons. */
export function ListParts() {
  const [tab, setTab] = useState<"movements" | "passes" | "orders">("movements");
  return (
    <Section
      title="Listes"
      action={
        <Menu
          label="Autres actions"
          items={[
            { label: "Télécharger le relevé", icon: "download", onSelect: () => undefined },
            { label: "Exporter en CSV", icon: "document", onSelect: () => undefined },
            {
              label: "Opposer la carte",
              icon: "forbidden",
              danger: true,
              onSelect: () => undefined,
            },
          ]}
        />
      }
    >
      <Actions />
      <Tabs
        label="Activité de la carte"
        value={tab}
        onValue={setTab}
        tabs={[
          { value: "movements", label: "Opérations", content: <Movements /> },
          { value: "passes", label: "Abonnements", count: 2, content: <p>Deux abonnements.</p> },
          { value: "orders", label: "Commandes", content: <p>Aucune commande.</p> },
        ]}
      />
    </Section>
  );
}
