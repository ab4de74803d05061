// The state of each page of settings, as its row in « Profil » says it.
import { capital, formatDate, formatTime, plural, spokenDay } from "#contract/french.ts";
import type { SettingsState } from "#contract/identity/rows.ts";
import { paths } from "#contract/paths.ts";
import type { SettingsPath } from "#web/app/shared/settings.ts";
import { frenchPhone } from "#web/ui/phone-format.ts";

export interface RowState {
  /** Short facts, each on a line of a phone. */
  facts: readonly string[];
  /** What waits to be mended. */
  warning?: string;
}

interface Contacts {
  email: string | null;
  phonenumber: string | null;
}

interface Known {
  passwordChangedAt: string | null;
  settings: SettingsState;
}

/** The row of « Coordonnées ». */
export function contactState({ email, phonenumber }: Contacts): RowState {
  const facts = [email, phonenumber && frenchPhone(phonenumber)].filter((one) => one !== null);
  if (email !== null && phonenumber !== null) return { facts };
  if (email !== null) return { facts, warning: "Aucun téléphone" };
  return {
    facts,
    warning: phonenumber === null ? "Ni e-mail ni téléphone" : "Aucune adresse e-mail",
  };
}

function signInState({ passwordChangedAt, settings }: Known): RowState {
  const { passkeys, recoveryCodesLeft: codes } = settings;
  const password = passwordChangedAt
    ? `Mot de passe du ${formatDate(passwordChangedAt)}`
    : "Mot de passe jamais changé";
  const keys = plural(passkeys, "clé d’accès", "clés d’accès");
  if (codes === 0) {
    return { facts: [passkeys > 0 ? keys : password], warning: "Codes de secours épuisés" };
  }
  if (codes === null) {
    return passkeys > 0
      ? { facts: [password, keys] }
      : { facts: [password], warning: "Ni clé ni code de secours" };
  }
  const others = plural(codes, "code de secours", "codes de secours");
  return { facts: [password, passkeys > 0 ? `${plural(passkeys, "clé")}, ${others}` : others] };
}

function activityState({ settings: { lastActivity: last } }: Known, now: Date): RowState {
  if (!last) return { facts: ["Rien pour le moment"] };
  return { facts: [`${capital(spokenDay(last.at, now))} à ${formatTime(last.at)}`, last.label] };
}

function notificationState({ settings: { kindsSent } }: Known): RowState {
  const { email, sms } = kindsSent;
  if (email + sms === 0) return { facts: ["Dans la cloche seulement"] };
  const subjects = (count: number) => plural(count, "sujet");
  if (sms === 0) return { facts: [`${subjects(email)} par e-mail`] };
  if (email === 0) return { facts: [`${subjects(sms)} par SMS`] };
  return { facts: [`${subjects(email)} par e-mail`, `${sms} par SMS`] };
}

function ownDataState({ settings: { closesOn, dataExport } }: Known): RowState {
  if (closesOn !== null) return { facts: [], warning: `Fermeture le ${formatDate(closesOn)}` };
  if (dataExport === "ready") return { facts: ["Export prêt à télécharger"] };
  if (dataExport === "waiting") return { facts: ["Export en préparation"] };
  return { facts: ["Aucun export en cours"] };
}

/** The state of a page of settings, except « Coordonnées ». */
export function settingsState(
  path: Exclude<SettingsPath, typeof paths.contactDetails>,
  known: Known,
  now = new Date(),
): RowState {
  const { sessions, allergiesDeclaredAt: declaredAt } = known.settings;
  switch (path) {
    case paths.signInSettings:
      return signInState(known);
    case paths.devices:
      return {
        facts: [
          sessions > 1
            ? plural(sessions, "connexion ouverte", "connexions ouvertes")
            : "Cet appareil seulement",
        ],
      };
    case paths.activity:
      return activityState(known, now);
    case paths.notificationChoices:
      return notificationState(known);
    case paths.allergies:
      return {
        facts: [declaredAt ? `Déclarés, accord du ${formatDate(declaredAt)}` : "Rien de déclaré"],
      };
    case paths.ownData:
      return ownDataState(known);
  }
}
