// The list of a month for payroll: each pass with the company's share, the totals, and the file.
import { api } from "#contract/api.ts";
import type { PayrollLine } from "#contract/commuting/rows.ts";
import { firstOfMonth, todayInParis } from "#contract/days.ts";
import { formatDate, formatMonth, ofName, plural } from "#contract/french.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { usePages } from "#web/app/transport/pages.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { Select } from "#web/ui/choice.tsx";
import { DefinitionList, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { QueryTable } from "#web/ui/query-list.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import type { Column } from "#web/ui/table.tsx";

/** Next month too: passes are bought ahead. */
const monthsShown = 14;

export function PayrollTab({ service }: { service: string }) {
  const today = todayInParis();
  const months = Array.from({ length: monthsShown }, (_, back) => firstOfMonth(today, 1 - back));
  const [{ month: monthParam = today.slice(0, 7) }, change] =
    useSearchParameters<"employeeTransport">();
  const month = months.find((day) => day.startsWith(monthParam)) ?? firstOfMonth(today);
  return (
    <Stack>
      <Select
        label="Mois de paie"
        value={month}
        options={months.map((day) => ({ value: day, label: formatMonth(day) }))}
        onValue={(day) => change({ month: day.slice(0, 7) })}
      />
      <Month key={month} service={service} month={month} />
    </Stack>
  );
}

function Month({ service, month: day }: { service: string; month: string }) {
  const month = day.slice(0, 7);
  const list = usePages(api.commuting.payroll, { service, month }, { by: "before" });
  if (!list.first) {
    return (
      <NotLoaded
        answer={list}
        label="Chargement de la liste…"
        lines={6}
        height="3.5rem"
        failed="La liste n’a pas pu être chargée."
      />
    );
  }
  if (list.items.length === 0) {
    return (
      <EmptyState icon="document" title={`Rien à déclarer en ${formatMonth(day)}`}>
        Les abonnements de vos salariés y seront dès leur achat. Un abonnement annuel compte pour un
        douzième dans chacun de ses mois.
      </EmptyState>
    );
  }
  const { lines, monthPriceCents, monthEmployerCents, monthExemptCents } = list.first;
  return (
    <Section
      title={`Paie ${ofName(formatMonth(day))}`}
      action={
        <DownloadButton
          row={api.commuting.payrollCsv}
          input={{ service, month }}
          icon="download"
          size="small"
          failed="La liste n’a pas pu être téléchargée."
        >
          Télécharger (CSV)
        </DownloadButton>
      }
    >
      <DefinitionList
        items={[
          { label: "Prix des titres du mois", value: <Money cents={monthPriceCents} /> },
          { label: "Part de l’entreprise", value: <Money cents={monthEmployerCents} /> },
          {
            label: "Dont sans cotisations ni impôt",
            value: <Money cents={monthExemptCents} />,
          },
        ]}
      />
      <QueryTable
        list={list}
        empty={null}
        caption="Titres du mois"
        columns={columns}
        keyOf={({ id }) => id}
        countLabel={(count) => `${plural(count, "titre affiché", "titres affichés")} sur ${lines}`}
      />
    </Section>
  );
}

const columns: Column<PayrollLine>[] = [
  {
    key: "name",
    label: "Salarié",
    place: "title",
    cell: ({ name, staffNumber }) => (
      <span>
        {name}
        {staffNumber && <span> · {staffNumber}</span>}
      </span>
    ),
  },
  {
    key: "pass",
    label: "Titre",
    cell: ({ pass, kind, firstDay, lastDay }) => (
      <span>
        {pass}
        {kind === "year" && ", un douzième"}
        <span>
          {" "}
          · du {formatDate(firstDay)} au {formatDate(lastDay)}
        </span>
      </span>
    ),
  },
  {
    key: "price",
    label: "Prix du mois",
    align: "end",
    cell: ({ monthPriceCents }) => <Money cents={monthPriceCents} />,
  },
  {
    key: "share",
    label: "Part de l’entreprise",
    align: "end",
    place: "end",
    cell: ({ monthEmployerCents }) => <Money cents={monthEmployerCents} />,
  },
  {
    key: "exempt",
    label: "Dont exonéré",
    align: "end",
    cell: ({ monthExemptCents }) => <Money cents={monthExemptCents} />,
  },
];
