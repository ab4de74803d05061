// How dialogs speak of the card of a colleague to whoever is responsible for the company.
import type { Card } from "#contract/cards/rows.ts";
import { ofName } from "#contract/french.ts";

/** « de Louis Tanguy » where the reader is the employer of the bearer, else null. */
export const ofColleague = ({ relation, name }: Pick<Card, "relation" | "name">): string | null =>
  relation === "employee" ? (name ? ofName(name) : "que personne ne porte encore") : null;
