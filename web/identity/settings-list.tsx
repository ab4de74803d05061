// The settings as rows, each with its icon, its title and its present state.
import type { Output } from "#contract/endpoint.ts";
import type { api } from "#contract/api.ts";
import { paths } from "#contract/paths.ts";
import { settingsOf, type SettingsPlace } from "#web/app/shared/settings.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { DividedList } from "#web/ui/divided-list.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { LinkRow } from "#web/ui/link-row.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { contactState, type RowState, settingsState } from "./settings-state.ts";
import styles from "./settings-list.module.css";

type Profile = Output<typeof api.identity.profile>;

/** `profile` is undefined while it is read; `failed` leaves out what it would have said. */
export function SettingsList({
  profile,
  failed,
}: {
  profile: Profile | undefined;
  failed: boolean;
}) {
  const user = useUser();
  const stateOf = ({ path }: SettingsPlace): RowState | undefined => {
    if (path === paths.contactDetails) return contactState(profile ?? user);
    return profile && settingsState(path, profile);
  };
  return (
    <nav className={styles.settings} aria-label="Réglages" aria-busy={!profile && !failed}>
      <DividedList>
        {settingsOf(user.type).map((place) => (
          <li key={place.path}>
            <SettingsRow place={place} state={stateOf(place)} failed={failed} />
          </li>
        ))}
      </DividedList>
    </nav>
  );
}

function SettingsRow({
  place: { path, title, icon },
  state,
  failed,
}: {
  place: SettingsPlace;
  state: RowState | undefined;
  failed: boolean;
}) {
  return (
    <LinkRow
      href={path}
      picture={
        <span className={styles.icon}>
          <IconTile icon={icon} tone={state?.warning ? "warning" : "info"} />
        </span>
      }
    >
      <span className={styles.row}>
        <span className={styles.title}>{title}</span>
        {state ? <State state={state} /> : !failed && <Skeleton width="70%" height="1.2em" />}
      </span>
    </LinkRow>
  );
}

const State = ({ state: { facts, warning } }: { state: RowState }) => (
  <>
    {facts.length > 0 && (
      <span className={styles.state}>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </span>
    )}
    {warning && (
      <span className={styles.warning}>
        <Icon name="warning" size={16} /> {warning}
      </span>
    )}
  </>
);
