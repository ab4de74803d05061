// The words of a PDF that server/http/paper.ts drew, so that a test can read a receipt as a person does.
import { inflateSync } from "node:zlib";
import { expect } from "vitest";
import type { Client, TestServer } from "./test-server.ts";

/** The strings of a PDF of the portal as they stand in it, its spaces made plain ones. */
export async function printedLines(server: TestServer, url: string, by: Client): Promise<string[]> {
  const { statusCode, rawPayload } = await server.app.inject({
    url,
    headers: { authorization: `Bearer ${by.token}` },
  });
  expect(statusCode, rawPayload.toString("latin1").slice(0, 200)).toBe(200);
  return wordsOf(rawPayload)
    .replaceAll(/[^\S\n]+/g, " ")
    .split("\n");
}

/** Every string of the document, decoded with each of its fonts: the right reading is among them. */
export function wordsOf(pdf: Buffer): string {
  const parts = streamsOf(pdf);
  const fonts = parts.filter((text) => text.includes("beginbfrange")).map(glyphsOf);
  const lines = parts.flatMap((text) =>
    [...text.matchAll(/\[((?:<[0-9a-f]*>|[\d\s.-])+)\]\s*TJ/g)].map(([, line = ""]) =>
      [...line.matchAll(/<([0-9a-f]*)>/g)].map(([, hex]) => hex).join(""),
    ),
  );
  return fonts
    .flatMap((glyphs) => lines.map((hex) => hex.replaceAll(/.{4}/g, (id) => glyphs.get(id) ?? "?")))
    .join("\n");
}

function streamsOf(pdf: Buffer): string[] {
  const found: string[] = [];
  let at = 0;
  for (;;) {
    const begin = pdf.indexOf("stream\n", at);
    if (begin < 0) return found;
    const end = pdf.indexOf("endstream", begin);
    try {
      found.push(inflateSync(pdf.subarray(begin + 7, end)).toString("latin1"));
    } catch {
      // A stream that is not compressed holds no words.
    }
    at = end + 9;
  }
}

/** Glyph → letters, from a font's table to Unicode. */
function glyphsOf(map: string): Map<string, string> {
  const glyphs = new Map<string, string>();
  for (const [, first = "", list = ""] of map.matchAll(/<(\w{4})> <\w{4}> \[([^\]]*)\]/g)) {
    [...list.matchAll(/<([^>]*)>/g)].forEach(([, units = ""], index) => {
      const id = (Number.parseInt(first, 16) + index).toString(16).padStart(4, "0");
      const codes = units.split(" ").map((unit) => Number.parseInt(unit, 16));
      glyphs.set(id, String.fromCharCode(...codes));
    });
  }
  return glyphs;
}
