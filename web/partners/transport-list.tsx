// The transport services of the card: for a professional each leads to its page.
import { formatMoney } from "#contract/french.ts";
import type { TransportService } from "#contract/partners/rows.ts";
import { pathTo } from "#web/paths.ts";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { useTransport } from "#web/app/transport.ts";
import styles from "./services.module.css";

export function TransportList() {
  const { data, error, isFetching, refetch } = useTransport();
  if (error && !data) {
    return (
      <ErrorState
        title="Les transports de votre carte n’ont pas pu être chargés."
        answer={{ error, isFetching, refetch }}
      />
    );
  }
  if (!data) {
    return (
      <Loading label="Chargement des transports…">
        <Skeleton lines={2} height="4.5rem" />
      </Loading>
    );
  }
  if (data.length === 0) {
    return (
      <p className={styles.transportNone}>
        Aucun transport n’est rattaché à votre carte aujourd’hui. Certains demandent une carte
        active ou un abonnement annuel en cours.
      </p>
    );
  }
  return (
    <ul className={styles.transports}>
      {data.map((one) => (
        <li key={one.id}>
          <TransportLine one={one} />
        </li>
      ))}
    </ul>
  );
}

function TransportLine({ one }: { one: TransportService }) {
  const inner = (
    <>
      <IconTile icon="bus" />
      <span className="action-text">
        <span className="action-title">{one.name}</span>
        <span className="action-lead">{one.summary}</span>
        <span className="action-lead">{priceOf(one)}</span>
      </span>
    </>
  );
  if (one.code === null) return <div className={styles.transportLine}>{inner}</div>;
  return (
    <Link className="action-link" href={pathTo("Transport_mobile", { code: one.code, id: one.id })}>
      {inner}
      <Icon name="right" size={20} />
    </Link>
  );
}

const priceOf = ({ monthlyCents, employerPercent, network }: TransportService): string => {
  const price = monthlyCents === 0 ? "sans supplément" : `${formatMoney(monthlyCents)} par mois`;
  const share = employerPercent === null ? "" : `, dont ${employerPercent}\u202f% à votre charge`;
  return `${network} · ${price}${share}`;
};
