// The process that opens PDFs: streams of hostile ones may unpack to more than they should, here alone.
import { getDocumentProxy } from "unpdf";
import { VerbosityLevel } from "unpdf/pdfjs";
import { Problem } from "#contract/errors.ts";
import { answerTasks } from "#server/process/work-entry.ts";

export interface PdfTask {
  sent: Uint8Array;
}

/**
 * Refuses `document_locked` for one that needs a password, `document_no_page` for one without a page,
 * `document_unreadable` for one that no reader opens.
 */
async function check({ sent }: PdfTask): Promise<null> {
  try {
    const pdf = await getDocumentProxy(Uint8Array.from(sent), {
      verbosity: VerbosityLevel.ERRORS,
    });
    const first = await pdf.getPage(1).catch(() => null);
    if (first === null) throw new Problem("document_no_page");
    return null;
  } catch (error) {
    if (error instanceof Problem) throw error;
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new Problem(isLocked ? "document_locked" : "document_unreadable");
  }
}

answerTasks(check);
