// The categories of a month: what each cost, its share, and its operations in each wallet.
import { formatMonth, monthName, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import {
  listedCategories,
  type SpendingCategory,
  spendingCategoryNames,
  type SpendingPart,
} from "#contract/wallet/spending.ts";
import { SeriesMark, SeriesShare } from "#web/ui/bar-chart.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import {
  categoriesIn,
  dayOf,
  daysOf,
  personsOf,
  seriesOf,
  type Spending,
  sumOf,
} from "./spending-months.ts";
import styles from "./spending.module.css";

export function SpendingCategories({ spending, month }: { spending: Spending; month: string }) {
  const parts = spending.parts.filter((part) => part.month === month);
  // The largest first: the row that explains the month.
  const rows = categoriesIn(parts)
    .map((category) => {
      const own = parts.filter((part) => part.category === category);
      return { category, parts: own, cents: sumOf(own) };
    })
    .toSorted((one, other) => other.cents - one.cents);
  const spentCents = sumOf(rows.filter(({ cents }) => cents > 0));
  return (
    <Section title={`Par catégorie, ${monthName(dayOf(month))}`}>
      {rows.length === 0 ? (
        <Text tone="soft">Rien n’a été dépensé en {formatMonth(dayOf(month))}.</Text>
      ) : (
        <DividedList aria-label={`Catégories, ${formatMonth(dayOf(month))}`}>
          {rows.map((row) => (
            <CategoryRow key={row.category} {...row} {...{ spending, spentCents }} />
          ))}
        </DividedList>
      )}
    </Section>
  );
}

interface CategoryOfMonth {
  category: SpendingCategory;
  parts: readonly SpendingPart[];
  cents: number;
  spending: Spending;
  /** What the categories of the month cost that did not give back more than they took. */
  spentCents: number;
}

function CategoryRow({ category, parts, cents, spending, spentCents }: CategoryOfMonth) {
  const series = seriesOf(category);
  const operations = parts.reduce((sum, part) => sum + part.operations, 0);
  const share = cents > 0 ? cents / spentCents : 0;
  return (
    <li className={styles.category}>
      <Row spread gap={8}>
        <Row as="span" gap={8} wrap={false}>
          <SeriesMark series={series} />
          <Text as="strong" weight="strong">
            {spendingCategoryNames[category]}
          </Text>
        </Row>
        <Money cents={cents} />
      </Row>
      <SeriesShare series={series} share={share} />
      <Text tone="soft" size="small" numeric>
        {cents > 0 && `${Math.round(share * 100)} % du mois, `}
        {plural(operations, "opération")}
      </Text>
      <Operations {...{ category, parts, spending }} />
    </li>
  );
}

/** Leads to the movements of each wallet that make up a category of the month. */
function Operations({
  category,
  parts,
  spending,
}: Pick<CategoryOfMonth, "category" | "parts" | "spending">) {
  const listed = listedCategories.find((one) => one === category);
  if (!listed) return null;
  const persons = personsOf(spending.wallets);
  const links = parts.flatMap(({ objectID, month, cents, operations }) => {
    const wallet = spending.wallets.find((one) => one.objectID === objectID);
    if (!wallet) return [];
    const person = persons.find(({ cardnumber }) => cardnumber === wallet.cardnumber);
    const name = persons.length > 1 ? `${person?.label}, ${wallet.name}` : wallet.name;
    const href = linkTo(paths.movements, { objectID }, { category: listed, ...daysOf(month) });
    return [{ objectID, name, href, cents, operations }];
  });
  return (
    <Stack as="ul" gap={4}>
      {links.map(({ objectID, name, href, cents, operations }) => (
        <li key={objectID}>
          <Link className={styles.operations} href={href}>
            <span>
              <span className="unseen">{spendingCategoryNames[category]}, opérations&nbsp;: </span>
              {name}
            </span>
            <Text as="span" tone="soft" numeric>
              {links.length > 1 ? <Money cents={cents} /> : plural(operations, "opération")}
            </Text>
          </Link>
        </li>
      ))}
    </Stack>
  );
}
