// Decides which statements PostgreSQL keeps the plan of: planning most of our reads takes longer than running
// them.

/** A statement used so often within so many others is prepared. */
const minUses = 5;
const usesWindow = 2_000;
/** Each connection keeps the plans that it ran, some 10 MB for all of them. */
const maxPlans = 300;

const isRead = /^\s*(select|with)\b/;
// The columns of `*` change with the table, and a kept plan would then fail while another version migrates;
// several statements in one text cannot be prepared.
const isOpen = /\bselect\s+\*|\.\*|;/;
// Optional filters, searches, spans of days: one plan does not fit all values, and PostgreSQL, which guesses
// that few rows match, would keep it all the same.
const variesInSize = /\$\d+(::\w+(\[\])?)? is (not )?null|\bi?like\b|\bbetween \$/i;
const ownName = /^\s*\/\*([a-z-]+)\*\//;

/**
 * For one pool: returns the name of a statement whose plan is to be kept, undefined for one that is planned
 * anew each time.
 */
export function namePlans(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  let calls = 0;
  return (text) => {
    const known = names.get(text) ?? ownName.exec(text)?.[1];
    if (known !== undefined || names.size >= maxPlans) return known;
    if (++calls % usesWindow === 0) counts.clear();
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count < minUses) return undefined;
    if (!isRead.test(text) || isOpen.test(text) || variesInSize.test(text)) return undefined;
    const name = `plan-${names.size + 1}`;
    names.set(text, name);
    counts.delete(text);
    return name;
  };
}
