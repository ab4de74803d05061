// The picture of each kind of partner.
import type { IconName } from "#web/ui/icon.tsx";

/** By the category of the first level. */
export const kindIcons: Readonly<Record<string, IconName>> = {
  manger: "meal",
  courses: "wallet",
  culture: "culture",
  sport: "compass",
  bouger: "bus",
  quotidien: "home",
  enfance: "people",
};
