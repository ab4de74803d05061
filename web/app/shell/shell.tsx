// The frame around every screen of a logged-in person. On a phone: a thin top, the screen, a bar of at
// most four places with the card at its centre. From 1024 px: a rail at the side, nothing at the bottom.
import type { ReactNode } from "react";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import { Avatar } from "#web/ui/person.tsx";
import { ProgressBar } from "#web/ui/state.tsx";
import "./shell.css";

export interface Place {
  href: string;
  label: string;
  icon: IconName;
  /** What waits there; 0 shows nothing. */
  count?: number;
}

export interface ShellProps {
  /** In order; a phone shows the first four, two on each side of the card. */
  places: readonly Place[];
  /** The centre of the bar and the first place of the rail: where the card is shown or presented. */
  card: { href: string; label: string };
  person: { name: string; avatar?: string | null; href: string };
  /** Path of the screen shown, to mark its place. */
  current: string;
  /** The bell and other tools of the top. */
  tools?: ReactNode;
  /** What every page must say: fictitious payments, acting for another card, an end that nears. */
  notice?: ReactNode;
  /** The specification's Loading flag. */
  busy?: boolean;
  onLogout: () => void;
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
        className="shell-place"
        href={place.href}
        aria-current={current === place.href ? "page" : undefined}
      >
        <Icon name={place.icon} />
        <span className="shell-place-label">{place.label}</span>
        {place.count ? (
          <span className="shell-place-count">
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
    <aside className="shell-rail" aria-label="Menu">
      <Link className="shell-brand" href={card.href}>
        Ma carte
      </Link>
      <nav aria-label="Navigation principale">
        <ul className="shell-places">
          <PlaceLink place={{ ...card, icon: "card" }} current={current} />
          {places.map((place) => (
            <PlaceLink key={place.href} place={place} current={current} />
          ))}
        </ul>
      </nav>
      <div className="shell-rail-end">
        <Link className="shell-person" href={person.href}>
          <Avatar name={person.name} src={person.avatar} />
          <span>{person.name}</span>
        </Link>
        <button type="button" className="shell-place" onClick={onLogout}>
          <Icon name="logout" />
          <span className="shell-place-label">Se déconnecter</span>
        </button>
      </div>
    </aside>
  );
}

function Bar(props: ShellProps) {
  const { places, card } = props;
  const current = placeOf(props);
  const shown = places.slice(0, 4);
  const half = Math.ceil(shown.length / 2);
  return (
    <nav className="shell-bar" aria-label="Navigation">
      <ul>
        {shown.slice(0, half).map((place) => (
          <PlaceLink key={place.href} place={place} current={current} />
        ))}
        <li>
          <Link
            className="shell-bar-card"
            href={card.href}
            aria-current={current === card.href ? "page" : undefined}
          >
            <span className="shell-bar-disc">
              <Icon name="card" />
            </span>
            <span className="shell-place-label">{card.label}</span>
          </Link>
        </li>
        {shown.slice(half).map((place) => (
          <PlaceLink key={place.href} place={place} current={current} />
        ))}
        {/* The card stays at the centre. */}
        {shown.length % 2 === 1 && <li aria-hidden="true" />}
      </ul>
    </nav>
  );
}

/** The shell. The screen is in `children`; the focus can be moved to `#contenu` after a navigation. */
export function AppShell(props: ShellProps) {
  const { person, card, tools, notice, busy = false, onLogout, children } = props;
  return (
    <div className="shell">
      <a className="shell-skip" href="#contenu">
        Aller au contenu
      </a>
      <ProgressBar busy={busy} />
      <Rail {...props} />
      <div className="shell-column">
        <header className="shell-top">
          <Link className="shell-brand" href={card.href}>
            Ma carte
          </Link>
          <div className="shell-tools">
            {tools}
            <button
              type="button"
              className="icon-button shell-top-only"
              aria-label="Se déconnecter"
              onClick={onLogout}
            >
              <Icon name="logout" />
            </button>
            <Link className="shell-avatar shell-top-only" href={person.href}>
              <span className="unseen">Profil de {person.name}</span>
              <Avatar name={person.name} src={person.avatar} />
            </Link>
          </div>
        </header>
        {notice && <div className="shell-notice">{notice}</div>}
        <main id="contenu" className="shell-main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Bar {...props} />
    </div>
  );
}
