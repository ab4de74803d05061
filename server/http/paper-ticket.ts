// A ticket or a pass on paper, to be cut out and carried: the band of its holder's card, the code, and beside it what
// a controller reads. The same face as on the screen (web/ui/paper-ticket.tsx).
import {
  bottom,
  contentWidth,
  type Doc,
  drawBand,
  drawCode,
  drawFacts,
  edge,
  type Element,
  type Facts,
  heightOfFacts,
  ink,
  ornament,
  titleFace,
} from "./paper-drawing.ts";

export interface PaperTicket {
  /** Whose motif is on the band. */
  cardnumber: number;
  /** A word on what it is: « Billet », « Titre de transport ». */
  kind: string;
  title: string;
  /** When it is good for, the largest words. */
  when: string;
  code: string;
  /** Read aloud in place of the code. */
  label: string;
  facts: Facts;
}

const bandHeight = 52;
const padding = 16;
/** Width of the part with the code, up to the perforation. */
const stubWidth = 202;
const left = edge + stubWidth + padding;
const width = contentWidth - stubWidth - 2 * padding;
const factsAt = { left, widths: [78, width - 88], size: 10 } as const;

export function drawTicket(doc: Doc, root: Element, ticket: PaperTicket): void {
  const { cardnumber, kind, title, when, code, label, facts } = ticket;
  const side = stubWidth - 2 * padding;
  const words = [
    { text: title, size: 12 },
    { text: when, size: 17 },
  ];
  const wordsHeight = words.reduce((sum, { text, size }) => {
    const written = titleFace(doc, text);
    return sum + doc.fontSize(size).heightOfString(written, { width }) + 5;
  }, 0);
  const besides = wordsHeight + 8 + heightOfFacts(doc, facts, factsAt);
  const height = bandHeight + 2 * padding + Math.max(side, besides);
  if (doc.y + height > doc.page.height - bottom) doc.addPage();
  const top = doc.y;
  ornament(doc, () => {
    doc.roundedRect(edge, top, contentWidth, height, 12).lineWidth(0.8).stroke(ink.line);
    drawBand(
      doc,
      { left: edge, top, width: contentWidth, height: bandHeight },
      cardnumber,
      "upper",
    );
    const cut = edge + stubWidth;
    doc.dash(4, { space: 3 }).lineWidth(1).strokeColor(ink.soft);
    doc
      .moveTo(cut, top + bandHeight + 6)
      .lineTo(cut, top + height - 6)
      .stroke()
      .undash();
  });
  const write = (
    text: string,
    at: { x: number; y: number; size: number; colour: string },
    align?: "right",
  ) => {
    root.add(
      doc.struct("P", {}, () => {
        const written = titleFace(doc, text);
        const room = align ? contentWidth - 2 * padding : width;
        doc.fontSize(at.size).fillColor(at.colour);
        doc.text(written, at.x, at.y, { width: room, ...(align && { align }) });
      }),
    );
  };
  const onBand = { x: edge + padding, colour: ink.onBand };
  write("Ma carte", { ...onBand, y: top + 16, size: 16 });
  write(kind, { ...onBand, y: top + 19, size: 11 }, "right");
  drawCode(doc, root, code, {
    label,
    left: edge + padding,
    top: top + bandHeight + padding,
    side,
  });
  let y = top + bandHeight + padding;
  for (const { text, size } of words) {
    write(text, { x: left, y, size, colour: ink.text });
    y = doc.y + 5;
  }
  doc.y = y + 8;
  drawFacts(doc, root, facts, factsAt);
  doc.x = edge;
  doc.y = top + height + 16;
}
