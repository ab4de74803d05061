// Characters of PDF pages: every accepted one is drawn by both weights of the typeface.
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import Pdf from "pdfkit";
import { unprintedIn } from "./printed-letters.ts";

interface Face {
  hasGlyphForCodePoint(point: number): boolean;
}

const { resolve } = createRequire(import.meta.url);
function faceOf(weight: string): Face {
  const name = `@expo-google-fonts/source-sans-3/${weight}/SourceSans3_${weight}.ttf`;
  const doc = new Pdf().font(resolve(name));
  const { font }: { font: Face } = Reflect.get(doc, "_font");
  return font;
}

test("every sign that is let in has a glyph in both weights", () => {
  const faces = ["400Regular", "600SemiBold"].map(faceOf);
  const lacking: string[] = [];
  let drawn = 0;
  for (let point = 0x20; point < 0x3000; point++) {
    const sign = String.fromCodePoint(point);
    // A character that normalises to another is checked as that one.
    if (unprintedIn(sign) !== "" || sign.normalize("NFC") !== sign) continue;
    if (faces.every((face) => face.hasGlyphForCodePoint(point))) drawn++;
    else lacking.push(point.toString(16));
  }
  expect(lacking).toEqual([]);
  expect(drawn).toBeGreaterThan(600);
});

test.each([
  ["Zoé Le Goff-Ñuñez d’Århus", ""],
  ["Nguyễn Thị Ơn", ""],
  ["Łukasz Żółć", ""],
  ["Ελένη Παπαδοπούλου", ""],
  ["Олена Шевченко", ""],
  ["李小龙", "李小龙"],
  ["Ana مريم", "مري"],
  ["Pomme 🍎", "🍎"],
])("of « %s » « %s » is not printed", (name, signs) => {
  expect(unprintedIn(name)).toBe(signs);
});
