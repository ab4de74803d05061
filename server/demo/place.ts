// A place of the demo's directory and the towns where places are.
import type { writePartner } from "../partners/partners.ts";

type Written = Parameters<typeof writePartner>[1];

/** A place of the demo; hours as people write them: « 1-5 09:00-12:30 14:00-19:00; 6 09:00-12:00 ». */
export interface DemoPlace extends Pick<
  Written,
  "reference" | "name" | "category" | "summary" | "description" | "keywords" | "street" | "accepts"
> {
  town: keyof typeof towns;
  /** Metres east and north of the middle of the town. */
  at: readonly [east: number, north: number];
  hours: string;
  phone?: string;
  email?: string;
  website?: string;
  who?: "canteenProvider" | "partnerShop";
  /** kind, title, detail; the last is days from now to the end. */
  offers?: readonly (readonly [
    kind: Written["offers"][number]["kind"],
    title: string,
    detail?: string,
    days?: number,
  ])[];
  /** Days from now: first, last, reason. */
  closed?: readonly [from: number, to: number, reason: string];
}

export const towns = {
  "Port-Lagune": { postcode: "29980", lat: 47.872, lon: -3.916 },
  "Kerval-sur-Mer": { postcode: "29981", lat: 47.846, lon: -3.861 },
  Trévenez: { postcode: "29983", lat: 47.912, lon: -3.958 },
  "Pointe-Corail": { postcode: "29982", lat: 47.851, lon: -3.987 },
} as const;
