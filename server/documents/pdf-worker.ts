// The process that looks into PDFs: streams of hostile ones unpack to more than they should, here alone.
import { inflateSync } from "node:zlib";
import { Problem } from "#contract/errors.ts";
import { answerTasks } from "#server/process/work-entry.ts";
import { opensWithoutPassword } from "./pdf-lock.ts";

export interface PdfTask {
  sent: Uint8Array;
}

/** Refuses `document_locked` for one that needs a password, `document_no_page` for one without a page. */
async function check({ sent }: PdfTask): Promise<null> {
  const bytes = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength);
  const raw = bytes.toString("latin1");
  if (!opensWithoutPassword(raw)) throw new Problem("document_locked");
  if (!hasPage(bytes, raw)) throw new Problem("document_no_page");
  return null;
}

const page = /\/Type\s{0,9}\/Page(?![A-Za-z])/;
/** What a stream of objects may unpack to; a larger one is taken for one with pages. */
const mostUnpacked = 8 * 1024 ** 2;

/** Whether there is a page among the objects, those in compressed streams of objects too. */
function hasPage(bytes: Buffer, raw: string): boolean {
  // Streams of an encrypted file are not read here.
  if (page.test(raw) || raw.includes("/Encrypt")) return true;
  for (let at = raw.indexOf("/ObjStm"); at >= 0; at = raw.indexOf("/ObjStm", at + 1)) {
    const start = /stream\r?\n/g;
    start.lastIndex = at;
    if (!start.exec(raw)) return false;
    try {
      const unpacked = inflateSync(bytes.subarray(start.lastIndex), {
        maxOutputLength: mostUnpacked,
      });
      if (page.test(unpacked.toString("latin1"))) return true;
    } catch (error) {
      // Packed otherwise than by Flate, or larger: nobody can say.
      if ((error as { code?: string }).code !== "Z_DATA_ERROR") return true;
    }
  }
  return false;
}

answerTasks(check);
