// The buses of the demo scheme: an invented network on the invented coast of the demo's partners.

/** Kilometres east and north of the town hall of Port-Lagune. */
type Spot = readonly [east: number, north: number];

export const townHall = { lat: 47.872, lon: -3.916 };

export const spots: Readonly<Record<string, Spot>> = {
  "Gare de Port-Lagune": [0.9, 0.7],
  "Place de la Gare": [0.6, 0.5],
  "Hôtel de Ville": [0, 0],
  Halles: [-0.3, -0.2],
  "Vieux Port": [-0.4, -0.7],
  Embarcadère: [-0.8, -1.0],
  "Quai des Goélands": [-1.4, -1.1],
  "Les Ajoncs": [-2.1, -1.2],
  "Moulin de la Dune": [-3.0, -1.5],
  "Phare de Kerlannic": [-4.0, -1.9],
  "Pointe-Corail Bourg": [-5.2, -2.3],
  "Pointe-Corail Plage": [-5.6, -2.8],
  "Hôpital Sainte-Anne": [1.6, 1.9],
  "Clinique du Parc": [1.2, 1.5],
  "Jean-Moulin": [0.7, 1.1],
  République: [0.2, 0.4],
  Médiathèque: [0.3, -0.4],
  "Collège Anita-Conti": [0.8, -0.9],
  "Stade nautique": [1.3, -1.3],
  "Lycée Jules-Verne": [1.9, -1.6],
  "Université des Embruns": [2.5, -1.8],
  Technopole: [3.1, -2.2],
  "Trévenez Église": [-3.1, 4.4],
  "Trévenez Mairie": [-3.0, 4.1],
  "Les Quatre Vents": [-2.6, 3.4],
  "Bois du Loc’h": [-2.0, 2.7],
  "Pont-Neuf": [-1.3, 1.9],
  "Cité des Mouettes": [-0.9, 1.2],
  "Saint-Guénolé": [-0.4, 0.7],
  "Les Salines": [1.4, -0.3],
  "Zone des Salines": [2.2, -0.5],
  "Centre commercial": [2.9, -0.4],
  "Kerval Plage": [4.3, -3.3],
  "Kerval Bourg": [4.1, -2.9],
  "École des Tilleuls": [3.7, -2.5],
  "Route de la Mer": [3.2, -1.7],
  "Les Pins": [2.4, -1.1],
  "Cimetière marin": [1.7, -0.8],
  Arsenal: [0.9, -0.3],
  "Rond-point des Îles": [-1.9, 0.2],
  Gendarmerie: [-1.2, 0.1],
  "Piscine Corail": [-2.7, 0.1],
  "Lotissement du Verger": [-3.4, -0.2],
  Kerlouan: [-4.1, -0.6],
  "Maison de santé": [-4.6, -1.3],
  Camping: [-5.0, -1.8],
  "Ferme du Gall": [-3.6, 2.9],
  "Croix-Rouge": [-3.3, 2.2],
  Kerdavid: [-2.9, 1.5],
  "Chapelle Sainte-Barbe": [-2.2, 0.9],
  "École Jean-Macé": [-1.0, -0.3],
  "Le Bourgneuf": [3.6, -3.6],
  "Penn-ar-Roz": [3.0, -3.2],
  "Ty-Nevez": [2.3, -2.7],
};

/** Minutes of the day between which a bus leaves every so often, in both ways. */
export type Beat = readonly [from: number, to: number, every: number];

export interface DemoLine {
  id: string;
  number: string;
  color: string;
  network: "lagon" | "scolaire";
  stops: readonly string[];
  /** Stops of the short trips, every other one: from the first to this one. */
  short?: string;
  week: readonly Beat[];
  saturday: readonly Beat[];
  sunday: readonly Beat[];
  /** Minutes of departure on school days: there, and back. */
  school?: { there: readonly number[]; back: readonly number[]; wednesday: readonly number[] };
  /** Minutes of departure on the nights of Friday and Saturday. */
  night?: readonly number[];
}

const at = (hours: number, minutes = 0) => hours * 60 + minutes;
const busy: readonly Beat[] = [
  [at(5, 40), at(7), 20],
  [at(7), at(9), 12],
  [at(9), at(16), 20],
  [at(16), at(19), 12],
  [at(19), at(23, 10), 30],
];
const calm: readonly Beat[] = [
  [at(6, 5), at(9), 30],
  [at(9), at(16), 60],
  [at(16), at(20, 30), 30],
];
const saturday: readonly Beat[] = [[at(6, 30), at(22, 30), 30]];
const sunday: readonly Beat[] = [[at(8, 30), at(20, 30), 60]];

export const demoLines: readonly DemoLine[] = [
  {
    id: "L1",
    number: "1",
    color: "C23B1E",
    network: "lagon",
    stops: [
      "Gare de Port-Lagune",
      "Place de la Gare",
      "République",
      "Hôtel de Ville",
      "Halles",
      "Vieux Port",
      "Embarcadère",
      "Quai des Goélands",
      "Les Ajoncs",
      "Moulin de la Dune",
      "Phare de Kerlannic",
      "Pointe-Corail Bourg",
      "Pointe-Corail Plage",
    ],
    short: "Les Ajoncs",
    week: busy,
    saturday,
    sunday,
  },
  {
    id: "L2",
    number: "2",
    color: "0B6E8A",
    network: "lagon",
    stops: [
      "Hôpital Sainte-Anne",
      "Clinique du Parc",
      "Jean-Moulin",
      "Place de la Gare",
      "République",
      "Hôtel de Ville",
      "Médiathèque",
      "Collège Anita-Conti",
      "Stade nautique",
      "Lycée Jules-Verne",
      "Université des Embruns",
      "Technopole",
    ],
    short: "Stade nautique",
    week: busy,
    saturday,
    sunday,
  },
  {
    id: "L3",
    number: "3",
    color: "3B7A2A",
    network: "lagon",
    stops: [
      "Trévenez Église",
      "Trévenez Mairie",
      "Les Quatre Vents",
      "Bois du Loc’h",
      "Pont-Neuf",
      "Cité des Mouettes",
      "Saint-Guénolé",
      "Hôtel de Ville",
      "Arsenal",
      "Les Salines",
      "Zone des Salines",
      "Centre commercial",
    ],
    week: calm,
    saturday,
    sunday,
  },
  {
    id: "L4",
    number: "4",
    color: "F2B705",
    network: "lagon",
    stops: [
      "Kerval Plage",
      "Kerval Bourg",
      "École des Tilleuls",
      "Route de la Mer",
      "Les Pins",
      "Cimetière marin",
      "Arsenal",
      "Médiathèque",
      "Hôtel de Ville",
      "République",
      "Gare de Port-Lagune",
    ],
    week: calm,
    saturday,
    sunday,
  },
  {
    id: "L5",
    number: "5",
    color: "7A4BA8",
    network: "lagon",
    stops: [
      "Gare de Port-Lagune",
      "République",
      "Hôtel de Ville",
      "École Jean-Macé",
      "Gendarmerie",
      "Rond-point des Îles",
      "Piscine Corail",
      "Lotissement du Verger",
      "Kerlouan",
      "Maison de santé",
      "Camping",
      "Pointe-Corail Bourg",
    ],
    week: calm,
    saturday: [[at(8), at(19), 60]],
    sunday: [],
  },
  {
    id: "N",
    number: "N",
    color: "1B2A49",
    network: "lagon",
    stops: [
      "Université des Embruns",
      "Lycée Jules-Verne",
      "Stade nautique",
      "Médiathèque",
      "Vieux Port",
      "Hôtel de Ville",
      "Gare de Port-Lagune",
      "Jean-Moulin",
      "Hôpital Sainte-Anne",
    ],
    week: [],
    saturday: [],
    sunday: [],
    night: [at(23, 30), at(24, 15), at(25), at(25, 45), at(26, 30)],
  },
  {
    id: "S1",
    number: "S1",
    color: "FFD84D",
    network: "scolaire",
    stops: [
      "Ferme du Gall",
      "Croix-Rouge",
      "Kerdavid",
      "Chapelle Sainte-Barbe",
      "Rond-point des Îles",
      "Gendarmerie",
      "École Jean-Macé",
      "Collège Anita-Conti",
    ],
    week: [],
    saturday: [],
    sunday: [],
    school: {
      there: [at(7, 15), at(8, 5)],
      back: [at(16, 40), at(17, 35)],
      wednesday: [at(12, 20)],
    },
  },
  {
    id: "S2",
    number: "S2",
    color: "FFD84D",
    network: "scolaire",
    stops: [
      "Le Bourgneuf",
      "Kerval Bourg",
      "École des Tilleuls",
      "Penn-ar-Roz",
      "Ty-Nevez",
      "Technopole",
      "Université des Embruns",
      "Lycée Jules-Verne",
      "Collège Anita-Conti",
    ],
    week: [],
    saturday: [],
    sunday: [],
    school: {
      there: [at(7, 5), at(7, 50)],
      back: [at(16, 45), at(17, 40)],
      wednesday: [at(12, 25)],
    },
  },
];
