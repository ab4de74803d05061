import { expect, test } from "vitest";
import { inFrenchCase } from "./french-case.ts";

test.each([
  ["GARE DU NORD - ÉCOLE JULES FERRY", "Gare du Nord - École Jules Ferry"],
  ["SAINT-GERMAIN-EN-LAYE", "Saint-Germain-en-Laye"],
  ["PLACE DE L'ÉGLISE", "Place de l'Église"],
  ["L'ÎLE D’ARCOUEST", "L'Île d’Arcouest"],
  ["LE PORT / LA PLAGE", "Le Port / La Plage"],
  ["CENTRE COMMERCIAL (LES HALLES)", "Centre Commercial (Les Halles)"],
  ["PONT-A-MOUSSON", "Pont-à-Mousson"],
  ["PORT A L'ANGLAIS", "Port à l'Anglais"],
  ["GARE SNCF - QUAI A", "Gare SNCF - Quai A"],
  ["QUAI A NORD", "Quai A Nord"],
  ["CHU PELLEGRIN", "CHU Pellegrin"],
  ["ZI SUD / Z.A. DES PRÉS", "ZI Sud / Z.A. des Prés"],
  ["IUT - LYCEE LOUIS XIV", "IUT - Lycée Louis XIV"],
  ["JEAN-PAUL II", "Jean-Paul II"],
  ["HOTEL DE VILLE", "Hôtel de Ville"],
  ["1ER MAI", "1er Mai"],
  ["1ÈRE ARMÉE", "1re Armée"],
  ["8 MAI 1945", "8 Mai 1945"],
  ["RUE DE LA 2EME D.B.", "Rue de la 2e D.B."],
  ["ST-ÉTIENNE, BD DR MOREAU", "St-Étienne, Bd Dr Moreau"],
  ["PRESQU'ÎLE", "Presqu'île"],
  ["MC DONALD'S", "Mc Donald's"],
  ["P+R ROCADE D929", "P+R Rocade D929"],
  ["CHU", "CHU"],
])("« %s » is written « %s »", (text, written) => {
  expect(inFrenchCase(text)).toBe(written);
});

test.each(["Gare du Nord", "Place de la Mairie - ZA", "gare", "iPort", "12", "—"])(
  "« %s » is not all in capitals and stays",
  (name) => {
    expect(inFrenchCase(name)).toBe(name);
  },
);
