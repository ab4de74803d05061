// Files that are made to be read for long: each a text of `size` repeated things, within the limits of its row.
import { addDays, todayInParis } from "#contract/days.ts";

const titles =
  "menuDate;menuPlatType;menuPlatNom;menuPlatAllergene;menuPlatLabel;menuPlatPrecision";
const inAWeek = addDays(todayInParis(), 7);
const dish = (name: string, allergens = "", labels = "", note = "") =>
  `${inAWeek};plat;${name};${allergens};${labels};${note}`;
const lines = (head: string, size: number, line: (at: number) => string): string =>
  [head, ...Array.from({ length: size }, (_, at) => line(at))].join("\n");
const quoted = (text: string) => `"${text}"`;

export interface HostileFile {
  /** Who may send it. */
  row: "canteen.previewMenuImport" | "grants.readFile" | "cardOrders.readFile";
  /** So large that it is refused or read within the limits of the file and of a record. */
  size: number;
  text: (size: number) => string;
}

const menus = (size: number, text: HostileFile["text"]): HostileFile => ({
  row: "canteen.previewMenuImport",
  size,
  text,
});

export const hostileFiles: Readonly<Record<string, HostileFile>> = {
  "commas in one cell": menus(5_000, (size) =>
    lines(titles, 1, () => dish("Riz", quoted(",".repeat(size)))),
  ),
  "commas and a bracket": menus(5_000, (size) =>
    lines(titles, 1, () => dish("Riz", quoted(`${",".repeat(size)})`))),
  ),
  "apostrophes in one cell": menus(9_000, (size) =>
    lines(titles, 1, () => dish("Riz", `x${"'".repeat(size)}x`)),
  ),
  "brackets in one cell": menus(9_000, (size) =>
    lines(titles, 1, () => dish("Riz", "(".repeat(size))),
  ),
  "spaces in one cell": menus(9_000, (size) =>
    lines(titles, 1, () => dish("Riz", `lait${" ".repeat(size)}x`)),
  ),
  "dishes on one day": menus(19_000, (size) => lines(titles, size, (at) => dish(`Plat ${at}`))),
  "notes on one day": menus(19_000, (size) =>
    lines(titles, size, (at) => dish("Riz", "", "", `Note ${at}`)),
  ),
  "unknown allergens": menus(4_900, (size) =>
    lines(titles, 1, () => dish("Riz", quoted("x,".repeat(size)))),
  ),
  "unknown allergens on every line": menus(190, (size) =>
    lines(titles, size, () => dish("Riz", quoted("x,".repeat(4_900)))),
  ),
  "unknown labels": menus(19_000, (size) =>
    lines(titles, size, (at) => dish("Riz", "", `mention ${at}`)),
  ),
  titles: menus(9_000, (size) =>
    lines(titles + ";".repeat(size), size, (at) => dish(`Plat ${at}`)),
  ),
  "short lines of menus": menus(660_000, (size) => lines(titles, size, () => "x;")),
  "empty lines of menus": menus(1_900_000, (size) => titles + "\n".repeat(size)),
  restaurants: menus(19_000, (size) =>
    lines(`${titles};menuRestaurantNom`, size, (at) => `${dish("Riz")};École ${at}`),
  ),
  "short lines of grants": {
    row: "grants.readFile",
    size: 174_000,
    text: (size) => lines("carte;montant", size, () => "1;"),
  },
  "short lines of persons": {
    row: "cardOrders.readFile",
    size: 174_000,
    text: (size) => lines("prenom;nom", size, () => "a;"),
  },
  "persons of long names": {
    row: "cardOrders.readFile",
    size: 9_000,
    text: (size) =>
      lines("prenom;nom", 50, () => `${" ".repeat(size / 2)}a${"-".repeat(size / 2)};b`),
  },
  "addresses of persons": {
    row: "cardOrders.readFile",
    size: 9_000,
    text: (size) => lines("prenom;nom;email", 50, () => `a;b;${"a.".repeat(size / 2)}@`),
  },
};
