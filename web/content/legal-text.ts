// The few marks that a legal text knows: `## ` headings, `- ` lists, paragraphs, web addresses.

export interface Block {
  kind: "heading" | "list" | "paragraph";
  lines: string[];
}

/** The blocks of a text, which empty lines separate. */
export function blocksOf(body: string): Block[] {
  return body
    .split(/\n\s*\n/)
    .map((block) =>
      block
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    )
    .filter((lines) => lines.length > 0)
    .map((lines) => {
      if (lines[0]?.startsWith("## "))
        return { kind: "heading", lines: [lines.join(" ").slice(3)] };
      if (!lines.every((line) => line.startsWith("- "))) return { kind: "paragraph", lines };
      return { kind: "list", lines: lines.map((line) => line.slice(2)) };
    });
}

/** A line cut before and after each of its https addresses; a sign that ends the sentence is not of it. */
export const piecesOf = (text: string): string[] =>
  text.split(/(https:\/\/[^\s«»]+[^\s«».,;:)])/).filter(Boolean);
