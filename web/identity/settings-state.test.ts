import { expect, test } from "vitest";
import type { SettingsState } from "#contract/identity/rows.ts";
import { paths } from "#contract/paths.ts";
import { contactState, settingsState } from "./settings-state.ts";

const settings: SettingsState = {
  passkeys: 0,
  recoveryCodesLeft: null,
  sessions: 1,
  lastActivity: null,
  kindsSent: { email: 0, sms: 0 },
  allergiesDeclaredAt: null,
  closesOn: null,
  dataExport: null,
};
const passwordChangedAt = "2026-05-12T09:00:00.000Z";
const now = new Date("2026-11-30T10:00:00.000Z");

type Path = Parameters<typeof settingsState>[0];
const stateOf = (path: Path, changes: Partial<SettingsState>) =>
  settingsState(path, { passwordChangedAt, settings: { ...settings, ...changes } }, now);

test("contacts: what is on file, and what is missing", () => {
  const email = "a@exemple.fr";
  const phonenumber = "+33612345678";
  expect(contactState({ email, phonenumber })).toEqual({ facts: [email, "06 12 34 56 78"] });
  expect(contactState({ email, phonenumber: null }).warning).toBe("Aucun téléphone");
  expect(contactState({ email: null, phonenumber }).warning).toBe("Aucune adresse e-mail");
  expect(contactState({ email: null, phonenumber: null })).toEqual({
    facts: [],
    warning: "Ni e-mail ni téléphone",
  });
});

test("sign-in: a password alone, or recovery codes used up, wait to be mended", () => {
  const password = "Mot de passe du 12/05/2026";
  expect(stateOf(paths.signInSettings, {})).toEqual({
    facts: [password],
    warning: "Ni clé ni code de secours",
  });
  expect(stateOf(paths.signInSettings, { passkeys: 2 })).toEqual({
    facts: [password, "2 clés d’accès"],
  });
  expect(stateOf(paths.signInSettings, { passkeys: 1, recoveryCodesLeft: 1 })).toEqual({
    facts: [password, "1 clé, 1 code de secours"],
  });
  expect(stateOf(paths.signInSettings, { passkeys: 1, recoveryCodesLeft: 0 })).toEqual({
    facts: ["1 clé d’accès"],
    warning: "Codes de secours épuisés",
  });
  const never = settingsState(paths.signInSettings, { passwordChangedAt: null, settings }, now);
  expect(never.facts).toEqual(["Mot de passe jamais changé"]);
});

test("activity: the last act, on its day", () => {
  const lastActivity = { label: "Connexion", at: "2026-11-29T08:05:00.000Z" };
  expect(stateOf(paths.activity, { lastActivity }).facts).toEqual(["Hier à 09:05", "Connexion"]);
  expect(stateOf(paths.activity, {}).facts).toEqual(["Rien pour le moment"]);
});

test.each([
  [{ email: 0, sms: 0 }, ["Dans la cloche seulement"]],
  [{ email: 14, sms: 0 }, ["14 sujets par e-mail"]],
  [{ email: 0, sms: 1 }, ["1 sujet par SMS"]],
  [{ email: 14, sms: 2 }, ["14 sujets par e-mail", "2 par SMS"]],
])("notifications sent by %o", (kindsSent, facts) => {
  expect(stateOf(paths.notificationChoices, { kindsSent }).facts).toEqual(facts);
});

test("devices, allergens and own data", () => {
  expect(stateOf(paths.devices, {}).facts).toEqual(["Cet appareil seulement"]);
  expect(stateOf(paths.devices, { sessions: 3 }).facts).toEqual(["3 connexions ouvertes"]);
  expect(stateOf(paths.allergies, {}).facts).toEqual(["Rien de déclaré"]);
  const allergiesDeclaredAt = "2026-03-12T12:00:00.000Z";
  expect(stateOf(paths.allergies, { allergiesDeclaredAt }).facts).toEqual([
    "Déclarés, accord du 12/03/2026",
  ]);
  expect(stateOf(paths.ownData, {}).facts).toEqual(["Aucun export en cours"]);
  expect(stateOf(paths.ownData, { dataExport: "waiting" }).facts).toEqual([
    "Export en préparation",
  ]);
  expect(stateOf(paths.ownData, { dataExport: "ready" }).facts).toEqual([
    "Export prêt à télécharger",
  ]);
  expect(stateOf(paths.ownData, { dataExport: "ready", closesOn: "2026-12-24" })).toEqual({
    facts: [],
    warning: "Fermeture le 24/12/2026",
  });
});
