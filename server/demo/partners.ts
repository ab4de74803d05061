// The demo's directory: a small coastal town and its neighbours, written as an operator's file would.
import { addDays, parisDay } from "#contract/days.ts";
import { writePartner, writeTransport } from "../partners/partners.ts";
import type { Tx } from "../db/db.ts";
import { cast } from "./cast.ts";
import { type DemoPlace, towns } from "./place.ts";
import { places } from "./places.ts";

type Written = Parameters<typeof writePartner>[1];
type Hours = Written["hours"];

/** Writes the partners and the transport services of the demo. */
export async function openDirectory(tx: Tx, now: Date): Promise<void> {
  const on = (days: number) => addDays(parisDay(now), days);
  for (const place of places) {
    const wrong = await writePartner(tx, writtenOf(place, on));
    if (wrong) throw new Error(`the demo's ${place.reference}: ${wrong}`);
  }
  for (const one of transports) await writeTransport(tx, one);
}

function writtenOf(place: DemoPlace, on: (days: number) => string): Written {
  const { reference, name, category, summary, description, keywords, street, accepts, town } =
    place;
  const { postcode, lat, lon } = towns[town];
  const [east, north] = place.at;
  return {
    reference,
    name,
    category,
    summary,
    description,
    keywords,
    street,
    accepts,
    town,
    postcode,
    lat: lat + north / 111_195,
    lon: lon + east / (111_195 * Math.cos((lat * Math.PI) / 180)),
    cardnumber: place.who ? cast[place.who].cardnumber : null,
    phone: place.phone ?? null,
    email: place.email ?? null,
    website: place.website ?? null,
    hours: hoursOf(place.hours),
    closures: place.closed
      ? [{ fromOn: on(place.closed[0]), toOn: on(place.closed[1]), reason: place.closed[2] }]
      : [],
    offers: (place.offers ?? []).map(([kind, title, detail, days]) => ({
      kind,
      title,
      detail: detail ?? null,
      fromOn: null,
      toOn: days === undefined ? null : on(days),
    })),
  };
}

function hoursOf(written: string): Hours {
  return written.split("; ").flatMap((part) => {
    const [days = "", ...spans] = part.split(" ");
    const [first = 1, last = first] = days.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n).flatMap((weekday) =>
      spans.map((span) => {
        const [opens = "", closes = ""] = span.split("-");
        return { weekday, opens, closes };
      }),
    );
  });
}

const network = { network: "Réseau Lagune", phone: "+33298000010", email: "pro@lagune.exemple.fr" };

const transports: readonly Parameters<typeof writeTransport>[1][] = [
  {
    ...network,
    reference: "navette-du-port",
    audience: 1,
    name: "Navette du port",
    summary: "Montez à bord avec votre carte : la navette est comprise dans votre abonnement.",
    conditions: [
      "Tant que l’abonnement annuel de la carte court.",
      "Tous les jours, de 7:00 à 21:00.",
    ],
    monthlyCents: 0,
    employerPercent: null,
    subscribedOnly: true,
  },
  {
    ...network,
    reference: "parc-relais",
    audience: 1,
    name: "Parc relais de Trévenez",
    summary: "La barrière s’ouvre avec votre carte les jours où vous prenez le bus.",
    conditions: ["Une place par carte et par jour.", "La nuit n’est pas comprise."],
    monthlyCents: 0,
    employerPercent: null,
    subscribedOnly: false,
  },
  {
    ...network,
    reference: "mobilite-salaries",
    audience: 2,
    name: "Abonnement des salariés",
    summary: "Tout le réseau de bus, pour les trajets domicile-travail et le reste du temps.",
    conditions: [
      "L’employeur paie au moins la moitié de l’abonnement, mensuel ou annuel.",
      "Le salarié garde le titre sur sa propre carte, tous les jours de la semaine.",
      "Facturation mensuelle, à terme échu, des abonnements achetés dans le mois.",
    ],
    monthlyCents: 4400,
    employerPercent: 50,
    subscribedOnly: false,
    products: ["lagon-mois", "lagon-an"],
  },
  {
    ...network,
    reference: "velo-station-entreprise",
    audience: 2,
    name: "Vélo-station entreprise",
    summary: "Un vélo à assistance électrique au mois, entretenu par le réseau.",
    conditions: [
      "Engagement de trois mois par vélo.",
      "Le salarié laisse une caution de 150 €, rendue avec le vélo.",
      "Peut s’ajouter à l’abonnement de bus, dans la limite du forfait mobilités durables.",
    ],
    monthlyCents: 4500,
    employerPercent: 70,
    subscribedOnly: false,
  },
  {
    ...network,
    reference: "navette-zone-du-moulin",
    audience: 2,
    name: "Navette de la zone du Moulin",
    summary: "Deux navettes le matin et deux le soir, de la gare aux ateliers.",
    conditions: [
      "Réservée aux entreprises de la zone du Moulin.",
      "Le contrat vaut pour une année scolaire, renouvelé sauf avis contraire.",
    ],
    monthlyCents: 2200,
    employerPercent: 100,
    subscribedOnly: true,
  },
];
