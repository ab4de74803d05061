// One movement in a line: what it was, when, and its amount. The dashboard and the lists share it.
import { formatTime, spokenDay } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { type Movement, type MovementKind, movementKindNames } from "#contract/wallet/rows.ts";
import { type TopUpTarget, topUpPath } from "#contract/wallet/top-up-path.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row } from "#web/ui/stack.tsx";
import type { Column } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./movement-line.module.css";

const icons: Record<MovementKind, IconName> = {
  top_up: "plus",
  transfer_in: "incoming",
  transfer_out: "outgoing",
  purchase: "card",
  meal: "meal",
  grant: "gift",
  refund: "refresh",
  expiry: "clock",
  dispute: "warning",
  correction: "edit",
};

/**
 * The columns of a line. `day` says the day before the hour, where the list does not; `topUps` is the
 * wallet whose top-ups link to their status and receipt. A purchase at a till links to its own.
 */
export const lineColumns = ({
  day,
  topUps,
}: {
  day: boolean;
  topUps?: TopUpTarget | undefined;
}): Column<Movement>[] => [
  {
    key: "label",
    label: "Opération",
    place: "title",
    cell: (row) => (
      <Row as="span" wrap={false}>
        <span className={styles.movementIcon} data-incoming={row.amountCents > 0 || undefined}>
          <Icon name={icons[row.kind]} size={20} />
        </span>
        <span className={styles.movementWords}>
          <Text as="span" weight="strong" breakWord>
            {topUps && row.topUp ? (
              <Link href={topUpPath(topUps, { topUp: row.topUp })}>{row.label}</Link>
            ) : row.sale ? (
              <Link href={linkTo(paths.tillPurchase, { sale: row.sale })}>{row.label}</Link>
            ) : (
              row.label
            )}
          </Text>
          <Text as="span" tone="soft" size="small" weight="normal">
            <span className={styles.movementKind}>{movementKindNames[row.kind]} · </span>
            <time dateTime={row.at}>
              {day && `${spokenDay(row.at)} `}
              {formatTime(row.at)}
            </time>
          </Text>
        </span>
      </Row>
    ),
  },
  {
    key: "amount",
    label: "Montant",
    align: "end",
    place: "end",
    cell: (row) => <Money cents={row.amountCents} signed />,
  },
];
