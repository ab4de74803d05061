// Pages on paper, in the style of the screens: the card's motif at the head, one typeface, tagged for screen
// readers, readable in black print. Statements and receipts are drawn on it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import type Pdf from "pdfkit";
import { encodeQR } from "qr";
import { formatCardnumber, formatDateTime } from "#contract/french.ts";
import { motifOf } from "#contract/motif.ts";
import { type EmbeddedFile, embedFile } from "./embedded-file.ts";
import { drawInTurn } from "./paper-queue.ts";

const { resolve } = createRequire(import.meta.url);
const face = (weight: string) =>
  readFileSync(resolve(`@expo-google-fonts/source-sans-3/${weight}/SourceSans3_${weight}.ttf`));
// Read for the first page, then kept: 0.8 MB that most processes never need.
let faces: { regular: Buffer; bold: Buffer } | null = null;

const ink = { text: "#0a2e38", soft: "#45606a", line: "#c9bfab", wash: "#f3ecdf" };
const cardInks = { lagoon: "#0b5e6e", reef: "#a8452c", dune: "#7d5a1a", dusk: "#4a3f78" };
const edge = 56;
const rowsAtOnce = 20;
const bottom = 64;
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
  next(options: Pick<PaperOptions, "title" | "cardnumber" | "subtitle">): Promise<void>;
  heading(text: string): void;
  paragraph(text: string): void;
  /** Pairs of name and value, one a line. */
  facts(pairs: readonly (readonly [string, string])[]): void;
  /** A QR code of `side` points, read aloud as `label`. */
  code(text: string, label: string, side?: number): void;
  /** A table whose head is drawn again on each page. */
  table(columns: readonly Column[], rows: readonly (readonly string[])[]): Promise<void>;
}

export interface PaperOptions {
  title: string;
  /** Card number whose motif is at the head. */
  cardnumber: number;
  /** Under the title, in place of the card number: the motif is then of any number. */
  subtitle?: string;
  /** Whose turn it takes where the card is not the caller's; 0 for nobody's. */
  turnOf?: number;
  madeAt: Date;
  /** Makes it a PDF/A-3 with an embedded file for machines. */
  carries?: EmbeddedFile;
}

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
  faces ??= { regular: face("400Regular"), bold: face("600SemiBold") };
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

type Doc = InstanceType<typeof Pdf>;
type Element = ReturnType<Doc["struct"]>;

/** Decoration, which screen readers skip. */
function ornament(doc: Doc, drawing: () => void): void {
  doc.markContent("Artifact", { type: "Layout" });
  doc.save();
  drawing();
  doc.restore();
  doc.endMarkedContent();
}

function head(
  doc: Doc,
  root: Element,
  { title, cardnumber, subtitle }: Pick<PaperOptions, "title" | "cardnumber" | "subtitle">,
): void {
  const motif = motifOf(cardnumber, 5);
  const top = doc.y;
  ornament(doc, () => {
    const width = 120;
    const scale = width / motif.width;
    const height = motif.height * scale;
    const left = doc.page.width - edge - width;
    doc.roundedRect(left, top, width, height, 7).clip();
    doc.rect(left, top, width, height).fill(ink.wash);
    doc.translate(left, top).scale(scale);
    doc.lineWidth(2.2).strokeColor(cardInks[motif.ink]);
    for (const path of [...motif.rosette, ...motif.ribbon]) doc.path(path).stroke();
  });
  const write = (tag: string, draw: () => void) => {
    root.add(doc.struct(tag, {}, draw));
  };
  write("P", () => doc.font("bold").fontSize(12).fillColor(ink.soft).text("Ma carte", edge, top));
  write("H1", () => doc.font("bold").fontSize(24).fillColor(ink.text).text(title, { width: 340 }));
  write("P", () =>
    doc
      .font("regular")
      .fontSize(11)
      .fillColor(ink.soft)
      .text(subtitle ?? `Carte ${formatCardnumber(cardnumber)}`, { width: 340 }),
  );
  doc.x = edge;
  doc.y = Math.max(doc.y, top + 76) + 22;
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
        doc.moveDown(0.6).font("bold").fontSize(14).fillColor(ink.text).text(text, edge);
        doc.moveDown(0.3);
      });
    },
    paragraph(text) {
      write("P", () => {
        doc.font("regular").fontSize(10.5).fillColor(ink.text).text(text, edge, doc.y, {
          width: 483,
        });
        doc.moveDown(0.4);
      });
    },
    facts: (pairs) => drawFacts(doc, root, pairs),
    code: (text, label, side = 170) => drawCode(doc, root, text, { label, side }),
    table: (columns, rows) => drawTable(doc, root, columns, rows),
  };
}

function drawCode(
  doc: Doc,
  root: Element,
  text: string,
  { label, side }: { label: string; side: number },
): void {
  const lines = encodeQR(text, "raw", { ecc: "medium", border: 2 });
  if (doc.y + side > doc.page.height - bottom) doc.addPage();
  const top = doc.y;
  const dot = side / lines.length;
  root.add(
    doc.struct("Figure", { alt: label }, () => {
      for (const [y, line] of lines.entries()) {
        for (const [x, dark] of line.entries()) {
          if (dark) doc.rect(edge + x * dot, top + y * dot, dot, dot);
        }
      }
      doc.fill("#000000");
    }),
  );
  doc.x = edge;
  doc.y = top + side + 12;
}

/** A table of two columns without lines, so that a name is read as the header of its value. */
function drawFacts(doc: Doc, root: Element, pairs: readonly (readonly [string, string])[]): void {
  const table = doc.struct("Table");
  root.add(table);
  for (const [name, value] of pairs) {
    const line = doc.struct("TR");
    table.add(line);
    doc.font("bold").fontSize(10.5);
    const height = Math.max(
      doc.heightOfString(name, { width: 190 }),
      doc.heightOfString(value, { width: 283 }),
    );
    if (doc.y + height > doc.page.height - bottom) doc.addPage();
    const y = doc.y;
    line.add(
      doc.struct("TH", headerOf("Row"), () => {
        doc.font("regular").fontSize(10.5).fillColor(ink.soft).text(name, edge, y, { width: 190 });
      }),
    );
    line.add(
      doc.struct("TD", {}, () => {
        doc
          .font("bold")
          .fontSize(10.5)
          .fillColor(ink.text)
          .text(value, edge + 200, y, { width: 283 });
      }),
    );
    line.end();
    doc.y = y + height + 4;
  }
  table.end();
  doc.x = edge;
  doc.moveDown(0.6);
}

/** Whose header a cell is; the library's types do not know `scope` yet. */
const headerOf = (scope: "Row" | "Column") => ({ lang: "fr-FR", scope });

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
      doc.text(`Page ${page + 1} sur ${count}`, edge, y, { width: 483, align: "right" });
    });
  }
}
