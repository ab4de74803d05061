// A price list for the bookshop's till.
import type { Deps } from "#server/process/deps.ts";

/** Name, price in cents, heading. */
const articles = [
  ["Café", 180, "Comptoir"],
  ["Thé", 250, "Comptoir"],
  ["Cahier", 240, "Papeterie"],
  ["Roman", 2100, "Livres"],
] as const;

export async function furnishPriceList({ pool }: Pick<Deps, "pool">): Promise<void> {
  for (const [place, [name, cents, shelf]] of articles.entries()) {
    await pool.query(
      `insert into till_article (company_id, name, price_cents, shelf, position)
       select company_id, $1, $2, $3, $4 from partner where reference = 'librairie-des-embruns'`,
      [name, cents, shelf, place + 1],
    );
  }
}
