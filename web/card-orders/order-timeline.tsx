// The timeline of an order: the states that are done, with their dates, then those to come.
import type { CardDispatch } from "#contract/card-orders/dispatch.ts";
import { type CardOrderState, cardOrderStateNames } from "#contract/card-orders/states.ts";
import { Icon } from "#web/ui/icon.tsx";
import { DateText } from "#web/ui/money.tsx";
import { CopyButton } from "#web/ui/person.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./card-orders.module.css";

const way = ["ordered", "in_production", "shipped", "delivered"] as const;

export function OrderTimeline({ order }: { order: CardDispatch }) {
  const { steps, state, carrier, tracking, acknowledgedAt } = order;
  const states: readonly CardOrderState[] =
    state === "cancelled" ? steps.map((one) => one.state) : way;
  return (
    <ol className={styles.way} aria-label="Suivi de la commande">
      {states.map((one) => {
        const at = steps.find((step) => step.state === one)?.at;
        return (
          <li key={one} data-done={at !== undefined || undefined}>
            <span className={styles.mark}>
              <Icon name={at ? (one === "cancelled" ? "forbidden" : "check") : "clock"} size={16} />
            </span>
            <span className={styles.wayWords}>
              <span className={styles.wayName}>{cardOrderStateNames[one]}</span>
              <Text as="span" tone="soft" size="small" weight="normal">
                {at ? <DateText at={at} time /> : "à venir"}
              </Text>
              {one === "in_production" && acknowledgedAt && (
                <Text as="span" tone="soft" size="small" weight="normal">
                  L’imprimeur a reçu les fichiers.
                </Text>
              )}
              {one === "shipped" && carrier && (
                <span className={styles.parcel}>
                  {carrier}
                  {tracking && (
                    <>
                      , colis {tracking}
                      <CopyButton text={tracking} label="Copier le numéro" />
                    </>
                  )}
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
