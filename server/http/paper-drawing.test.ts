// Titles on paper: in the face of the screens where it has all their letters, else in that of the text.
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import Pdf from "pdfkit";
import { titleFace } from "./paper-drawing.ts";
import { unprintedIn } from "./printed-letters.ts";

const { resolve } = createRequire(import.meta.url);
const doc = new Pdf()
  .registerFont("title", resolve("@expo-google-fonts/figtree/700Bold/Figtree_700Bold.ttf"))
  .registerFont(
    "bold",
    resolve("@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf"),
  );

interface Face {
  postscriptName: string;
  hasGlyphForCodePoint(point: number): boolean;
}

/** The face that a text is set in, and the text as it is written with it. */
function setTitle(text: string): { face: Face; written: string } {
  const written = titleFace(doc, text);
  const { font }: { font: Face } = Reflect.get(doc, "_font");
  return { face: font, written };
}

test("each letter that may be printed has a glyph in the face that it is set in", () => {
  const lacking: string[] = [];
  let inFigtree = 0;
  for (let point = 0x20; point < 0x3000; point++) {
    const sign = String.fromCodePoint(point);
    if (unprintedIn(sign) !== "" || sign.normalize("NFC") !== sign) continue;
    const { face, written } = setTitle(sign);
    if (face.postscriptName.startsWith("Figtree")) inFigtree++;
    if (!face.hasGlyphForCodePoint(written.codePointAt(0) ?? 0)) lacking.push(point.toString(16));
  }
  expect(lacking).toEqual([]);
  expect(inFigtree).toBeGreaterThan(300);
});

test.each([
  ["Relevé d’opérations «\u00a0Ma carte\u00a0», 1\u202f000\u00a0€", "Figtree-Bold"],
  ["Nuit de l’œuvre, Čapek et Łódź", "Figtree-Bold"],
  ["Titres de Олена", "SourceSans3-SemiBold"],
])("« %s » is in %s", (title, name) => {
  expect(setTitle(title).face.postscriptName).toBe(name);
});
