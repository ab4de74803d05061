// The settings of a person: the rows of « Profil », and the navigation beside each of their pages.
import { paths } from "#contract/paths.ts";
import { decide } from "#web/app/shared/guards.ts";
import type { Entry } from "#web/app/shared/route-entry.ts";
import { table } from "#web/paths.ts";
import type { IconName } from "#web/ui/icon.tsx";

/** In the order of « Profil ». */
const icons = {
  [paths.contactDetails]: "mail",
  [paths.signInSettings]: "key",
  [paths.devices]: "screen",
  [paths.activity]: "clock",
  [paths.notificationChoices]: "bell",
  [paths.allergies]: "shield",
  [paths.ownData]: "download",
} as const satisfies Readonly<Record<string, IconName>>;

export type SettingsPath = keyof typeof icons;

/** A page of settings. */
export interface SettingsPlace {
  path: SettingsPath;
  /** The title of its page. */
  title: string;
  icon: IconName;
}

const entries: readonly Entry[] = table;
const entryOf = (path: SettingsPath) => entries.find((entry) => entry.path === path);

export const settingsTitle = (path: SettingsPath): string => entryOf(path)?.title ?? "";

/** The pages of settings that a person of this type may enter. */
export const settingsOf = (type: 1 | 2): SettingsPlace[] =>
  (Object.keys(icons) as SettingsPath[])
    .filter((path) => {
      const guard = entryOf(path)?.guard;
      return guard && decide(guard, { token: "valid", user: { type, isReset: false } }).to === null;
    })
    .map((path) => ({ path, title: settingsTitle(path), icon: icons[path] }));
