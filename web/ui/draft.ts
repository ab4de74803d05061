// What is typed in a form and not sent yet, and which rows of a list are unfolded, kept in the session storage
// of this tab. It outlives a session that ends by itself, for the same person only; a logout, in any tab,
// forgets it. Passwords, bank details, health data and files are never named in a draft.

interface Draft<Values> {
  name: string;
  fields: readonly (keyof Values & string)[];
}

interface StoredDraft {
  by: string;
  values: object;
}

/** The number typed at the login, which the form of a forgotten password begins with. */
export const forgottenDraft = { name: "forgotten", fields: ["number"] } as const;

const prefix = "draft:";
let owner = "";

/** The drafts of this tab are this person's from now on: those of anybody else go. */
export function claimDrafts(by: string): void {
  owner = by;
  for (const key of keys()) if (readStored(key)?.by !== by) sessionStorage.removeItem(key);
}

/** The values that a form begins with: those kept under the name of the draft, else the first ones. */
export const readDraft = <Values extends object>(
  { name }: Draft<Values>,
  first: Values,
): Values => ({ ...first, ...readStored(prefix + name)?.values });

/** Keeps the fields of the draft as they are now. */
export function keepDraft<Values extends object>(
  { name, fields }: Draft<Values>,
  values: Values,
): void {
  const stored = Object.fromEntries(fields.map((field) => [field, values[field]]));
  sessionStorage.setItem(prefix + name, JSON.stringify({ by: owner, values: stored }));
}

/** Whether something is kept under the name of a draft. */
export const hasDraft = (name: string): boolean => readStored(prefix + name) !== null;

/** Forgets one draft: the form was sent. */
export const dropDraft = (name: string): void => sessionStorage.removeItem(prefix + name);

/** Forgets every draft of this tab: the person logged out. */
export function dropDrafts(): void {
  for (const key of keys()) sessionStorage.removeItem(key);
}

const keys = (): string[] => Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));

function readStored(key: string): StoredDraft | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") as StoredDraft | null;
  } catch {
    return null;
  }
}
