// The transport services of the card: for a professional each leads to its page.
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import type { TransportService } from "#contract/partners/rows.ts";
import { paths } from "#contract/paths.ts";
import { DividedList } from "#web/ui/divided-list.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useTransport } from "./transport.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import styles from "./services.module.css";

export function TransportList() {
  const { type } = useUser();
  const plans = useAnswer(api.commuting.plans, {}, { enabled: type === 2 }).data?.items;
  const answer = useTransport();
  const { data } = answer;
  if (!data) {
    return (
      <NotLoaded
        answer={answer}
        label="Chargement des transports…"
        lines={2}
        height="4.5rem"
        failed="Les transports de votre carte n’ont pas pu être chargés."
      />
    );
  }
  if (data.length === 0) {
    return (
      <Text tone="soft">
        Aucun transport n’est rattaché à votre carte aujourd’hui. Certains demandent une carte
        active ou un abonnement annuel en cours.
      </Text>
    );
  }
  return (
    <DividedList>
      {data.map((one) => (
        <li key={one.id}>
          <TransportLine
            one={one}
            ownPercent={plans?.find(({ service }) => service === one.id)?.employerPercent}
          />
        </li>
      ))}
    </DividedList>
  );
}

function TransportLine({
  one,
  ownPercent,
}: {
  one: TransportService;
  ownPercent: number | undefined;
}) {
  const inner = (
    <>
      <IconTile icon="bus" />
      <span className="action-text">
        <span className="action-title">{one.name}</span>
        <span className="action-lead">{one.summary}</span>
        <span className="action-lead">{priceOf(one, ownPercent)}</span>
      </span>
    </>
  );
  if (one.code === null) return <div className={styles.transportLine}>{inner}</div>;
  return (
    <Link
      className="action-link"
      href={linkTo(paths.employeeTransport, { code: one.code, id: one.id })}
    >
      {inner}
      <Icon name="right" size={20} />
    </Link>
  );
}

/** `ownPercent` is what the reader's company pays, once it has said so; else the offer's part counts. */
function priceOf(
  { monthlyCents, employerPercent, network }: TransportService,
  ownPercent: number | undefined,
): string {
  const price = monthlyCents === 0 ? "sans supplément" : `${formatMoney(monthlyCents)} par mois`;
  const percent = ownPercent ?? employerPercent;
  if (percent === null || monthlyCents === 0) return `${network} · ${price}`;
  const payer = ownPercent === undefined ? "l’employeur" : "votre entreprise";
  const rest = percent === 100 ? "" : `, ${100 - percent}\u202f% par le salarié`;
  return `${network} · ${price}\u202f: ${percent}\u202f% payés par ${payer}${rest}`;
}
