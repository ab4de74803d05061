// Names of files that are no CSV, in French.
const kinds: readonly (readonly [RegExp, string])[] = [
  [/spreadsheetml|ms-excel|x-cfb/, "un classeur Excel"],
  [/opendocument\.spreadsheet/, "un classeur LibreOffice"],
  [/wordprocessingml|opendocument\.text|rtf/, "un texte de traitement de texte"],
  [/pdf/, "un PDF"],
  [/^image\//, "une image"],
  [/zip|gzip|x-7z|x-rar|x-tar|bzip/, "une archive compressée"],
  [/^(?:video|audio)\//, "un son ou une vidéo"],
];

/** « un classeur Excel », « un PDF »… by the media type found in its content, or null for a text. */
export function kindOfFile(mime: string, bytes: Buffer): string | null {
  if (isText(bytes)) return null;
  const start = bytes.toString("latin1", 0, 200).trimStart().toLowerCase();
  if (/^(?:\u00ef\u00bb\u00bf)?<(?:!doctype|html|\?xml|table)/.test(start))
    return "une page web ou du XML";
  if (/^(?:\u00ef\u00bb\u00bf)?(?:\[\s*)?\{/.test(start)) return "du JSON";
  if (start.startsWith("{\\rtf")) return "un texte de traitement de texte";
  if (mime === "") return null;
  return kinds.find(([known]) => known.test(mime))?.[1] ?? "un fichier d’un autre format";
}

/** The mark of UTF-16: two bytes that also begin some sounds. */
const isText = ([first, second]: Buffer) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
