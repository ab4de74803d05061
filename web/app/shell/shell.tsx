// The frame around every screen of a logged-in person. On a phone: a thin top, the screen, a bar of at
// most four places with the card at its centre, the last of which holds the rest where there are many. From
// 1024 px: a rail at the side, nothing at the bottom.
import type { ReactNode } from "react";
import { ofName } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import { PersonAvatar } from "#web/app/shared/person-avatar.tsx";
import { ProgressBar, Skeleton } from "#web/ui/state.tsx";
import styles from "./shell.module.css";

export interface Place {
  href: string;
  label: string;
  icon: IconName;
  /** What waits there; 0 shows nothing. */
  count?: number;
}

export interface ShellProps {
  /** In order, none while they are not known; a phone shows the first four, two on each side of the card, or three and the rest. */
  places: readonly Place[];
  /** The centre of the bar and the first place of the rail: where the card is shown or presented. */
  card: { href: string; label: string };
  person: { name: string; avatar: string | null; href: string };
  /** Path of the screen shown, to mark its place. */
  current: string;
  /** The bell and other tools of the top. */
  tools?: ReactNode;
  /** Notices of every page: fictitious payments, acting for another card, an end that nears. */
  notice?: ReactNode;
  /** The specification's Loading flag. */
  busy?: boolean;
  /** The screen alone, without menu, top and foot: a till that stands on its counter. */
  bare?: boolean;
  onLogout: () => void;
  /** Below every screen. */
  footer?: ReactNode;
  children: ReactNode;
}

/** The place that holds the screen, the nearest one: /services/cagnottes is no longer « Services ». */
function placeOf({ current, places, card }: ShellProps): string | undefined {
  return [card, ...places]
    .map(({ href }) => href)
    .filter((href) => current === href || current.startsWith(`${href}/`))
    .toSorted((one, other) => other.length - one.length)[0];
}

function PlaceLink({ place, current }: { place: Place; current: string | undefined }) {
  return (
    <li>
      <Link
        className={styles.shellPlace}
        href={place.href}
        aria-current={current === place.href ? "page" : undefined}
      >
        <Icon name={place.icon} />
        <span className={styles.shellPlaceLabel}>{place.label}</span>
        {place.count ? (
          <span className={styles.shellPlaceCount}>
            {place.count}
            <span className="unseen"> en attente</span>
          </span>
        ) : null}
      </Link>
    </li>
  );
}

function Rail(props: ShellProps) {
  const { places, card, person, onLogout } = props;
  const current = placeOf(props);
  return (
    <aside className={styles.shellRail} aria-label="Menu">
      <Link className={styles.shellBrand} href={card.href}>
        Ma carte
      </Link>
      <nav aria-label="Navigation principale">
        <ul className={styles.shellPlaces}>
          <PlaceLink place={{ ...card, icon: "card" }} current={current} />
          {places.map((place) => (
            <PlaceLink key={place.href} place={place} current={current} />
          ))}
        </ul>
        {places.length === 0 && <Skeleton lines={9} height="42px" />}
      </nav>
      <div className={styles.shellRailEnd}>
        <Link className={styles.shellPerson} href={person.href}>
          <PersonAvatar name={person.name} avatar={person.avatar} />
          <span>{person.name}</span>
        </Link>
        <button type="button" className={styles.shellPlace} onClick={onLogout}>
          <Icon name="logout" />
          <span className={styles.shellPlaceLabel}>Se déconnecter</span>
        </button>
      </div>
    </aside>
  );
}

/** The places that a phone's bar has no room for, behind a button. */
function More({ places, current }: { places: readonly Place[]; current: string | undefined }) {
  const holds = places.some(({ href }) => href === current);
  return (
    <li>
      <button
        type="button"
        className={styles.shellPlace}
        popoverTarget="autres-places"
        aria-current={holds ? "true" : undefined}
      >
        <Icon name="more" />
        <span className={styles.shellPlaceLabel}>Plus</span>
      </button>
      <div id="autres-places" popover="auto" className={styles.shellMore}>
        {places.map(({ href, label, icon }) => (
          <Link
            key={href}
            href={href}
            aria-current={current === href ? "page" : undefined}
            onClick={(event) => event.currentTarget.parentElement?.hidePopover()}
          >
            <Icon name={icon} />
            {label}
          </Link>
        ))}
      </div>
    </li>
  );
}

/** Above it the bar keeps its last place for the rest; « Aide » and « Contact » have other ways there. */
const maxPlaces = 6;

function Bar(props: ShellProps) {
  const { places, card } = props;
  const current = placeOf(props);
  const many = places.length > maxPlaces;
  const visible = places.slice(0, many ? 3 : 4);
  const half = Math.ceil(visible.length / 2);
  return (
    <nav className={styles.shellBar} aria-label="Navigation">
      <ul>
        {visible.slice(0, half).map((place) => (
          <PlaceLink key={place.href} place={place} current={current} />
        ))}
        <li>
          <Link
            className={styles.shellBarCard}
            href={card.href}
            aria-current={current === card.href ? "page" : undefined}
          >
            <span className={styles.shellBarDisc}>
              <Icon name="card" />
            </span>
            <span className={styles.shellPlaceLabel}>{card.label}</span>
          </Link>
        </li>
        {visible.slice(half).map((place) => (
          <PlaceLink key={place.href} place={place} current={current} />
        ))}
        {many && <More places={places.slice(3)} current={current} />}
        {/* The card stays at the centre. */}
        {!many && visible.length % 2 === 1 && <li aria-hidden="true" />}
      </ul>
    </nav>
  );
}

/** One tap away on a phone, whose bar has no place for it; logging out is in the profile there. */
const help = { href: paths.faq, label: "Aide" };

/** The shell. The screen is in `children`; the focus can be moved to `#contenu` after a navigation. */
export function AppShell(props: ShellProps) {
  const {
    person,
    card,
    current,
    tools,
    notice,
    busy = false,
    bare = false,
    footer,
    children,
  } = props;
  return (
    <div className={styles.shell} data-bare={bare || undefined}>
      <a className={styles.shellSkip} href="#contenu">
        Aller au contenu
      </a>
      <ProgressBar busy={busy} />
      {!bare && <Rail {...props} />}
      <div className={styles.shellColumn}>
        {!bare && (
          <header className={styles.shellTop}>
            <Link className={styles.shellBrand} href={card.href}>
              Ma carte
            </Link>
            <div className={styles.shellTools}>
              {tools}
              <Link
                className={`icon-button ${styles.shellTopOnly}`}
                href={help.href}
                aria-label={help.label}
                aria-current={current === help.href ? "page" : undefined}
              >
                <Icon name="help" />
              </Link>
              <Link className={`${styles.shellAvatar} ${styles.shellTopOnly}`} href={person.href}>
                <span className="unseen">Profil {ofName(person.name)}</span>
                <PersonAvatar name={person.name} avatar={person.avatar} />
              </Link>
            </div>
          </header>
        )}
        {notice && <div className={styles.shellNotice}>{notice}</div>}
        <main id="contenu" className={styles.shellMain} tabIndex={-1}>
          {children}
        </main>
        {!bare && footer}
      </div>
      {!bare && <Bar {...props} />}
    </div>
  );
}
