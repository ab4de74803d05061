// One's favourite stops with the buses that leave first, at the head of the bus screen.
import { plural } from "#contract/french.ts";
import type { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import type { FavouriteStop } from "#contract/transit/rows.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { stopPath } from "./address.ts";
import { FavouriteButton, useFavourite } from "./favourite-button.tsx";
import { NextTimes, theoretical, useServerNow } from "./next-times.tsx";
import styles from "./transit.module.css";

export function FavouriteStops({
  answer,
  readAt,
}: {
  answer: Output<typeof api.transit.favourites>;
  /** When it was read, by the device's clock. */
  readAt: number;
}) {
  const now = useServerNow(Date.parse(answer.now) - readAt);
  if (answer.items.length === 0) return null;
  return (
    <Section title="Mes arrêts favoris">
      <ul className={styles.favourites}>
        {answer.items.map((stop) => (
          <li key={stop.id}>
            {stop.isServed ? <Served {...{ stop, now }} /> : <Gone stop={stop} />}
          </li>
        ))}
      </ul>
      {answer.items.some(({ items }) => items.length > 0) && (
        <Text tone="soft" size="fine">
          {theoretical}
        </Text>
      )}
    </Section>
  );
}

function Served({ stop, now }: { stop: FavouriteStop; now: number }) {
  return (
    <>
      <h3>
        <Link className={styles.favouriteName} href={stopPath(stop.id)}>
          {stop.name}
          <Icon name="right" size={20} />
        </Link>
      </h3>
      {stop.items.length === 0 && (
        <Text tone="soft" size="fine">
          Aucun départ dans les sept prochains jours.
        </Text>
      )}
      <ul className={styles.departures} aria-label={`Prochains départs, ${stop.name}`}>
        {stop.items.map((way) => (
          <li key={`${way.line.id}/${way.direction}`} className={styles.favouriteWay}>
            <NextTimes way={way} now={now} />
          </li>
        ))}
      </ul>
      {stop.items.length > 0 && stop.more > 0 && (
        <Text tone="soft" size="fine">
          Et {plural(stop.more, "autre direction", "autres directions")} à cet arrêt.
        </Text>
      )}
    </>
  );
}

function Gone({ stop }: { stop: FavouriteStop }) {
  const favourite = useFavourite(stop.id);
  return (
    <Stack gap={8}>
      <h3>{stop.name}</h3>
      <p>Cet arrêt n’est plus desservi.</p>
      <ProblemBanner problem={favourite.error} title="Vos favoris n’ont pas changé." />
      <div>
        <FavouriteButton isFavourite change={favourite} />
      </div>
    </Stack>
  );
}
