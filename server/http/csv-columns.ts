// Which columns the titles of a CSV name, whatever their case and accents.

/** A title in small letters and digits: "Prénom" is prenom, "E-mail" is email. */
const plainTitle = (title: string): string =>
  title
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");

/**
 * The columns in the order of the titles; else, in French, which are missing, unknown or there twice.
 * `synonyms`: other plain titles of a column.
 */
export function columnsIn<Column extends string>(
  titles: readonly string[],
  { needed, optional }: { needed: readonly Column[]; optional: readonly Column[] },
  synonyms: Readonly<Record<string, Column>>,
): Column[] | string {
  const columns: ReadonlySet<string> = new Set([...needed, ...optional]);
  const names = titles.map((title) => {
    const plain = plainTitle(title);
    return Object.hasOwn(synonyms, plain) ? (synonyms[plain] as string) : plain;
  });
  const missing = needed.filter((name) => !names.includes(name));
  const unknown = titles.filter((_, place) => !columns.has(names[place] ?? ""));
  const doubled = names.filter((name, place) => names.indexOf(name) !== place);
  const wrong = [
    missing.length > 0 ? `il manque ${missing.join(", ")}` : null,
    unknown.length > 0
      ? `inconnu : ${unknown.map((title) => `« ${title.slice(0, 40)} »`).join(", ")}`
      : null,
    doubled.length > 0 ? `deux fois : ${doubled.join(", ")}` : null,
  ].filter((one) => one !== null);
  return wrong.length > 0 ? wrong.join(" ; ").slice(0, 300) : (names as Column[]);
}
