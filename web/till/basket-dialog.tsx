// The lines of the sale under way, each with its count.
import { formatMoney } from "#contract/french.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { type BasketLine, changeCount } from "./basket.ts";
import styles from "./sale.module.css";

export function BasketDialog({
  lines,
  onLines,
  onClose,
}: {
  lines: readonly BasketLine[];
  onLines: (lines: readonly BasketLine[]) => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Articles de l’achat"
      actions={
        <>
          <Button onClick={() => onLines([])}>Tout retirer</Button>
          <Button kind="primary" onClick={onClose}>
            Valider
          </Button>
        </>
      }
    >
      <DividedList>
        {lines.map((line, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- one article may have two lines at one price
          <li key={`${place} ${line.article}`} className={styles.line}>
            <Stack gap={4}>
              <Text as="strong" breakWord>
                {line.name}
              </Text>
              <Text as="span" tone="soft">
                {formatMoney(line.priceCents)}
              </Text>
            </Stack>
            <Row gap={8} wrap={false}>
              <IconButton
                icon="minus"
                label={`Un de moins\u202f: ${line.name}`}
                onClick={() => onLines(changeCount(lines, place, -1))}
              />
              <Text as="output" numeric>
                {line.count}
              </Text>
              <IconButton
                icon="plus"
                label={`Un de plus\u202f: ${line.name}`}
                onClick={() => onLines(changeCount(lines, place, 1))}
              />
            </Row>
            <Money cents={line.priceCents * line.count} />
          </li>
        ))}
      </DividedList>
    </Dialog>
  );
}
