// What is typed in a form and not sent yet, kept in the session storage of this tab. The end of the
// session forgets it. Passwords, bank details, health data and files are never named in a draft.

interface Draft<Values> {
  name: string;
  fields: readonly (keyof Values & string)[];
}

const prefix = "draft:";

/** The values that a form begins with: those kept under the name of the draft, else the first ones. */
export function readDraft<Values extends object>(
  { name, fields }: Draft<Values>,
  first: Values,
): Values {
  const kept = parsed(sessionStorage.getItem(prefix + name));
  const known = Object.entries(kept).filter(([field]) => fields.some((one) => one === field));
  return { ...first, ...Object.fromEntries(known) };
}

function parsed(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Keeps the fields of the draft as they are now. */
export function keepDraft<Values extends object>(
  { name, fields }: Draft<Values>,
  values: Values,
): void {
  const kept = Object.fromEntries(fields.map((field) => [field, values[field]]));
  sessionStorage.setItem(prefix + name, JSON.stringify(kept));
}

/** Forgets one draft: the form was sent. */
export const dropDraft = (name: string): void => sessionStorage.removeItem(prefix + name);

/** Forgets every draft of this tab: the session is over. */
export function dropDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  }
}
