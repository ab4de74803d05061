// The filters of the list of sales, and the file of what it shows.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { todayInParis } from "#contract/days.ts";
import { formatCount } from "#contract/french.ts";
import { maxSalesInFile, tillSaleFilterNames, tillSaleFilters } from "#contract/till/sales.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { useSearchText } from "#web/app/shared/use-search-text.ts";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { DayFilter } from "#web/ui/day-filter.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { isSearched, noSearch, type SaleParameters, type SaleSearch } from "./sale-search.ts";
import styles from "./till.module.css";

const everything = "all";

interface SaleFiltersProps {
  partner: string;
  search: SaleSearch;
  onChange: (changes: SaleParameters) => void;
  /** A cashier has their own sales of the day alone: neither others nor other days. */
  seesAll: boolean;
}

export function SaleFilters({ partner, search, onChange, seesAll }: SaleFiltersProps) {
  const [open, setOpen] = useState(() => isSearched({ ...search, q: undefined }));
  const [typed, setTyped] = useSearchText(search.q ?? "", (text) => onChange({ text }));
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
        {open && <Choices {...{ partner, search, onChange, seesAll }} />}
      </search>
      <Row>
        <Button size="small" icon="filter" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Masquer les filtres" : "Filtrer"}
        </Button>
        {isSearched(search) && (
          <Button size="small" kind="ghost" icon="close" onClick={() => onChange(noSearch)}>
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
        <Text tone="soft">
          L’export contient les ventes affichées par ces filtres, au plus{" "}
          {formatCount(maxSalesInFile)}, les plus récentes.
        </Text>
      )}
    </Stack>
  );
}

function Choices({ partner, search, onChange, seesAll }: SaleFiltersProps) {
  const { from, to, cashier, state } = search;
  return (
    <>
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
        <>
          <Cashiers
            partner={partner}
            cashier={cashier}
            onCashier={(chosen) => onChange({ cashier: chosen })}
          />
          <DayFilter
            label="Du"
            value={from}
            max={to ?? todayInParis()}
            onValue={(day) => onChange({ from: day })}
          />
          <DayFilter
            label="Au"
            value={to}
            {...(from && { min: from })}
            max={todayInParis()}
            onValue={(day) => onChange({ to: day })}
          />
        </>
      )}
    </>
  );
}

function Cashiers({
  partner,
  cashier,
  onCashier,
}: {
  partner: string;
  cashier: number | undefined;
  onCashier: (cardnumber: string | undefined) => void;
}) {
  const answer = useAnswer(api.till.cashiers, { partner });
  const known = answer.data?.items ?? [];
  return (
    <Select
      label="Encaissé par"
      value={cashier === undefined ? everything : String(cashier)}
      options={[
        { value: everything, label: "Tout le monde" },
        ...known.map(({ cardnumber, name }) => ({ value: String(cardnumber), label: name })),
        // Of an address that was kept: somebody whose card is another by now.
        ...(cashier !== undefined && !known.some(({ cardnumber }) => cardnumber === cashier)
          ? [{ value: String(cashier), label: `Carte …${String(cashier).slice(-4)}` }]
          : []),
      ]}
      onValue={(value) => onCashier(value === everything ? undefined : value)}
    />
  );
}
