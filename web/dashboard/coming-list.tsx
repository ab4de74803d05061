// Next on the dashboard: tickets of the family by date, and the passes that ride.
import { firstName, formatDate, formatDayInWords, formatTime, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { HomeComing } from "#contract/portal/home.ts";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import styles from "./coming-list.module.css";

export function ComingList({ list }: { list: readonly HomeComing[] }) {
  if (list.length === 0) return null;
  return (
    <Section title="À venir">
      <ul className={styles.coming}>
        {list.map((one) => (
          <li key={one.id}>
            <Link className={styles.comingLine} href={pathOf(one)}>
              <IconTile icon={one.kind === "ticket" ? "ticket" : "bus"} />
              <span className={styles.comingWords}>
                <span className={styles.comingTitle}>{one.title}</span>
                <span className={styles.comingAbout}>{whenOf(one)}</span>
                <span className={styles.comingAbout}>{whoOf(one)}</span>
              </span>
              <Icon name="right" size={20} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const pathOf = ({ kind, id, cardnumber, idgroup }: HomeComing): string =>
  kind === "ticket"
    ? linkTo(paths.tickets, {}, { tab: "billets" })
    : linkTo(paths.fares, { group: idgroup ?? 1 }, { card: cardnumber, pass: id });

function whenOf({ kind, from, until, suspended }: HomeComing): string {
  if (kind === "ticket") return `${formatDayInWords(from)} à ${formatTime(from)}`;
  if (suspended) return "Suspendu";
  const last = formatDate(new Date(Date.parse(until) - 1));
  return Date.parse(from) > Date.now()
    ? `Du ${formatDate(from)} au ${last}`
    : `Valable jusqu’au ${last}`;
}

function whoOf({ kind, holders, count, place }: HomeComing): string {
  const names = holders.map((name) => firstName(name, holders)).join(", ");
  const what = kind === "ticket" && count > 1 ? `${plural(count, "billet")} · ${names}` : names;
  return place ? `${what} · ${place}` : what;
}
