// Addresses that the portal sends a browser to must stay on the portal.
const base = "https://portal.invalid";

/**
 * The path, query and fragment that `wanted` leads to on this very site, null when it leads
 * elsewhere. The resolved form is checked, not the given one: `/.//host`, `/..//host` and
 * `/%2e//host` are plain paths that resolve to `//host`, another site (docs/trust.md).
 */
export function localPath(wanted: string): string | null {
  if (!wanted.startsWith("/")) return null;
  const first = URL.parse(wanted, base);
  if (first?.origin !== base) return null;
  const path = first.pathname + first.search + first.hash;
  // A browser resolves it once more: it must still be the same address.
  return URL.parse(path, base)?.href === first.href ? path : null;
}
