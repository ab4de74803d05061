// « Documents »: each person's month as a PDF, the year's attestation, and the family's meals in a calendar.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { todayInParis } from "#contract/days.ts";
import { capital, firstName, formatMonth, ofName } from "#contract/french.ts";
import type { MealOrder } from "#contract/meals/orders.ts";
import { useDownload, useDownloads } from "#web/app/shared/download-button.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";

const MealCalendar = lazy(async () => ({
  default: (await import("./meal-calendar.tsx")).MealCalendar,
}));

/** The papers of a month, YYYY-MM: one PDF for each person who has a meal in it, once that is known. */
export function MealPapers({
  month = "",
  orders,
}: {
  month: string | undefined;
  orders: readonly MealOrder[] | undefined;
}) {
  // Shown this once: closing the dialog does not lose it.
  const [address, setAddress] = useState<string | null>(null);
  const [open, setOpen] = useState<"year" | "calendar" | null>(null);
  const print = useDownloads(api.canteen.print);
  const people = [...new Map(orders?.map(({ cardnumber, name }) => [cardnumber, name]))];
  const names = people.map(([, name]) => name);
  const close = () => setOpen(null);
  return (
    <Stack gap={8}>
      <Menu
        label="Documents"
        text="Documents"
        items={[
          ...people.map(([cardnumber, name]) => ({
            label: `${capital(formatMonth(`${month}-01`))} ${ofName(firstName(name, names))} (PDF)`,
            icon: "download" as const,
            onSelect: () => print.send({ cardnumber, month }),
          })),
          {
            label: "Attestation de l’année…",
            icon: "document" as const,
            onSelect: () => setOpen("year"),
          },
          {
            label: "Dans votre agenda…",
            icon: "calendar" as const,
            onSelect: () => setOpen("calendar"),
          },
        ]}
      />
      {print.isPending && (
        <Text as="output" tone="soft" size="small">
          Préparation du PDF…
        </Text>
      )}
      <ProblemBanner problem={print.problem} title="Le PDF n’a pas pu être préparé." />
      <Dialog open={open === "year"} onClose={close} title="Attestation de l’année">
        <YearAttestation />
      </Dialog>
      <Dialog open={open === "calendar"} onClose={close} title="Dans votre agenda">
        <Suspense fallback={<Skeleton lines={2} height="2.75rem" />}>
          <MealCalendar address={address} onAddress={setAddress} />
        </Suspense>
      </Dialog>
    </Stack>
  );
}

/** What was paid in a calendar year, on paper. */
function YearAttestation() {
  const thisYear = Number(todayInParis().slice(0, 4));
  const [year, setYear] = useState(String(thisYear - 1));
  const download = useDownload(api.canteen.yearAttestation, { year: Number(year) });
  return (
    <Stack gap={20}>
      <p>
        Elle dit les repas payés. Les repas ne comptent pas dans le crédit d’impôt pour frais de
        garde.
      </p>
      <Select
        label="Année"
        options={[0, 1, 2, 3].map((ago) => ({
          value: String(thisYear - ago),
          label: String(thisYear - ago),
        }))}
        value={year}
        onValue={setYear}
      />
      <div>
        <Button
          kind="primary"
          icon="download"
          loading={download.isPending}
          onClick={() => download.send()}
        >
          Télécharger l’attestation
        </Button>
      </div>
      <ProblemBanner problem={download.problem} />
    </Stack>
  );
}
