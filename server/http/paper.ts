// Pages on paper, of the same family as the screens: a band with the card's motif at the head, titles in the face of
// the screens, tagged for screen readers, readable in black print. Statements and receipts are drawn on it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import { formatCardnumber, formatDateTime } from "#contract/french.ts";
import { type EmbeddedFile, embedFile } from "./embedded-file.ts";
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
  headerOf,
  ink,
  ornament,
  titleFace,
} from "./paper-drawing.ts";
import { drawInTurn } from "./paper-queue.ts";
import { drawTicket, type PaperTicket } from "./paper-ticket.ts";

const { resolve } = createRequire(import.meta.url);
const face = (name: string) => readFileSync(resolve(`@expo-google-fonts/${name}.ttf`));
// Read for the first page, then kept: 0.9 MB that most processes never need.
let faces: { regular: Buffer; bold: Buffer; title: Buffer } | null = null;

const rowsAtOnce = 20;
const bandHeight = 46;
/**
 * A heading stays at the foot of a page only with so many points below it, so that its content begins there.
 */
const headed = 90;

export interface Column {
  title: string;
  /** Width in points; the columns fill 483 points together. */
  width: number;
  right?: boolean;
}

export interface Paper {
  /** Begins a new page with a head of its own: another letter of the same file. */
  next(options: Head): Promise<void>;
  heading(text: string): void;
  paragraph(text: string): void;
  /** Pairs of name and value, one a line. */
  facts(pairs: Facts): void;
  /** A QR code of `side` points, read aloud as `label`. */
  code(text: string, label: string, side?: number): void;
  /** A ticket or a pass, to be cut out. */
  ticket(ticket: PaperTicket): void;
  /** A table whose head is drawn again on each page. */
  table(columns: readonly Column[], rows: readonly (readonly string[])[]): Promise<void>;
}

export interface PaperOptions {
  title: string;
  /** Card number whose motif is at the head. */
  cardnumber: number;
  /** Under the title, in place of the card number: the motif is then of any number. */
  subtitle?: string;
  /** The page has no band at its head: what is on it bears its own. */
  bare?: boolean;
  /** Whose turn it takes where the card is not the caller's; 0 for nobody's. */
  turnOf?: number;
  madeAt: Date;
  /** Makes it a PDF/A-3 with an embedded file for machines. */
  carries?: EmbeddedFile;
}

type Head = Pick<PaperOptions, "title" | "cardnumber" | "subtitle" | "bare">;

/**
 * Draws a document and returns its bytes: PDF 1.7, tagged, French, fonts embedded. Papers are drawn one after
 * the other, so that many at once take no more of each turn of the event loop than one, and those of one card
 * take turns with others'. Refuses `unavailable` when too many wait, of all or of that card.
 */
export async function paper(
  options: PaperOptions,
  draw: (paper: Paper) => void | Promise<void>,
): Promise<Buffer<ArrayBuffer>> {
  return await drawInTurn(options.turnOf ?? options.cardnumber, () => drawPaper(options, draw));
}

async function drawPaper(
  options: PaperOptions,
  draw: (paper: Paper) => void | Promise<void>,
): Promise<Buffer<ArrayBuffer>> {
  faces ??= {
    regular: face("source-sans-3/400Regular/SourceSans3_400Regular"),
    bold: face("source-sans-3/600SemiBold/SourceSans3_600SemiBold"),
    title: face("figtree/700Bold/Figtree_700Bold"),
  };
  const { default: Document } = await import("pdfkit");
  const doc = new Document({
    size: "A4",
    margins: { top: edge, bottom, left: edge, right: edge },
    pdfVersion: "1.7",
    tagged: true,
    lang: "fr-FR",
    displayTitle: true,
    bufferPages: true,
    info: { Title: options.title, Author: "Ma carte", CreationDate: options.madeAt },
    ...(options.carries && { subset: "PDF/A-3b" as const }),
  });
  if (options.carries) embedFile(doc, options.carries);
  doc.registerFont("regular", faces.regular).registerFont("bold", faces.bold);
  doc.registerFont("title", faces.title);
  const chunks: Buffer[] = [];
  doc.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((done) => doc.on("end", done));
  const root = doc.struct("Document", { title: options.title });
  doc.addStructure(root);
  head(doc, root, options);
  await draw(penOf(doc, root));
  root.end();
  numberPages(doc, options);
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}

function head(doc: Doc, root: Element, { title, cardnumber, subtitle, bare }: Head): void {
  const top = doc.y;
  if (!bare) {
    const band = { left: edge, top, width: contentWidth, height: bandHeight };
    ornament(doc, () => drawBand(doc, band, cardnumber));
  }
  const write = (tag: string, draw: () => void) => {
    root.add(doc.struct(tag, {}, draw));
  };
  const left = bare ? edge : edge + 16;
  write("P", () => {
    const brand = titleFace(doc, "Ma carte");
    doc.fontSize(15).fillColor(bare ? ink.soft : ink.onBand);
    doc.text(brand, left, bare ? top : top + 14);
  });
  doc.y = bare ? doc.y + 4 : top + bandHeight + 18;
  write("H1", () => {
    const written = titleFace(doc, title);
    doc.fontSize(22).fillColor(ink.text).text(written, edge, doc.y, { width: contentWidth });
  });
  write("P", () =>
    doc
      .font("regular")
      .fontSize(11)
      .fillColor(ink.soft)
      .text(subtitle ?? `Carte ${formatCardnumber(cardnumber)}`, { width: contentWidth }),
  );
  doc.x = edge;
  doc.y += 18;
}

function penOf(doc: Doc, root: Element): Paper {
  const write = (tag: string, draw: () => void) => {
    root.add(doc.struct(tag, {}, draw));
  };
  return {
    async next(options) {
      // A page takes some milliseconds: a long file lets other requests pass.
      await setImmediate();
      doc.addPage();
      head(doc, root, options);
    },
    heading(text) {
      if (doc.y + headed > doc.page.height - bottom) doc.addPage();
      write("H2", () => {
        const written = titleFace(doc, text);
        doc.fontSize(13.5).moveDown(0.6).fillColor(ink.text).text(written, edge);
        doc.moveDown(0.3);
      });
    },
    paragraph(text) {
      write("P", () => {
        doc.font("regular").fontSize(10.5).fillColor(ink.text).text(text, edge, doc.y, {
          width: contentWidth,
        });
        doc.moveDown(0.4);
      });
    },
    facts(pairs) {
      drawFacts(doc, root, pairs, { left: edge, widths: [190, 283], size: 10.5 });
      doc.x = edge;
      doc.moveDown(0.6);
    },
    code(text, label, side = 170) {
      if (doc.y + side > doc.page.height - bottom) doc.addPage();
      const top = doc.y;
      drawCode(doc, root, text, { label, left: edge, top, side });
      doc.x = edge;
      doc.y = top + side + 12;
    },
    ticket: (ticket) => drawTicket(doc, root, ticket),
    table: (columns, rows) => drawTable(doc, root, columns, rows),
  };
}

async function drawTable(
  doc: Doc,
  root: Element,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const table = doc.struct("Table");
  root.add(table);
  const titles = columns.map((column) => column.title);
  const begun = rowHeight(doc, columns, titles) + rowHeight(doc, columns, rows[0] ?? []);
  if (doc.y + begun > doc.page.height - bottom - 12) doc.addPage();
  drawRow(doc, table, columns, titles, "TH");
  for (const [index, row] of rows.entries()) {
    // A row takes about a millisecond: a long table lets other requests pass.
    if (index % rowsAtOnce === rowsAtOnce - 1) await setImmediate();
    if (doc.y + rowHeight(doc, columns, row) > doc.page.height - bottom - 12) {
      doc.addPage();
      ornament(doc, () => {
        let x = edge;
        doc.font("bold").fontSize(9.5).fillColor(ink.soft);
        for (const column of columns) {
          doc.text(column.title, x, edge, cell(column));
          x += column.width;
        }
      });
      doc.y = edge + 20;
    }
    drawRow(doc, table, columns, row, "TD");
  }
  table.end();
  doc.x = edge;
  doc.moveDown(0.8);
}

const cell = (column: Column) => ({
  width: column.right ? column.width : column.width - 8,
  align: column.right ? ("right" as const) : ("left" as const),
});

function rowHeight(doc: Doc, columns: readonly Column[], row: readonly string[]): number {
  doc.font("regular").fontSize(9.5);
  const heights = columns.map((column, index) =>
    doc.heightOfString(row[index] ?? "", cell(column)),
  );
  return Math.max(...heights) + 8;
}

function drawRow(
  doc: Doc,
  table: Element,
  columns: readonly Column[],
  row: readonly string[],
  tag: "TH" | "TD",
): void {
  const height = rowHeight(doc, columns, row);
  const y = doc.y;
  const line = doc.struct("TR");
  table.add(line);
  let x = edge;
  columns.forEach((column, index) => {
    const left = x;
    line.add(
      doc.struct(tag, tag === "TH" ? headerOf("Column") : {}, () => {
        doc
          .font(tag === "TH" ? "bold" : "regular")
          .fontSize(9.5)
          .fillColor(tag === "TH" ? ink.soft : ink.text)
          .text(row[index] ?? "", left, y + 3, cell(column));
      }),
    );
    x += column.width;
  });
  line.end();
  ornament(doc, () => {
    doc
      .lineWidth(0.5)
      .strokeColor(ink.line)
      .moveTo(edge, y + height)
      .lineTo(x, y + height)
      .stroke();
  });
  doc.y = y + height;
}

function numberPages(doc: Doc, { madeAt }: PaperOptions): void {
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page);
    // Text in the margin: without this, it would start a new page.
    doc.page.margins.bottom = 0;
    ornament(doc, () => {
      doc.font("regular").fontSize(8.5).fillColor(ink.soft);
      const y = doc.page.height - 40;
      doc.text(`Établi le ${formatDateTime(madeAt)}`, edge, y, { lineBreak: false });
      doc.text(`Page ${page + 1} sur ${count}`, edge, y, { width: contentWidth, align: "right" });
    });
  }
}
