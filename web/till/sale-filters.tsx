// The filters of the list of sales, and the file of what it shows.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { todayInParis } from "#contract/days.ts";
import { formatCount } from "#contract/french.ts";
import { maxSalesInFile, tillSaleFilterNames, tillSaleFilters } from "#contract/till/sales.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { useSearchText } from "#web/app/shared/use-search-text.ts";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { DayFilter } from "#web/ui/day-filter.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { CashierFilter } from "./cashier-filter.tsx";
import {
  daysOfPeriods,
  isSearched,
  type Period,
  periodOf,
  type SaleParameters,
  type SaleSearch,
} from "./sale-search.ts";
import { useIsTablet } from "./use-window-width.ts";
import styles from "./till.module.css";

const everything = "all";

interface SaleFiltersProps {
  partner: string;
  search: SaleSearch;
  onChange: (changes: SaleParameters) => void;
  /** A cashier has their own sales of the day alone: neither others nor other days. */
  seesAll: boolean;
}

/** All in sight where there is room; on a phone the choices unfold. `timesCleared` counts the calls of `onClear`. */
export function SaleFilters({
  onClear,
  timesCleared,
  ...props
}: SaleFiltersProps & { onClear: () => void; timesCleared: number }) {
  const { partner, search, onChange } = props;
  const hasRoom = useIsTablet();
  const [unfolded, setUnfolded] = useState(() => isSearched({ ...search, q: undefined }));
  const [typed, setTyped] = useSearchText(search.q ?? "", (text) => onChange({ text }));
  const open = hasRoom || unfolded;
  return (
    <Stack>
      <search className={styles.filters} aria-label="Filtrer les ventes">
        <TextInput
          label="Rechercher une vente"
          hint="Référence, montant, fin du numéro de carte, objet ou article"
          type="search"
          required={false}
          maxLength={60}
          value={typed}
          onValue={setTyped}
        />
        {open && <Choices key={timesCleared} {...props} />}
      </search>
      <Row>
        {!hasRoom && (
          <Button
            size="small"
            icon="filter"
            aria-expanded={open}
            onClick={() => setUnfolded(!unfolded)}
          >
            {open ? "Masquer les filtres" : "Filtrer"}
          </Button>
        )}
        {isSearched(search) && (
          <Button size="small" kind="ghost" icon="close" onClick={onClear}>
            Effacer les filtres
          </Button>
        )}
        <DownloadButton
          row={api.till.salesFile}
          input={{ partner, ...search }}
          icon="download"
          size="small"
          failed="Le fichier n’a pas pu être préparé."
        >
          Exporter (CSV)
        </DownloadButton>
      </Row>
      {open && (
        <Text tone="soft" size="fine">
          L’export contient les ventes affichées par ces filtres, au plus{" "}
          {formatCount(maxSalesInFile)}, les plus récentes.
        </Text>
      )}
    </Stack>
  );
}

function Choices({ partner, search, onChange, seesAll }: SaleFiltersProps) {
  const { cashier, state } = search;
  return (
    <>
      {seesAll && <PeriodChoice search={search} onChange={onChange} />}
      <Select
        label="État"
        value={state ?? everything}
        options={[
          { value: everything, label: "Tous" },
          ...tillSaleFilters.map((value) => ({ value, label: tillSaleFilterNames[value] })),
        ]}
        onValue={(value) => onChange({ state: value === everything ? undefined : value })}
      />
      {seesAll && (
        <CashierFilter
          partner={partner}
          cashier={cashier}
          onCashier={(chosen) => onChange({ cashier: chosen })}
        />
      )}
    </>
  );
}

const periodNames: Readonly<Record<Period, string>> = {
  all: "Toutes les dates",
  today: "Aujourd’hui",
  yesterday: "Hier",
  week: "Cette semaine",
  month: "Ce mois-ci",
  own: "Dates choisies",
};

const periods = (Object.keys(periodNames) as Period[]).map((value) => ({
  value,
  label: periodNames[value],
}));

/** Days that have a name in one choice, any others in two fields. */
function PeriodChoice({
  search: { from, to },
  onChange,
}: Pick<SaleFiltersProps, "search" | "onChange">) {
  const today = todayInParis();
  const period = periodOf({ from, to }, today);
  const [isOwn, setIsOwn] = useState(false);
  return (
    <>
      <Select
        label="Période"
        value={isOwn ? "own" : period}
        options={periods}
        onValue={(value) => {
          setIsOwn(value === "own");
          if (value !== "own") onChange(daysOfPeriods(today)[value]);
        }}
      />
      {(isOwn || period === "own") && (
        <>
          <DayFilter
            label="Du"
            value={from}
            max={to ?? today}
            onValue={(day) => onChange({ from: day })}
          />
          <DayFilter
            label="Au"
            value={to}
            {...(from && { min: from })}
            max={today}
            onValue={(day) => onChange({ to: day })}
          />
        </>
      )}
    </>
  );
}
