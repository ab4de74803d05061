// A file for machines inside a PDF: with it, the document is a PDF/A-3.
import type Pdf from "pdfkit";

export interface EmbeddedFile {
  name: string;
  type: string;
  body: Buffer;
  description: string;
  /** RDF descriptions of the file, for the metadata of the document. */
  metadata: string;
  at: Date;
}

/** Embeds the file, as the data that the pages show. */
export function embedFile(
  doc: InstanceType<typeof Pdf>,
  { name, type, body, description, metadata, at }: EmbeddedFile,
): void {
  // The library's types do not know `relationship` yet.
  const about = { name, type, description, relationship: "Data" };
  doc.file(body, { ...about, creationDate: at, modifiedDate: at });
  doc.appendXML(metadata);
}
