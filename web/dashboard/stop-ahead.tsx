// The favourite stop chosen first, with the buses that leave next: read again once one of them has left.
import { useEffect } from "react";
import type { HomeStop } from "#contract/portal/family-day.ts";
import { readAgain } from "#web/app/transport/answers.ts";
import { stopPath } from "#web/transit/address.ts";
import { NextTimes, stillToLeave, useServerNow } from "#web/transit/next-times.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Stack } from "#web/ui/stack.tsx";
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
  const ways = stop.items.filter(({ next }) => stillToLeave(next, now).length > 0);
  const hasDeparted = stop.items.some(({ next }) => stillToLeave(next, now).length < next.length);
  useEffect(() => {
    if (hasDeparted) void readAgain(new Set(["favourites"]));
  }, [hasDeparted]);
  if (ways.length === 0) return null;
  return (
    <Section
      title={stop.name}
      action={
        <Link className={styles.stopMore} href={stopPath(stop.id)}>
          Tous les départs <Icon name="right" size={20} />
        </Link>
      }
    >
      <Stack as="ul" gap={12} aria-label={`Prochains départs, ${stop.name}`}>
        {ways.map((way) => (
          <li key={`${way.line.id}/${way.direction}`} className={styles.stopWay}>
            <NextTimes way={way} now={now} />
          </li>
        ))}
      </Stack>
    </Section>
  );
}
