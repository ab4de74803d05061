// The favourite stop chosen first, with the buses that leave next.
import type { HomeStop } from "#contract/portal/family-day.ts";
import { stopPath } from "#web/transit/address.ts";
import { NextTimes, useServerNow } from "#web/transit/next-times.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import styles from "./stop-ahead.module.css";

export function StopAhead({
  stop,
  readAt,
}: {
  stop: HomeStop;
  /** When it was read, by the device's clock. */
  readAt: number;
}) {
  const now = useServerNow(Date.parse(stop.now) - readAt);
  return (
    <Section
      title={stop.name}
      action={
        <Link className={styles.stopMore} href={stopPath(stop.id)}>
          Tous les départs <Icon name="right" size={20} />
        </Link>
      }
    >
      <ul className={styles.stop} aria-label={`Prochains départs, ${stop.name}`}>
        {stop.items.map((way) => (
          <li key={`${way.line.id}/${way.direction}`} className={styles.stopWay}>
            <NextTimes way={way} now={now} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
