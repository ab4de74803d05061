// Addresses that the portal sends a browser to must stay on the portal.
const base = "https://portal.invalid";

/**
 * The path, query and fragment that `target` leads to on this very site, null when it leads elsewhere. The
 * resolved form is checked, not the given one: `/.//host`, `/..//host` and `/%2e//host` are plain paths that
 * resolve to `//host`, another site (docs/trust.md).
 */
export function localPath(target: string): string | null {
  if (!target.startsWith("/")) return null;
  const first = URL.parse(target, base);
  if (first?.origin !== base) return null;
  const path = first.pathname + first.search + first.hash;
  // A browser resolves it once more: it must still be the same address.
  return URL.parse(path, base)?.href === first.href ? path : null;
}

/** Paths that are the server's own: API, payment page, demo pages, and the gallery of components. */
export const serverOnly = /^\/(?:api|paiement|demo|test\/ui)(?:[/.]|$)/i;

/** Endings that a copied or typed address may have, as it is written and as a browser sends it. */
const tails = ["/", " ", "%20", "%09", "%C2%A0"] as const;

/** A path without doubled slashes, and without slashes and blanks at its end: `/login//%20` is `/login`. */
export function plainPath(path: string): string {
  let end = path.length;
  for (;;) {
    const tail = tails.find((one) => path.endsWith(one, end));
    if (!tail) break;
    end -= tail.length;
  }
  // A browser reads `\` as a slash, and two of them at the start as another site.
  return `/${path.slice(0, end)}`.replaceAll(/[/\\]+/g, "/");
}
