// School holidays of metropolitan France by zone, as the ministry of education publishes them (décret et
// arrêtés du calendrier scolaire; open data « Le calendrier scolaire », Licence Ouverte 2.0). Days are
// without school, first and last included.

export const schoolZones = ["A", "B", "C"] as const;
export type SchoolZone = (typeof schoolZones)[number];

interface Holiday {
  name: string;
  zones: readonly SchoolZone[];
  from: string;
  to: string;
}

const all = schoolZones;
export const schoolHolidays: readonly Holiday[] = [
  { name: "Vacances de la Toussaint", zones: all, from: "2025-10-18", to: "2025-11-02" },
  { name: "Vacances de Noël", zones: all, from: "2025-12-20", to: "2026-01-04" },
  { name: "Vacances d’hiver", zones: ["A"], from: "2026-02-07", to: "2026-02-22" },
  { name: "Vacances d’hiver", zones: ["B"], from: "2026-02-14", to: "2026-03-01" },
  { name: "Vacances d’hiver", zones: ["C"], from: "2026-02-21", to: "2026-03-08" },
  { name: "Vacances de printemps", zones: ["A"], from: "2026-04-04", to: "2026-04-19" },
  { name: "Vacances de printemps", zones: ["B"], from: "2026-04-11", to: "2026-04-26" },
  { name: "Vacances de printemps", zones: ["C"], from: "2026-04-18", to: "2026-05-03" },
  { name: "Pont de l’Ascension", zones: all, from: "2026-05-14", to: "2026-05-17" },
  { name: "Vacances d’été", zones: all, from: "2026-07-04", to: "2026-08-31" },
  { name: "Vacances de la Toussaint", zones: all, from: "2026-10-17", to: "2026-11-01" },
  { name: "Vacances de Noël", zones: all, from: "2026-12-19", to: "2027-01-03" },
  { name: "Vacances d’hiver", zones: ["A"], from: "2027-02-13", to: "2027-02-28" },
  { name: "Vacances d’hiver", zones: ["B"], from: "2027-02-20", to: "2027-03-07" },
  { name: "Vacances d’hiver", zones: ["C"], from: "2027-02-06", to: "2027-02-21" },
  { name: "Vacances de printemps", zones: ["A"], from: "2027-04-10", to: "2027-04-25" },
  { name: "Vacances de printemps", zones: ["B"], from: "2027-04-17", to: "2027-05-02" },
  { name: "Vacances de printemps", zones: ["C"], from: "2027-04-03", to: "2027-04-18" },
  { name: "Pont de l’Ascension", zones: all, from: "2027-05-06", to: "2027-05-09" },
  { name: "Vacances d’été", zones: all, from: "2027-07-03", to: "2027-08-31" },
];

/** The school holiday of a zone that a day (ISO date) is in, null on a school day. */
export const schoolHolidayOn = (zone: SchoolZone, day: string): string | null =>
  schoolHolidays.find(({ zones, from, to }) => zones.includes(zone) && from <= day && day <= to)
    ?.name ?? null;
