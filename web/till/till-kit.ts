// The kit of a till, kept on the device to charge without network: its counters with their terms, its price list, the
// keys that verify codes, and the codes that are refused.
import type { TillArticle } from "#contract/till/articles.ts";
import type { CompanyRole } from "#contract/companies/roles.ts";
import type { TillCounter } from "#contract/till/rows.ts";
import type { CodeKey } from "#web/signed-codes/read-code.ts";
import { observed } from "#web/app/transport/observed.ts";

export interface TillKit {
  /** When the server told it, and until when it may be relied on; ISO instants. */
  at: string;
  until: string;
  counters: readonly TillCounter[];
  articles: readonly TillArticle[];
  roles: readonly CompanyRole[];
  keys: readonly CodeKey[];
  /** Kind, id, and the first revision that is good again, 0 for none. */
  revoked: readonly (readonly [string, string, number])[];
}

/** Undefined until the device was asked for it (offline-desk.tsx), null where it has none. */
export const tillKit = observed<TillKit | null | undefined>(undefined);
