// « Vos conditions » : what each sheet grants and what the scheme keeps, the version in force first.
import type { UseQueryResult } from "@tanstack/react-query";
import { formatDate } from "#contract/french.ts";
import type { SheetTerms } from "#contract/settlement/rows.ts";
import { statementNames } from "#contract/settlement/statement-words.ts";
import { rateOf } from "#contract/settlement/states.ts";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { ErrorState } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";

type Version = SheetTerms["versions"][number];

const columns: Column<Version>[] = [
  {
    key: "version",
    label: "Version",
    place: "title",
    cell: ({ version, from, until }) =>
      `N° ${version}, ${until ? `du ${formatDate(from)} au ${formatDate(until)}` : `en vigueur depuis le ${formatDate(from)}`}`,
  },
  {
    key: "discount",
    label: "Remise en caisse",
    align: "end",
    cell: ({ discountPercent }) => `${discountPercent}\u00a0%`,
  },
  {
    key: "points",
    label: "Points par euro",
    align: "end",
    cell: ({ pointsPerEuro }) => pointsPerEuro,
  },
  {
    key: "commission",
    label: statementNames.commission,
    align: "end",
    cell: ({ commissionBasisPoints }) => rateOf(commissionBasisPoints),
  },
];

export function Terms({ answer }: { answer: UseQueryResult<{ items: SheetTerms[] }> }) {
  const items = answer.data?.items ?? [];
  if (answer.data && items.length === 0) return null;
  return (
    <Section title="Vos conditions">
      {answer.isError && !answer.data && (
        <ErrorState title="Vos conditions n’ont pas pu être chargées." answer={answer} />
      )}
      <Stack>
        {items.map(({ name, versions }) =>
          versions.length === 0 ? (
            <p key={name}>
              {name}
              {"\u202f"}: ni remise, ni points, ni commission.
            </p>
          ) : (
            <div key={name}>
              {items.length > 1 && <strong>{name}</strong>}
              <Table
                caption={name}
                columns={columns}
                rows={versions}
                keyOf={({ version }) => String(version)}
              />
            </div>
          ),
        )}
      </Stack>
    </Section>
  );
}
