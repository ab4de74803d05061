// What the pages of a PDF are drawn with: measures, inks, the band with a card's motif, a QR code, pairs of name
// and value. Drawings that say nothing are artifacts, which screen readers skip.
import type Pdf from "pdfkit";
import { encodeQR } from "qr";
import { inkColours, motifOf } from "#contract/motif.ts";

export type Doc = InstanceType<typeof Pdf>;
export type Element = ReturnType<Doc["struct"]>;

export const ink = { text: "#0a2e38", soft: "#45606a", line: "#c9bfab", onBand: "#fdf6e9" };
/** Points: the margins, and the width between them. */
export const edge = 56;
export const bottom = 64;
export const contentWidth = 483;

/** Decoration, which screen readers skip. */
export function ornament(doc: Doc, drawing: () => void): void {
  doc.markContent("Artifact", { type: "Layout" });
  doc.save();
  drawing();
  doc.restore();
  doc.endMarkedContent();
}

// Figtree, the face of the screens, has neither Greek nor Cyrillic letters: titles with others are in the face of
// the text, which has all that may be written (printed-letters.ts).
const ofFigtree =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u0113\u0116-\u0127\u0130-\u0137\u0139-\u013e\u0141-\u0148\u0150-\u0161\u0164\u0165\u016a-\u017e–—‘’‚“”„†‡•…€]*$/u;

/** Sets the face of titles, and returns the text as it is written with it. */
export function titleFace(doc: Doc, text: string): string {
  const plain = text.normalize("NFC").replaceAll("\u202f", "\u00a0");
  const isWritten = ofFigtree.test(plain);
  doc.font(isWritten ? "title" : "bold");
  return isWritten ? plain : text;
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The motif of a card on its inks, cut to a box whose upper corners are round, or all four. */
export function drawBand(
  doc: Doc,
  { left, top, width, height }: Box,
  cardnumber: number,
  corners: "upper" | "all" = "all",
): void {
  const motif = motifOf(cardnumber, 6);
  const { from, to, thread } = inkColours[motif.ink];
  const scale = width / motif.width;
  doc.save();
  // Round corners below the box are cut off with it.
  const below = corners === "upper" ? 20 : 0;
  doc.rect(left, top, width, height).clip();
  doc.roundedRect(left, top, width, height + below, 12).clip();
  const ground = doc.linearGradient(left, top, left + width, top + height);
  ground.stop(0.12, from).stop(0.92, to);
  doc.rect(left, top, width, height).fill(ground);
  // The rosette stands with its middle in the band.
  doc.translate(left, top + height / 2 - 262 * scale).scale(scale);
  // Mixed beforehand: the files for machines are PDF/A, some readers of which know no transparency.
  doc.lineWidth(1.6).strokeColor(mixed(thread, to, 0.4));
  for (const path of [...motif.ribbon, ...motif.rosette]) doc.path(path).stroke();
  doc.restore();
}

/** A colour of which `share` is the first and the rest the second. */
function mixed(first: string, second: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [one, other] = [first, second].map((colour) =>
      Number.parseInt(colour.slice(at, at + 2), 16),
    ) as [number, number];
    return Math.round(one * share + other * (1 - share))
      .toString(16)
      .padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

/** A QR code of `side` points at a place, read aloud as `label`. */
export function drawCode(
  doc: Doc,
  root: Element,
  text: string,
  { label, left, top, side }: { label: string; left: number; top: number; side: number },
): void {
  const lines = encodeQR(text, "raw", { ecc: "medium", border: 2 });
  const dot = side / lines.length;
  root.add(
    doc.struct("Figure", { alt: label }, () => {
      for (const [y, line] of lines.entries()) {
        for (const [x, dark] of line.entries()) {
          if (dark) doc.rect(left + x * dot, top + y * dot, dot, dot);
        }
      }
      doc.fill("#000000");
    }),
  );
}

export interface FactsPlace {
  left: number;
  /** Of the names and of the values, in points. */
  widths: readonly [number, number];
  size: number;
}

export type Facts = readonly (readonly [string, string])[];

/** The height of pairs as `drawFacts` draws them. */
export function heightOfFacts(doc: Doc, pairs: Facts, { widths, size }: FactsPlace): number {
  doc.font("bold").fontSize(size);
  const heights = pairs.map(([name, value]) => heightOfPair(doc, name, value, widths));
  return heights.reduce((sum, height) => sum + height, 0);
}

const heightOfPair = (doc: Doc, name: string, value: string, widths: FactsPlace["widths"]) =>
  Math.max(
    doc.heightOfString(name, { width: widths[0] }),
    doc.heightOfString(value, { width: widths[1] }),
  ) + 4;

/** A table of two columns without lines, so that a name is read as the header of its value. */
export function drawFacts(doc: Doc, root: Element, pairs: Facts, place: FactsPlace): void {
  const { left, widths, size } = place;
  const table = doc.struct("Table");
  root.add(table);
  for (const [name, value] of pairs) {
    const line = doc.struct("TR");
    table.add(line);
    doc.font("bold").fontSize(size);
    const height = heightOfPair(doc, name, value, widths);
    if (doc.y + height - 4 > doc.page.height - bottom) doc.addPage();
    const y = doc.y;
    line.add(
      doc.struct("TH", headerOf("Row"), () => {
        doc.font("regular").fontSize(size).fillColor(ink.soft);
        doc.text(name, left, y, { width: widths[0] });
      }),
    );
    line.add(
      doc.struct("TD", {}, () => {
        doc.font("bold").fontSize(size).fillColor(ink.text);
        doc.text(value, left + widths[0] + 10, y, { width: widths[1] });
      }),
    );
    line.end();
    doc.y = y + height;
  }
  table.end();
}

/** Whose header a cell is; the library's types do not know `scope` yet. */
export const headerOf = (scope: "Row" | "Column") => ({ lang: "fr-FR", scope });
